// What the policy in force, or the one that is being written, would say of a withdrawal or a signature, without asking
// for one.
import { type ReactNode, useState } from 'react';
import type { Data } from '../../../src/client/api-types.ts';
import { Facts } from '../../components/facts.tsx';
import { ChoiceField, TextField, WriteForm } from '../../components/form.tsx';
import { Section } from '../../components/section.tsx';
import { Status } from '../../components/values.tsx';
import { useAssets, useNetworks } from '../../service/names.ts';
import { usePage } from '../../service/use-service.ts';
import { words } from '../../text/words.ts';
import { Movements } from '../content.tsx';
import { documentIn } from './policy-text.ts';

const SIMULATE = '/api/v1/workspaces/{workspace_id}/policy/simulate';
type Result = Data<'post', typeof SIMULATE>;
type Fields = Readonly<Record<string, string>>;

const policies = [
  ['in_force', 'The policy in force'],
  ['draft', 'The draft above'],
] as const;

/** What may be signed, each with the field of the interface that it goes into. */
const contents = {
  message: { name: 'A message', label: 'Simulated message', field: 'message' },
  typed: { name: 'Typed data', label: 'Simulated typed data as JSON', field: 'typed_data' },
  transaction: { name: 'A transaction', label: 'Simulated transaction in hex', field: 'unsigned_tx' },
  raw: { name: 'A digest', label: 'Simulated digest in hex', field: 'signing_hash' },
} as const;
type Content = keyof typeof contents;

export function Simulation({ draft }: { draft: string }) {
  return (
    <>
      <Simulated title="Simulate a withdrawal" label="Simulate" draft={draft} operationOf={withdrawalOf}>
        <WithdrawalFields />
      </Simulated>
      <Simulated title="Simulate a signature" label="Simulate signature" draft={draft} operationOf={signingOf}>
        <SigningFields />
      </Simulated>
    </>
  );
}

interface SimulatedProps {
  title: string;
  label: string;
  draft: string;
  operationOf: (fields: Fields) => object;
  children: ReactNode;
}

function Simulated({ title, label, draft, operationOf, children }: SimulatedProps) {
  const [result, setResult] = useState<Result>();
  const wallets = usePage('/api/v1/workspaces/{workspace_id}/wallets', { query: { status: ['active'], limit: 200 } });
  return (
    <Section title={title}>
      <WriteForm
        verb="post"
        path={SIMULATE}
        label={label}
        inputOf={({ policy, ...fields }) => ({
          body: { ...operationOf(fields), ...(policy === 'draft' ? { document: documentIn(draft) } : {}) },
        })}
        onDone={(answer) => setResult(answer as Result)}
        keepsFields
      >
        <ChoiceField name="policy" label="Against" choices={policies} />
        <ChoiceField
          name="wallet_id"
          label="Simulated wallet"
          choices={(wallets.data?.rows ?? []).map(({ id, name }) => [id, name])}
        />
        {children}
      </WriteForm>
      {result === undefined ? null : <SimulationResult result={result} />}
    </Section>
  );
}

function WithdrawalFields() {
  const assets = useAssets();
  return (
    <>
      <ChoiceField
        name="asset_id"
        label="Simulated asset"
        choices={[...assets.values()].map(({ id, symbol, network }) => [id, `${symbol} on ${network.name}`])}
      />
      <TextField name="amount" label="Simulated amount" isRequired />
      <TextField name="recipient_address" label="Simulated destination" isRequired />
    </>
  );
}

function SigningFields() {
  const networks = useNetworks();
  const [content, setContent] = useState<Content>('message');
  return (
    <>
      <ChoiceField
        name="network_internal_code"
        label="Simulated network"
        choices={[...networks.values()].map(({ internal_code: code, name }) => [code, name])}
      />
      <ChoiceField
        name="type"
        label="What is signed"
        choices={Object.entries(contents).map(([kind, { name }]) => [kind, name])}
        onChoice={(kind) => setContent(kind as Content)}
      />
      <TextField key={content} name="content" label={contents[content].label} isLong isRequired />
    </>
  );
}

const withdrawalOf = (withdrawal: Fields) => ({ withdrawal });

function signingOf({ wallet_id, type = '', content = '', ...network }: Fields) {
  const { field } = contents[type as Content];
  return {
    signing: { wallet_id, item: { type, ...network, [field]: field === 'typed_data' ? read(content) : content } },
  };
}

function read(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`The typed data is no JSON: ${(error as Error).message}.`, { cause: error });
  }
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
