// One wallet: what it holds, where it receives, what it did, and whether it may sign.
import { useState } from 'react';
import { Link } from 'wouter';
import type { Data } from '../../../src/client/api-types.ts';
import { ConfirmedAction } from '../../components/confirmed-action.tsx';
import { Facts } from '../../components/facts.tsx';
import { ChoiceField, WriteForm } from '../../components/form.tsx';
import { PagedList } from '../../components/paged-list.tsx';
import { RowsTable } from '../../components/rows-table.tsx';
import { PageHead, Section } from '../../components/section.tsx';
import { Shown } from '../../components/shown.tsx';
import { Amount, Copied, Moment, Status } from '../../components/values.tsx';
import { useAssets, useNetworks } from '../../service/names.ts';
import { usePage, useRead } from '../../service/use-service.ts';
import { words } from '../../text/words.ts';
import { useTransactionColumns } from '../transactions/transactions-page.tsx';
import { FaucetForm } from './faucet-form.tsx';

const WALLET = '/api/v1/wallets/{wallet_id}';
const ASSETS = `${WALLET}/assets` as const;
type Wallet = Data<'get', typeof WALLET>;

export function WalletPage({ id }: { id: string }) {
  const read = useRead(WALLET, { path: { wallet_id: id } });
  const { data } = read;
  return (
    <>
      <PageHead title={data?.name ?? 'Wallet'}>{data === undefined ? null : <WalletActions wallet={data} />}</PageHead>
      <Shown read={read}>
        {(wallet) => (
          <>
            <Section title="Wallet">
              <Facts
                facts={[
                  ['Status', <Status key="status" status={wallet.status} />],
                  ['Reason', wallet.reason],
                  ['Type', wallet.wallet_type],
                  ['Purpose', wallet.wallet_purpose && words(wallet.wallet_purpose)],
                  ['Cluster', wallet.cluster],
                  ['External id', wallet.external_id],
                  ...Object.entries(wallet.metadata),
                  ['Created', <Moment key="created" at={wallet.created_at} />],
                  ['Id', <Copied key="id" text={wallet.id} what="the id" whole />],
                ]}
              />
            </Section>
            <Balances id={id} />
            <Receiving wallet={wallet} />
            <FaucetForm walletId={id} />
            <Activity id={id} />
          </>
        )}
      </Shown>
    </>
  );
}

function WalletActions({ wallet }: { wallet: Wallet }) {
  const path = { wallet_id: wallet.id };
  return (
    <>
      {wallet.status !== 'active' ? null : (
        <>
          <Link href={`/withdrawals/new?wallet_id=${wallet.id}`} className="button">
            Withdraw
          </Link>
          <ConfirmedAction
            verb="post"
            path="/api/v1/wallets/{wallet_id}/freeze"
            label="Freeze wallet"
            title={`Freeze ${wallet.name}?`}
            asksReason
            isDangerous
            inputOf={(reason) => ({ path, ...(reason === undefined ? {} : { body: { reason } }) })}
          >
            <p>A frozen wallet signs nothing, and receives as before.</p>
          </ConfirmedAction>
        </>
      )}
      {wallet.status !== 'frozen' ? null : (
        <ConfirmedAction
          verb="post"
          path="/api/v1/wallets/{wallet_id}/unfreeze"
          label="Unfreeze wallet"
          title={`Let ${wallet.name} sign again?`}
          inputOf={() => ({ path })}
        >
          <p>In production, and where the policy guards changes, this waits for the approval of another user.</p>
        </ConfirmedAction>
      )}
    </>
  );
}

function Balances({ id }: { id: string }) {
  const read = usePage('/api/v1/wallets/{wallet_id}/balances', { path: { wallet_id: id }, query: { limit: 200 } });
  const networks = useNetworks();
  return (
    <Section title="Balances">
      <Shown read={read} empty="It holds nothing yet.">
        {({ rows }) => (
          <RowsTable
            label="Balances"
            rows={rows}
            keyOf={({ asset_id: asset }) => asset}
            columns={[
              { name: 'Asset', cell: ({ symbol }) => symbol },
              { name: 'Network', cell: ({ network_id: network }) => networks.get(network)?.name ?? network },
              { name: 'Available', isNumber: true, cell: ({ available }) => <Amount amount={available} /> },
              { name: 'Held', isNumber: true, cell: ({ held }) => <Amount amount={held} /> },
              { name: 'Coming in', isNumber: true, cell: ({ pending_in: coming }) => <Amount amount={coming} /> },
              { name: 'Total', isNumber: true, cell: ({ total }) => <Amount amount={total} /> },
            ]}
          />
        )}
      </Shown>
    </Section>
  );
}

/** Of the assets that the wallet has: the service watches no others for it. */
function Receiving({ wallet }: { wallet: Wallet }) {
  const read = usePage(ASSETS, { path: { wallet_id: wallet.id }, query: { status: ['active'], limit: 200 } });
  const [chosen, setChosen] = useState<string>();
  return (
    <Section title="Receive">
      <Shown read={read} empty="It has no assets yet.">
        {({ rows }) => {
          const assetId = chosen ?? rows[0]?.asset_id;
          return (
            <>
              <div className="filters">
                <div className="field">
                  <label htmlFor="received-asset">Asset to receive</label>
                  <select
                    id="received-asset"
                    value={assetId}
                    onChange={(event) => setChosen(event.currentTarget.value)}
                  >
                    {rows.map(({ asset_id: id, asset }) => (
                      <option key={id} value={id}>
                        {asset.symbol} on {asset.network.name}
                      </option>
                    ))}
                  </select>
                </div>
              </div>
              {assetId === undefined ? null : <DepositAddress walletId={wallet.id} assetId={assetId} />}
            </>
          );
        }}
      </Shown>
      <AttachAsset walletId={wallet.id} attached={read.data?.rows.map(({ asset_id: id }) => id) ?? []} />
    </Section>
  );
}

function AttachAsset({ walletId, attached }: { walletId: string; attached: readonly string[] }) {
  const others = [...useAssets().values()].filter(
    ({ id, network }) => network.capabilities.deposit && !network.disabled && !attached.includes(id),
  );
  if (others.length === 0) return null;
  return (
    <WriteForm
      verb="post"
      path={ASSETS}
      label="Attach asset"
      inputOf={(body) => ({ path: { wallet_id: walletId }, body })}
    >
      <ChoiceField
        name="asset_id"
        label="Another asset"
        choices={others.map(({ id, symbol, network }) => [id, `${symbol} on ${network.name}`])}
      />
    </WriteForm>
  );
}

function DepositAddress({ walletId, assetId }: { walletId: string; assetId: string }) {
  const read = useRead('/api/v1/wallets/{wallet_id}/deposit-address', {
    path: { wallet_id: walletId },
    query: { asset_id: assetId, qr_code: true },
  });
  return (
    <Shown read={read}>
      {({ address, memo, qr_code: picture }) => (
        <>
          <p>
            <Copied text={address} what="the address" whole />
          </p>
          {memo === '' ? null : <p>Memo: {memo}</p>}
          {picture.startsWith('data:image/png;base64,') ? (
            <img className="qr" src={picture} alt={`The address ${address} as a QR code`} />
          ) : null}
        </>
      )}
    </Shown>
  );
}

function Activity({ id }: { id: string }) {
  const read = usePage('/api/v1/workspaces/{workspace_id}/transactions', { query: { wallet_id: [id], limit: 20 } });
  const columns = useTransactionColumns();
  return (
    <Section title="Latest activity">
      <PagedList
        label="Latest activity"
        read={{ ...read, data: read.data && { ...read.data, nextCursor: undefined } }}
        columns={columns}
        keyOf={(row) => row.id}
        empty="Nothing came in or went out yet."
      />
      <p>
        <Link href={`/transactions?wallet_id=${id}`}>All transactions of this wallet</Link>
      </p>
    </Section>
  );
}
