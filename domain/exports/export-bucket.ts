// The bucket in which the files of exports are kept, where there is one: how its operator names it, and how an object
// is called. Any store that speaks the protocol of S3 will do. Connects to nothing.

export interface ExportBucketSettings {
  /** Empty for AWS itself, whose address follows from the region. */
  endpoint: string;
  region: string;
  bucket: string;
  /** Before each name; empty, or with a slash at its end. */
  prefix: string;
  /** The bucket stands in the path of an address, and not in its host. */
  pathStyle: boolean;
  accessKeyId: string;
  secretAccessKey: string;
}

const ATTEMPTS_MAX = 3;
const CONNECT_TIMEOUT_MS = 5_000;
/** Without a byte in either direction. */
const SILENCE_TIMEOUT_MS = 60_000;

/** What a client of the store is made with, in the API and in the worker. */
export const bucketClientOptions = (settings: ExportBucketSettings) => ({
  ...(settings.endpoint === '' ? {} : { endpoint: settings.endpoint }),
  region: settings.region,
  forcePathStyle: settings.pathStyle,
  credentials: { accessKeyId: settings.accessKeyId, secretAccessKey: settings.secretAccessKey },
  maxAttempts: ATTEMPTS_MAX,
  requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, socketTimeout: SILENCE_TIMEOUT_MS },
  // Each body is signed with its SHA-256. Many stores do not know the checksums that AWS has added since.
  requestChecksumCalculation: 'WHEN_REQUIRED' as const,
  responseChecksumValidation: 'WHEN_REQUIRED' as const,
});
