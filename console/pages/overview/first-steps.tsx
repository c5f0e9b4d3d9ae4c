// For a newcomer: a wallet, money from the faucet, a first withdrawal. Gone once something has been withdrawn.
import { Link } from 'wouter';
import { TextField, WriteForm } from '../../components/form.tsx';
import { Section } from '../../components/section.tsx';
import { usePage } from '../../service/use-service.ts';
import { FaucetForm } from '../wallets/faucet-form.tsx';

export function FirstSteps() {
  const wallets = usePage('/api/v1/workspaces/{workspace_id}/wallets', { query: { limit: 1 } });
  const withdrawals = usePage('/api/v1/workspaces/{workspace_id}/withdrawals', { query: { limit: 1 } });
  const balances = usePage('/api/v1/workspaces/{workspace_id}/balances', { query: { limit: 1 } });
  if (wallets.data === undefined || withdrawals.data === undefined || balances.data === undefined) return null;
  if (withdrawals.data.rows.length > 0) return null;
  const [wallet] = wallets.data.rows;
  if (wallet === undefined)
    return (
      <Section title="First step: a wallet">
        <p>The nodes make its key together; no part of it is ever in one place.</p>
        <WriteForm
          verb="post"
          path="/api/v1/wallets"
          label="Create the first wallet"
          inputOf={({ name }) => ({ body: { name, wallet_type: 'mpc' } })}
        >
          <TextField name="name" label="Name of the wallet" isRequired initial="treasury" />
        </WriteForm>
      </Section>
    );
  if (wallet.status === 'creating')
    return (
      <Section title="First step: a wallet">
        <p role="status">The nodes make the key of {wallet.name}: this takes some seconds.</p>
      </Section>
    );
  if (balances.data.rows.length === 0)
    return (
      <>
        <Section title="Second step: money">
          <p>
            {wallet.name} is there. Pay it something from the faucet below, or to one of{' '}
            <Link href={`/wallets/${wallet.id}`}>its addresses</Link>.
          </p>
        </Section>
        <FaucetForm walletId={wallet.id} />
      </>
    );
  return (
    <Section title="Third step: a withdrawal">
      <p>
        {wallet.name} has money. <Link href={`/withdrawals/new?wallet_id=${wallet.id}`}>Ask for a withdrawal</Link>: the
        policy decides whether somebody has to approve it.
      </p>
    </Section>
  );
}
