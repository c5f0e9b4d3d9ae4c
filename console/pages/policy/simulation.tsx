// What the policy would say of a withdrawal, without asking for one.
import { useState } from 'react';
import type { Data } from '../../../src/client/api-types.ts';
import { Facts } from '../../components/facts.tsx';
import { ChoiceField, TextField, WriteForm } from '../../components/form.tsx';
import { Section } from '../../components/section.tsx';
import { Status } from '../../components/values.tsx';
import { useAssets } from '../../service/names.ts';
import { usePage } from '../../service/use-service.ts';
import { words } from '../../text/words.ts';
import { Movements } from '../content.tsx';

const SIMULATE = '/api/v1/workspaces/{workspace_id}/policy/simulate';
type Result = Data<'post', typeof SIMULATE>;

export function Simulation() {
  const [result, setResult] = useState<Result>();
  const assets = useAssets();
  const wallets = usePage('/api/v1/workspaces/{workspace_id}/wallets', { query: { status: ['active'], limit: 200 } });
  return (
    <Section title="Simulate a withdrawal">
      <WriteForm
        verb="post"
        path={SIMULATE}
        label="Simulate"
        inputOf={(withdrawal) => ({ body: { withdrawal } })}
        onDone={(answer) => setResult(answer as Result)}
      >
        <ChoiceField
          name="wallet_id"
          label="Simulated wallet"
          choices={(wallets.data?.rows ?? []).map(({ id, name }) => [id, name])}
        />
        <ChoiceField
          name="asset_id"
          label="Simulated asset"
          choices={[...assets.values()].map(({ id, symbol, network }) => [id, `${symbol} on ${network.name}`])}
        />
        <TextField name="amount" label="Simulated amount" isRequired />
        <TextField name="recipient_address" label="Simulated destination" isRequired />
      </WriteForm>
      {result === undefined ? null : <SimulationResult result={result} />}
    </Section>
  );
}

function SimulationResult({ result }: { result: Result }) {
  const { action, rule, reasons, approvals, movements, unknown, considered } = result;
  return (
    <div role="status">
      <h3>The policy says: {words(action)}</h3>
      <Facts
        facts={[
          ['By', rule],
          ['Approvals', action === 'require_approvals' ? approvals : undefined],
          ['Reasons', reasons.join('; ')],
          ['Not known', unknown.join('; ')],
        ]}
      />
      {movements.length === 0 ? null : <Movements movements={movements} />}
      <ul className="tasks">
        {considered.map(({ rule: name, applies, because }) => (
          <li key={name}>
            <strong>{name}</strong> <Status status={applies ? 'applies' : 'does not apply'} /> {because.join('; ')}
          </li>
        ))}
      </ul>
    </div>
  );
}
