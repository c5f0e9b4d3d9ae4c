// Goal: the client and three real nodes make keys and signatures that others accept, and speak to nobody else.
// Method: real processes over TLS; every signature is verified against the derived key. What they do while a node is
// away is in lost-nodes.test.ts.
import { generateKeyPairSync, randomBytes, verify } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { p2wpkh, Transaction } from '@scure/btc-signer';
import { v4 } from 'uuid';
import { recoverTypedDataAddress, type TypedDataDefinition } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { evmAddress } from '../../activities/chains/evm/key-address.ts';
import type { Cluster, Payload } from '../../activities/mpc/port.ts';
import { ed25519PublicKey } from '../../activities/mpc/verify/cluster-file.ts';
import { deriveChild } from '../../activities/mpc/verify/derive-child-key.ts';
import { encodeSignature } from '../../activities/mpc/verify/verify-signature.ts';
import { curves } from '../../domain/statuses.ts';
import { anySignature } from '../support/cluster/any-signature.ts';
import type { TestCluster } from '../support/cluster/cluster.ts';
import { rawDigest, type SigningCluster, startSigningCluster } from '../support/cluster/signing-cluster.ts';

const walletId = v4();
let cluster: SigningCluster;
let nodes: TestCluster;

beforeAll(async () => {
  cluster = await startSigningCluster(walletId);
  nodes = cluster.nodes;
}, 300_000);

afterEach(() => cluster.closeOthers());

afterAll(async () => {
  await cluster?.stop();
});

describe.each(curves)('on %s', (curve) => {
  it('signs 50 times, on several paths, with every quorum', async () => {
    const paths = [[], [0], [44, 60, 0, 0, 7], [2 ** 31 - 1, 1], Array.from({ length: 10 }, (_, index) => index)];
    const quorums = new Set<string>();
    const sign = async (path?: readonly number[]) => {
      quorums.add((await cluster.signVerified(curve, path)).signers.join('+'));
      return [...quorums].sort();
    };
    for (let count = 0; count < 50; count += 1) await sign(paths[count % paths.length]);
    // A node that the machine made slow for a moment is chosen again after some seconds.
    await expect.poll(() => sign(), { timeout: 60_000 }).toEqual(['1+2', '1+3', '2+3']);
  }, 120_000);

  it('signs 60 at once with one key', async () => {
    await Promise.all(Array.from({ length: 60 }, () => cluster.signVerified(curve)));
  }, 120_000);

  it('finds the key that exists', async () => {
    expect(await cluster.connect().generateKey({ walletId, curve })).toEqual(cluster.rootOf(curve));
  });
});

it.each<[string, Payload]>([
  [
    'a transaction',
    {
      kind: 'evm_transaction',
      unsigned: Buffer.from('02e80180843b9aca0084773594008252089400000000000000000000000000000000', 'hex'),
    },
  ],
  ['a message', { kind: 'evm_message', text: Buffer.from('grüß dich') }],
  ['a message of 64 KiB', { kind: 'evm_message', text: randomBytes(65_536) }],
])('signs the content of %s, which the nodes hash themselves', async (_what, payload) => {
  await cluster.signVerified('secp256k1', [1], payload);
});

it('signs typed data, which the nodes hash themselves, for the address of its child key', async () => {
  const document = {
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'chainId', type: 'uint256' },
      ],
      Person: [
        { name: 'name', type: 'string' },
        { name: 'wallets', type: 'address[]' },
      ],
      Mail: [
        { name: 'from', type: 'Person' },
        { name: 'to', type: 'Person[2]' },
        { name: 'change', type: 'int64' },
      ],
    },
    primaryType: 'Mail',
    domain: { name: 'Ether Mail', chainId: 1 },
    message: {
      from: { name: 'Cow', wallets: ['0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826'] },
      to: [
        { name: 'Bob', wallets: [] },
        { name: 'grüß dich', wallets: [`0x${'22'.repeat(20)}`] },
      ],
      change: '-5',
    },
  } as const;
  const path = [44, 60, 1];
  const signature = await cluster.signVerified('secp256k1', path, { kind: 'evm_typed_data', typedData: document });
  const recovered = await recoverTypedDataAddress({
    ...(document as unknown as TypedDataDefinition),
    signature: encodeSignature('secp256k1', signature),
  });
  expect(recovered).toBe(evmAddress(deriveChild('secp256k1', cluster.rootOf('secp256k1'), path)));
});

it('signs a Solana message itself, for a signer of it only', async () => {
  const [path, other] = [
    [44, 501],
    [44, 502],
  ];
  const key = deriveChild('ed25519', cluster.rootOf('ed25519'), path);
  // A transfer of a lamport: one signer, the receiver, the system program; then the blockhash and the instruction.
  const keys = [key, Buffer.alloc(32, 6), Buffer.alloc(32)];
  const transfer = Buffer.from('020200010c020000000100000000000000', 'hex');
  const message = Buffer.concat([Buffer.of(1, 0, 1, 3), ...keys, randomBytes(32), Buffer.of(1), transfer]);
  const payload: Payload = { kind: 'solana_transaction', message };
  const signature = await cluster.signVerified('ed25519', path, payload);
  expect(verify(null, message, ed25519PublicKey(key), signature.bytes)).toBe(true);
  await expect(cluster.signVerified('ed25519', other, payload)).rejects.toMatchObject({ code: 'mpc_refused' });
});

it('signs the inputs of a Bitcoin transaction by what they spend, for their own key and with one story of the coins only', async () => {
  const path = [84, 0, 5];
  const { script } = p2wpkh(deriveChild('secp256k1', cluster.rootOf('secp256k1'), path));
  const transaction = new Transaction();
  const coins = [70_000n, 30_000n].map((amount) => ({ amount, script }));
  for (const { amount } of coins)
    transaction.addInput({ txid: randomBytes(32), index: 1, witnessUtxo: { script, amount } });
  transaction.addOutput({
    script: p2wpkh(deriveChild('secp256k1', cluster.rootOf('secp256k1'), [1])).script,
    amount: 99_000n,
  });
  const input = { kind: 'bitcoin_input', transaction: transaction.unsignedTx, coins } as const;
  await cluster.signVerified('secp256k1', path, { ...input, index: 0 });
  await expect(cluster.signVerified('secp256k1', [84, 0, 6], { ...input, index: 1 })).rejects.toMatchObject({
    code: 'mpc_refused',
    message: expect.stringContaining("not this key's to spend"),
  });
  const less = coins.map((coin, index) => (index === 0 ? { ...coin, amount: 69_000n } : coin));
  await expect(cluster.signVerified('secp256k1', path, { ...input, coins: less, index: 1 })).rejects.toMatchObject({
    code: 'mpc_refused',
    message: expect.stringContaining('another message'),
  });
  await cluster.signVerified('secp256k1', path, { ...input, index: 1 });
});

it('binds an operation to its message', async () => {
  const operation = { operationId: v4(), attempt: 1, walletId, curve: 'secp256k1', path: [0] } as const;
  const payload = rawDigest();
  await nodes.cluster.sign({ ...operation, payload }, anySignature);
  await nodes.cluster.sign({ ...operation, attempt: 2, payload }, anySignature);
  const other = nodes.cluster.sign({ ...operation, attempt: 3, payload: rawDigest() }, anySignature);
  await expect(other).rejects.toMatchObject({ code: 'mpc_refused', retryable: false });
});

it('does not sign for a wallet without a key', async () => {
  const unknown = nodes.cluster.sign(
    {
      operationId: v4(),
      attempt: 1,
      walletId: v4(),
      curve: 'ed25519',
      path: [],
      payload: rawDigest(),
    },
    anySignature,
  );
  await expect(unknown).rejects.toMatchObject({ code: 'mpc_refused', retryable: false });
});

describe('an impostor', () => {
  /** The real certificates and cluster file, except for what `change` replaces. */
  async function withChanged(
    change: (copy: {
      directory: string;
      file: { orchestrator: { command_public_key: string }; nodes: { tls_certificate: string }[] };
    }) => void,
    then: (cluster: Cluster) => Promise<void>,
  ) {
    const directory = mkdtempSync(join(tmpdir(), 'countersign-impostor-'));
    try {
      for (const name of ['command.key', 'tls.key', 'tls.crt'])
        copyFileSync(join(nodes.config.credentialsDir, name), join(directory, name));
      const file = JSON.parse(readFileSync(nodes.config.clusterFile, 'utf8'));
      change({ directory, file });
      writeFileSync(join(directory, 'cluster.json'), JSON.stringify(file));
      await then(
        cluster.connect({ ...nodes.config, clusterFile: join(directory, 'cluster.json'), credentialsDir: directory }),
      );
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  }

  it('with another command key is refused', async () => {
    await withChanged(
      ({ directory, file }) => {
        const { publicKey, privateKey } = generateKeyPairSync('ed25519');
        writeFileSync(join(directory, 'command.key'), privateKey.export({ format: 'pem', type: 'pkcs8' }));
        file.orchestrator.command_public_key = Buffer.from(
          publicKey.export({ format: 'jwk' }).x ?? '',
          'base64url',
        ).toString('hex');
      },
      async (impostor) => {
        await expect(cluster.signVerified('ed25519', [], rawDigest(), impostor)).rejects.toMatchObject({
          code: 'mpc_refused',
        });
      },
    );
  });

  it('with another TLS identity reaches no node', async () => {
    // Somebody else's certificate, with its own key.
    const stranger = join(nodes.directory, 'stranger');
    await nodes.run('init-orchestrator', '--dir', stranger);
    await withChanged(
      ({ directory }) => {
        for (const name of ['tls.key', 'tls.crt']) copyFileSync(join(stranger, name), join(directory, name));
      },
      async (impostor) => {
        await expect(cluster.signVerified('ed25519', [], rawDigest(), impostor)).rejects.toMatchObject({
          code: 'cluster_not_ready',
        });
      },
    );
  });

  it("in a node's place is not spoken to", async () => {
    await withChanged(
      ({ file }) => {
        const [first, second] = file.nodes;
        if (first && second)
          [first.tls_certificate, second.tls_certificate] = [second.tls_certificate, first.tls_certificate];
      },
      async (impostor) => {
        const health = await impostor.health();
        expect(health.map(({ reachable }) => reachable)).toEqual([false, false, true]);
      },
    );
  });

  it('whose command key is not the one in the cluster file does not start', async () => {
    const change = ({ file }: { file: { orchestrator: { command_public_key: string } } }) => {
      file.orchestrator.command_public_key = '00'.repeat(32);
    };
    await expect(withChanged(change, () => Promise.resolve())).rejects.toThrow(/command\.key/);
  });
});

it('shows the health of every node, dead or alive', async () => {
  await nodes.kill(1);
  const [first, second, third] = await nodes.cluster.health();
  expect(first).toMatchObject({ node: 1, reachable: false });
  expect(first?.reason).toMatch(/node 1/);
  expect(first?.answerMs).toBeUndefined();
  for (const node of [second, third]) {
    expect(node).toMatchObject({ reachable: true, liveSessions: 0, bans: [] });
    expect(node?.keys).toBeGreaterThan(1);
    expect(node?.answerMs).toBeGreaterThan(0);
    expect(node?.signingMs).toBeGreaterThan(0);
    expect(node?.reason).toBeUndefined();
  }
  await nodes.restart(1);
  await expect
    .poll(async () => (await nodes.cluster.health()).every(({ reachable }) => reachable), { timeout: 60_000 })
    .toBe(true);
});

it('fails at once after it was closed', async () => {
  const client = cluster.connect();
  await cluster.signVerified('ed25519', [], rawDigest(), client);
  await client.close();
  await expect(cluster.signVerified('ed25519', [], rawDigest(), client)).rejects.toMatchObject({
    code: 'cluster_not_ready',
  });
});
