// An MPC wallet as a signer of ethers (version 6): everything that ethers signs with a wallet goes to the service,
// which is shown what it signs.
import {
  AbstractSigner,
  copyRequest,
  getAddress,
  hexlify,
  type Provider,
  resolveAddress,
  Transaction,
  type TransactionLike,
  type TransactionRequest,
  type TypedDataDomain,
  TypedDataEncoder,
  type TypedDataField,
} from 'ethers';
import type { CountersignClient, SignedRequest, SignTyped } from './countersign-client.ts';
import type { Pending, WaitOptions } from './until-final.ts';

export interface EthersSignerOptions {
  client: CountersignClient;
  walletId: string;
  /** The network's internal code. Only what is for its chain is signed. */
  network: string;
  /** The wallet's address; of the derived key, with a derivation path. */
  address: string;
  derivationPath?: string;
  wait?: WaitOptions;
}

export function toEthersSigner(options: EthersSignerOptions, provider: Provider | null = null): AbstractSigner {
  return new EthersSigner(options, provider);
}

class EthersSigner extends AbstractSigner {
  readonly #options: EthersSignerOptions;

  constructor(options: EthersSignerOptions, provider: Provider | null) {
    super(provider);
    this.#options = { ...options, address: getAddress(options.address) };
  }

  override async getAddress(): Promise<string> {
    return this.#options.address;
  }

  override connect(provider: Provider | null): EthersSigner {
    return new EthersSigner(this.#options, provider);
  }

  override async signTransaction(request: TransactionRequest): Promise<string> {
    // It may be an instance of Transaction, whose fields are not its own.
    const { to, from, ...fields } = copyRequest(request);
    const sender = from == null ? this.#options.address : await resolveAddress(from, this.provider);
    if (getAddress(sender) !== this.#options.address)
      throw new Error(`The transaction is from ${sender}, and the signer signs for ${this.#options.address}.`);
    const recipient = to == null ? {} : { to: await resolveAddress(to, this.provider) };
    const transaction = Transaction.from({ ...(fields as TransactionLike), ...recipient });
    const body = { ...this.#common, unsigned_tx: transaction.unsignedSerialized };
    transaction.signature = await this.#signatureOf(this.#options.client.signTransaction(this.#options.walletId, body));
    return transaction.serialized;
  }

  override async signMessage(message: string | Uint8Array): Promise<string> {
    const content =
      typeof message === 'string'
        ? { message, encoding: 'utf8' as const }
        : { message: hexlify(message), encoding: 'hex' as const };
    return this.#signatureOf(this.#options.client.signMessage(this.#options.walletId, { ...this.#common, ...content }));
  }

  override async signTypedData(
    domain: TypedDataDomain,
    types: Record<string, TypedDataField[]>,
    value: Record<string, unknown>,
  ): Promise<string> {
    const typed_data = TypedDataEncoder.getPayload(domain, types, value) as SignTyped['typed_data'];
    return this.#signatureOf(this.#options.client.signTyped(this.#options.walletId, { ...this.#common, typed_data }));
  }

  get #common() {
    const { network, derivationPath } = this.#options;
    return {
      network_internal_code: network,
      ...(derivationPath === undefined ? {} : { derivation_path: derivationPath }),
    };
  }

  async #signatureOf(signing: Pending<unknown, SignedRequest>): Promise<string> {
    const signed = await signing.wait(this.#options.wait);
    if (getAddress(signed.address) !== this.#options.address)
      throw new Error(`The wallet signs as ${signed.address}, and the signer was made for ${this.#options.address}.`);
    return signed.signature;
  }
}
