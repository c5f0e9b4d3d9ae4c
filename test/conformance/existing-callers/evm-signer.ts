// An EVM signer in the style of ethers over a wallet of the service, as existing callers have one.
import type { Followed, ServiceClient } from './service-client.ts';

/** As ethers has a transaction: big integers become decimal strings, and what is not set is null. */
export interface TransactionRequest {
  to?: string;
  from?: string;
  nonce?: number;
  gasLimit?: bigint;
  maxFeePerGas?: bigint;
  maxPriorityFeePerGas?: bigint;
  value?: bigint;
  data?: string;
  chainId?: number;
  accessList?: { address: string; storageKeys: string[] }[];
}

const text = (value: bigint | undefined) => value?.toString() ?? null;

export class EvmSigner {
  readonly #service: ServiceClient;
  readonly #walletId: string;
  readonly #chainId: number;

  constructor(service: ServiceClient, walletId: string, chainId: number) {
    this.#service = service;
    this.#walletId = walletId;
    this.#chainId = chainId;
  }

  async getAddress(): Promise<`0x${string}`> {
    const { address, address_type } = await this.#service.get(`/web3/wallet-detail/${this.#walletId}?address_type=evm`);
    if (address_type !== 'evm') throw new Error(`an address of type ${address_type}`);
    return address;
  }

  async sendTransaction(request: TransactionRequest): Promise<Followed> {
    const { transaction_id } = await this.#service.post(`/web3/transaction/${this.#walletId}/signRaw`, {
      to: request.to ?? null,
      from: request.from ?? null,
      nonce: request.nonce ?? null,
      gasLimit: text(request.gasLimit),
      maxFeePerGas: text(request.maxFeePerGas),
      maxPriorityFeePerGas: text(request.maxPriorityFeePerGas),
      value: text(request.value),
      data: request.data ?? null,
      chainId: request.chainId ?? this.#chainId,
      accessList: request.accessList ?? null,
    });
    return this.#service.followTransaction(this.#walletId, transaction_id);
  }

  signMessage(message: string): Promise<`0x${string}`> {
    return this.#sign({ method: 'eth_sign', message, chain_id: this.#chainId });
  }

  signTypedData(document: object): Promise<`0x${string}`> {
    return this.#sign({
      method: 'eth_signTypedData_v4',
      message: '',
      chain_id: this.#chainId,
      typed_data: JSON.stringify(document),
    });
  }

  async #sign(body: object): Promise<`0x${string}`> {
    const { transaction_id } = await this.#service.post(`/web3/${this.#walletId}/sign`, body);
    const { signature } = await this.#service.followSignature(this.#walletId, transaction_id);
    return signature as `0x${string}`;
  }
}
