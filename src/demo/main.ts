// `npm run demo`: a wallet, one Ethereum transaction and one Solana message, each checked by software that is not ours;
// then money in and out on every chain that runs. Over HTTP alone, as a client of the service like any other: reads no
// database, no node and no environment. With `--kill` it also kills parts of the running service, to show that every
// operation ends once all the same (kill.ts).
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
import { CountersignClient, UnreachableError } from '../client/client.ts';
import { toViemAccount } from '../client/viem-account.ts';
import { type ApproverCredentials, installApprover } from './approver.ts';
import { checkEndedOnce, killParts, runFileOf } from './kill.ts';
import { legs, moveMoney } from './money.ts';
import { type Credentials, checkRecords } from './records.ts';
import { show, step, type TimelineReporter } from './report.ts';

const CREDENTIALS_FILE = '.local/credentials.json';
/** Chain id and recipient of the transaction that is only signed. */
const CHAIN_ID = 31_337;
const RECIPIENT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      credentials: { type: 'string', default: CREDENTIALS_FILE },
      kill: { type: 'boolean', default: false },
    },
  });
  const credentialsFile = resolve(values.credentials);
  const { networks, approver, ...credentials } = readCredentials(credentialsFile);
  const client = new CountersignClient(credentials);

  const walletId = await createWallet(client, 'Demo');
  show('wallet', walletId);
  const evm = await addressOf(client, walletId, 'evm');
  const solana = await addressOf(client, walletId, 'sol');
  const bitcoin = await addressOf(client, walletId, 'btc');
  show('Ethereum', evm);
  show('Solana', solana);
  show('Bitcoin', bitcoin);

  await signTransaction(client, walletId, evm);
  await signSolanaMessage(client, walletId, solana);
  const runFile = values.kill ? runFileOf(credentialsFile) : undefined;
  await moveMoneyAround(client, { ...credentials, approver }, walletId, { networks, runFile });
  console.log('\nAll of it was signed by two of three nodes. No process ever held a whole private key.');
}

async function createWallet(client: CountersignClient, name: string): Promise<string> {
  return step('wallet created', async () => {
    const created = await client.createWallet({ name: `${name} ${new Date().toISOString()}` }).wait();
    return created.wallet_id;
  });
}

async function moveMoneyAround(
  client: CountersignClient,
  { approver: approving, ...credentials }: Credentials & { approver: ApproverCredentials },
  from: string,
  { networks, runFile }: { networks: readonly string[]; runFile: string | undefined },
): Promise<void> {
  const chosen = legs.filter(({ network }) => networks.includes(network));
  const left = [...new Set(legs.filter((leg) => !chosen.includes(leg)).map(({ network }) => network))];
  if (left.length > 0) console.log(`\nWithout ${left.join(', ')}, which does not run here.`);
  const to = await createWallet(client, 'Demo, second');
  show('wallet', to);
  const approver = await installApprover(client, approving, from);
  try {
    let signed: string[] = [];
    const duringWithdrawals = async (report: TimelineReporter) => {
      if (runFile !== undefined) signed = await killParts(client, from, runFile, report);
    };
    const moved = await moveMoney(client, approver, { from, to }, { chosen, duringWithdrawals });
    await checkRecords(client, credentials, { from, to }, moved);
    if (runFile !== undefined) await checkEndedOnce(client, [...moved.map(({ withdrawal }) => withdrawal), ...signed]);
  } finally {
    await approver.leave();
    console.log('\nThe policy is as it was.');
  }
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

interface CredentialsFile {
  base_url: string;
  api_key: string;
  api_secret: string;
  approver: { api_key: string; api_secret: string };
  networks: Record<string, string>;
}

/** `networks`: the internal codes of those whose chains run. */
function readCredentials(file: string): Credentials & { approver: ApproverCredentials; networks: string[] } {
  if (!existsSync(file)) throw new Error(`${file} does not exist: run \`npm start\` in another terminal first.`);
  const read = JSON.parse(readFileSync(file, 'utf8')) as Partial<CredentialsFile>;
  const { base_url: baseUrl, api_key, api_secret, approver, networks = {} } = read;
  if (!baseUrl || !api_key || !api_secret || !approver?.api_key || !approver.api_secret)
    throw new Error(`${file} must hold base_url, api_key, api_secret and an approver, as \`npm start\` writes them.`);
  return {
    baseUrl,
    apiKey: api_key,
    apiSecret: api_secret,
    approver: { baseUrl, apiKey: approver.api_key, apiSecret: approver.api_secret },
    networks: Object.keys(networks),
  };
}

main().catch((error: Error) => {
  const isDown = error instanceof UnreachableError;
  console.error(isDown ? 'The service does not answer: run `npm start` in another terminal first.' : error.message);
  process.exitCode = 1;
});
