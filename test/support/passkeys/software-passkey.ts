// An authenticator in software: keys of ES256, with flags, counter and origin as a test says. It answers as the
// standard has it, and signs whatever it is told to.
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

const UP = 0x01;
const UV = 0x04;
const BACKUP_ELIGIBLE = 0x08;
const BACKED_UP = 0x10;
const ATTESTED = 0x40;

export interface Answered {
  credential_id: string;
  client_data_json: string;
  authenticator_data: string;
  signature: string;
}

interface Said {
  origin?: string;
  relyingPartyId?: string;
  type?: string;
  flags?: number;
  counter?: number;
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();

export class SoftwarePasskey {
  readonly #key: KeyObject;
  readonly #cose: Buffer;
  readonly origin: string;
  readonly credentialId = randomBytes(32).toString('base64url');
  counter = 0;

  constructor(origin: string) {
    this.origin = origin;
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#key = privateKey;
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    this.#cose = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url'),
    ]);
  }

  /** As the answer to a request to make a key, without attestation. */
  register(challenge: string, said: Said = {}) {
    const id = Buffer.from(this.credentialId, 'base64url');
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, this.#cose]);
    const flags = said.flags ?? UP | UV | ATTESTED | BACKUP_ELIGIBLE | BACKED_UP;
    const authenticatorData = Buffer.concat([this.#head(flags, said), attested]);
    const object = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
      Buffer.from([authenticatorData.length]),
      authenticatorData,
    ]);
    return {
      credential_id: this.credentialId,
      client_data_json: this.#clientData('webauthn.create', challenge, said).toString('base64url'),
      attestation_object: object.toString('base64url'),
      transports: ['internal'],
    };
  }

  /** As the answer to a request to sign. */
  answer(challenge: string, said: Said = {}): Answered {
    const clientData = this.#clientData('webauthn.get', challenge, said);
    const authenticatorData = this.#head(said.flags ?? UP | UV | BACKUP_ELIGIBLE | BACKED_UP, said);
    const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientData)]), this.#key);
    return {
      credential_id: this.credentialId,
      client_data_json: clientData.toString('base64url'),
      authenticator_data: authenticatorData.toString('base64url'),
      signature: signature.toString('base64url'),
    };
  }

  #clientData(usual: string, challenge: string, { type = usual, origin = this.origin }: Said): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  #head(flags: number, { relyingPartyId = new URL(this.origin).hostname, counter = this.counter }: Said): Buffer {
    const rest = Buffer.alloc(5);
    rest.writeUInt8(flags, 0);
    rest.writeUInt32BE(counter, 1);
    return Buffer.concat([sha256(relyingPartyId), rest]);
  }
}
