// `npm run demo`: one wallet, one Ethereum transaction and one Solana message, over HTTP alone, each checked by software that
// is not ours. A client of the service like any other: reads no database, no node and no environment.
import { createPublicKey, randomBytes, verify } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { base58 } from '@scure/base';
import {
  type Address,
  keccak256,
  parseEther,
  parseGwei,
  recoverTransactionAddress,
  type TransactionSerialized,
} from 'viem';
import { CountersignClient, toViemAccount, UnreachableError } from './client/client.ts';

const CREDENTIALS_FILE = '.local/credentials.json';
/** Chain id and addresses are examples: nothing is sent to any network. */
const CHAIN_ID = 31_337;
const RECIPIENT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { credentials: { type: 'string', default: CREDENTIALS_FILE } } });
  const client = connect(resolve(values.credentials));

  const walletId = await step('wallet created', async () => {
    const created = await client.createWallet({ name: `Demo ${new Date().toISOString()}` }).wait();
    return created.wallet_id;
  });
  show('wallet', walletId);
  const evm = await addressOf(client, walletId, 'evm');
  const solana = await addressOf(client, walletId, 'sol');
  const bitcoin = await addressOf(client, walletId, 'btc');
  show('Ethereum', evm);
  show('Solana', solana);
  show('Bitcoin', bitcoin);

  await signTransaction(client, walletId, evm);
  await signSolanaMessage(client, walletId, solana);
  console.log('\nBoth signatures are valid. No process ever held a whole private key.');
}

async function signTransaction(client: CountersignClient, walletId: string, wallet: string): Promise<void> {
  const transaction = {
    type: 'eip1559',
    chainId: CHAIN_ID,
    nonce: 0,
    to: RECIPIENT,
    value: parseEther('0.01'),
    gas: 21_000n,
    maxFeePerGas: parseGwei('20'),
    maxPriorityFeePerGas: parseGwei('1'),
  } as const;
  const account = toViemAccount({ client, walletId, network: 'ETHEREUM_SANDBOX', address: wallet as Address });
  const signed = await step('Ethereum transaction signed', () => account.signTransaction(transaction));
  const signer = await recoverTransactionAddress({ serializedTransaction: signed as TransactionSerialized });
  show('transaction', keccak256(signed));
  show('signer', signer);
  if (signer !== wallet)
    throw new Error(`viem recovers ${signer} from the signed transaction, not the wallet's address.`);
}

async function signSolanaMessage(client: CountersignClient, walletId: string, wallet: string): Promise<void> {
  const message = randomBytes(32);
  const { signature } = await step('Solana message signed', () =>
    client
      .sign(walletId, {
        network_internal_code: 'SOL_SANDBOX',
        key_type: 'ed25519',
        signing_hash: `0x${message.toString('hex')}`,
      })
      .wait(),
  );
  const x = Buffer.from(base58.decode(wallet)).toString('base64url'); // a Solana address is the public key itself
  const publicKey = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } });
  const valid = verify(null, message, publicKey, Buffer.from(signature.slice(2), 'hex'));
  show('signature', signature);
  if (!valid) throw new Error("Node's crypto refuses the signature for the Solana address.");
}

async function addressOf(
  client: CountersignClient,
  walletId: string,
  addressType: 'evm' | 'sol' | 'btc',
): Promise<string> {
  const { address } = await client.get('/api/v1/wallets/{wallet_id}/address', {
    path: { wallet_id: walletId },
    query: { address_type: addressType },
  });
  return address;
}

function connect(file: string): CountersignClient {
  if (!existsSync(file)) throw new Error(`${file} does not exist: run \`npm start\` in another terminal first.`);
  const { base_url, api_key, api_secret } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  if (!base_url || !api_key || !api_secret)
    throw new Error(`${file} must hold base_url, api_key and api_secret, as \`npm start\` writes them.`);
  return new CountersignClient({ baseUrl: base_url, apiKey: api_key, apiSecret: api_secret });
}

async function step<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const startedMs = performance.now();
  const result = await work();
  console.log(`\n${name} in ${Math.round(performance.now() - startedMs)} ms`);
  return result;
}

function show(name: string, value: string): void {
  console.log(`  ${name.padEnd(12)} ${value}`);
}

main().catch((error: Error) => {
  const isDown = error instanceof UnreachableError;
  console.error(isDown ? 'The service does not answer: run `npm start` in another terminal first.' : error.message);
  process.exitCode = 1;
});
