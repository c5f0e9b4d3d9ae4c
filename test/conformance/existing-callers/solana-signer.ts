// A Solana signer over a wallet of the service, as existing callers have one.
import type { ServiceClient } from './service-client.ts';

const CHAIN_ID = '1399811149';

export class SolanaSigner {
  readonly #service: ServiceClient;
  readonly #walletId: string;

  constructor(service: ServiceClient, walletId: string) {
    this.#service = service;
    this.#walletId = walletId;
  }

  async getAddress(): Promise<string> {
    return (await this.#service.get(`/web3/wallet-detail/${this.#walletId}?address_type=sol`)).address;
  }

  /** The signature of a whole transaction in base64, in base58. */
  async signTransaction(transaction: string): Promise<string> {
    const body = {
      data: transaction,
      from: await this.getAddress(),
      meta: { tx_method: 'solana_signTransaction' },
      chainId: CHAIN_ID,
    };
    return this.#hashOf(await this.#service.post(`/web3/transaction/${this.#walletId}/signRaw`, body));
  }

  /** Signed, sent and followed by the service: the hash is its signature. */
  async signAndSendTransaction(transaction: string): Promise<string> {
    const body = { transaction, from: await this.getAddress(), method: 'solana_signAndSendTransaction' };
    return this.#hashOf(await this.#service.post(`/web3/transaction/${this.#walletId}/signRaw`, body));
  }

  /** Of text, or of bytes in base64. */
  async signMessage(message: string): Promise<string> {
    const body = { method: 'solana_signMessage', message, chain_id: 0 };
    return this.#hashOf(await this.#service.post(`/web3/${this.#walletId}/sign`, body));
  }

  async #hashOf({ transaction_id }: { transaction_id: string }): Promise<string> {
    const { hash } = await this.#service.followTransaction(this.#walletId, transaction_id);
    if (hash === undefined) throw new Error('what has ended has no hash');
    return hash;
  }
}
