// Where the configuration says that files of exports are: in a folder, in a bucket, or nowhere. Opens neither.
import type { ExportBucketSettings } from '../../domain/exports/export-bucket.ts';
import type { ServerConfig, WorkerConfig } from './config.ts';

type Config = Pick<
  ServerConfig & WorkerConfig,
  | 'EXPORT_S3_BUCKET'
  | 'EXPORT_S3_ENDPOINT'
  | 'EXPORT_S3_REGION'
  | 'EXPORT_S3_PREFIX'
  | 'EXPORT_S3_PATH_STYLE'
  | 'EXPORT_S3_ACCESS_KEY_ID'
  | 'EXPORT_S3_SECRET_ACCESS_KEY'
>;

/** Undefined where there is none. */
export function exportBucketOf(config: Config): ExportBucketSettings | undefined {
  if (config.EXPORT_S3_BUCKET === '') return undefined;
  return {
    endpoint: config.EXPORT_S3_ENDPOINT,
    region: config.EXPORT_S3_REGION,
    bucket: config.EXPORT_S3_BUCKET,
    prefix: config.EXPORT_S3_PREFIX,
    pathStyle: config.EXPORT_S3_PATH_STYLE,
    accessKeyId: config.EXPORT_S3_ACCESS_KEY_ID,
    secretAccessKey: config.EXPORT_S3_SECRET_ACCESS_KEY,
  };
}
