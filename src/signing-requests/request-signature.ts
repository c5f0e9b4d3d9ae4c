// Accepts one request for a signature: checks it against the catalogue and the wallet, stores it and has its workflow started.
import type { FastifyRequest } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import type { Transaction } from '../../drizzle/database.ts';
import type { NetworkRow } from '../../drizzle/networks.ts';
import { findSigningRequest, insertSigningRequest, type SigningRequestRow } from '../../drizzle/signing-requests.ts';
import { findWallet } from '../../drizzle/wallets.ts';
import type { NetworkCatalog } from '../catalog/networks.ts';
import { acceptWrite, type WriteDependencies } from '../http/accept-write.ts';
import { ApiError, notFound } from '../http/errors.ts';
import { formatPath } from './derivation-path.ts';
import { describePayload, readSignBody, type SignInputs } from './read-sign-body.ts';
import type { SignBody } from './signing-requests.schema.ts';

export interface SigningDependencies extends WriteDependencies {
  networks: NetworkCatalog;
  signRawEnabled: boolean;
}

export async function requestSignature(
  dependencies: SigningDependencies,
  request: FastifyRequest,
  walletId: string,
  body: SignBody,
): Promise<{ created: boolean; result: SigningRequestRow }> {
  const inputs = readSignBody(body);
  const network = await requireNetwork(dependencies, inputs);
  const { workspaceId } = request.caller.key;
  const id = uuidv7();
  const path = inputs.path ?? [44, network.coinType, 0, 0, 0];
  const { networkInternalCode: networkCode, keyType: curve } = inputs;
  const { addressType } = network;
  const payload = describePayload(inputs, network.isEvm);
  return acceptWrite(dependencies, request, {
    id,
    target: walletId,
    start: {
      workflow: 'sign',
      workflowId: id,
      input: { signingId: id, workspaceId, walletId, networkCode, addressType, curve, path, payload },
    },
    insert: async (tx) => {
      await assertCanSign(tx, workspaceId, walletId);
      return insertSigningRequest(tx, {
        id,
        workspaceId,
        walletId,
        operationType: 'generic',
        networkInternalCode: networkCode,
        keyType: curve,
        signingHash: inputs.signingHash,
        unsignedTx: inputs.unsignedTx,
        derivationPath: formatPath(path),
      });
    },
    find: (tx, earlierId) => findSigningRequest(tx, workspaceId, earlierId),
  });
}

async function requireNetwork({ networks }: SigningDependencies, inputs: SignInputs): Promise<NetworkRow> {
  const network = await networks.find(inputs.networkInternalCode);
  if (network === undefined)
    throw new ApiError('invalid_request', 'network_internal_code is not in the catalogue of networks.');
  if (network.disabled) throw new ApiError('invalid_request', `The network ${network.internalCode} is disabled here.`);
  if (network.curve !== inputs.keyType)
    throw new ApiError(
      'invalid_request',
      `The network ${network.internalCode} signs with ${network.curve}: set key_type to it.`,
    );
  return network;
}

async function assertCanSign(tx: Transaction, workspaceId: string, walletId: string): Promise<void> {
  const wallet = await findWallet(tx, workspaceId, walletId);
  if (wallet === undefined) throw notFound('wallet');
  if (wallet.status === 'frozen') throw new ApiError('wallet_frozen', 'The wallet is frozen: unfreeze it to sign.');
  if (wallet.status !== 'active')
    throw new ApiError('invalid_state', `The wallet is ${wallet.status}, and only an active wallet signs.`);
}
