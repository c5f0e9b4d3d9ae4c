// Where a withdrawal is asked for. What the policy makes of it stands on its own page.
import { useLocation, useSearchParams } from 'wouter';
import { ChoiceField, TextField, WriteForm } from '../../components/form.tsx';
import { PageHead, Section } from '../../components/section.tsx';
import { Shown } from '../../components/shown.tsx';
import { useAssets, useNetworks } from '../../service/names.ts';
import { usePage } from '../../service/use-service.ts';

export function NewWithdrawalPage() {
  const [search, setSearch] = useSearchParams();
  const wallets = usePage('/api/v1/workspaces/{workspace_id}/wallets', { query: { status: ['active'], limit: 200 } });
  const walletId = search.get('wallet_id') ?? wallets.data?.rows[0]?.id;
  return (
    <>
      <PageHead title="New withdrawal" />
      <Section title="From which wallet, and what">
        <Shown read={wallets} empty="There is no active wallet: create one first.">
          {({ rows }) => (
            <>
              <div className="filters">
                <div className="field">
                  <label htmlFor="from-wallet">From wallet</label>
                  <select
                    id="from-wallet"
                    value={walletId}
                    onChange={(event) => setSearch({ wallet_id: event.currentTarget.value })}
                  >
                    {rows.map(({ id, name }) => (
                      <option key={id} value={id}>
                        {name}
                      </option>
                    ))}
                  </select>
                </div>
              </div>
              {walletId === undefined ? null : <RequestForm key={walletId} walletId={walletId} />}
            </>
          )}
        </Shown>
      </Section>
    </>
  );
}

function RequestForm({ walletId }: { walletId: string }) {
  const [, navigate] = useLocation();
  const assets = useAssets();
  const networks = useNetworks();
  const balances = usePage('/api/v1/wallets/{wallet_id}/balances', {
    path: { wallet_id: walletId },
    query: { limit: 200 },
  });
  return (
    <Shown read={balances} empty="The wallet holds nothing yet: pay it something first.">
      {({ rows }) => (
        <WriteForm
          verb="post"
          path="/api/v1/wallets/{wallet_id}/request-withdrawal"
          label="Ask for the withdrawal"
          inputOf={(fields) => ({ path: { wallet_id: walletId }, body: fields })}
          onDone={(answer) => navigate(`/withdrawals/${(answer as { withdrawal: { id: string } }).withdrawal.id}`)}
        >
          <ChoiceField
            name="asset_id"
            label="Asset"
            choices={rows.map(({ asset_id: id, network_id: network, symbol, available }) => [
              id,
              `${assets.get(id)?.symbol ?? symbol} on ${networks.get(network)?.name ?? network}, ${available} available`,
            ])}
          />
          <TextField name="amount" label="Amount" isRequired />
          <TextField name="recipient_address" label="To address" isRequired />
          <ChoiceField
            name="fee_level"
            label="Fee level"
            choices={[
              ['medium', 'medium'],
              ['low', 'low'],
              ['high', 'high'],
            ]}
          />
          <TextField name="notes" label="Notes" />
        </WriteForm>
      )}
    </Shown>
  );
}
