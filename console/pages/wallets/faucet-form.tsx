// Money of the sandbox for a wallet. There is none where the service has no sandbox networks.
import { useState } from 'react';
import { ChoiceField, TextField, WriteForm } from '../../components/form.tsx';
import { Section } from '../../components/section.tsx';
import { useAssets } from '../../service/names.ts';

export function FaucetForm({ walletId }: { walletId: string }) {
  const assets = useAssets();
  const [isPaid, setPaid] = useState(false);
  const paid = [...assets.values()].filter(
    ({ is_native: isNative, network }) =>
      isNative && network.internal_code.endsWith('_SANDBOX') && network.capabilities.deposit,
  );
  if (paid.length === 0) return null;
  // Whoever begins, begins with ether.
  paid.sort((one, other) => Number(other.network.is_evm) - Number(one.network.is_evm));
  return (
    <Section title="Faucet of the sandbox">
      <WriteForm
        verb="post"
        path="/api/v1/sandbox/faucet"
        label="Pay from the faucet"
        inputOf={({ asset_id, amount }) => ({ body: { wallet_id: walletId, asset_id, amount } })}
        onDone={() => setPaid(true)}
      >
        <ChoiceField
          name="asset_id"
          label="Asset of the payment"
          choices={paid.map(({ id, symbol, network }) => [id, `${symbol} on ${network.name}`])}
        />
        <TextField name="amount" label="Amount of the payment" isRequired initial="1" />
      </WriteForm>
      {isPaid ? (
        <p className="notice" role="status">
          The payment is on its way; the balance follows when a block has it.
        </p>
      ) : null}
    </Section>
  );
}
