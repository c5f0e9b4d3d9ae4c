// Wire shapes of objects whose names are not ours: each is one shape of the document, described where it is used.
import Type from 'typebox';
import {
  METADATA_NAME,
  METADATA_NAMES_MAX,
  METADATA_VALUE_LENGTH_MAX,
  type WalletMetadata,
} from '../../domain/wallets/wallet-metadata.ts';

/** Whatever JSON can say. */
export const jsonObject = (description: string) =>
  Type.Record(Type.String(), Type.Unknown(), { title: 'JsonObject', description });

/** A few short texts by name. */
export const shortTexts = (description: string) =>
  Type.Unsafe<WalletMetadata>({
    title: 'ShortTexts',
    type: 'object',
    additionalProperties: { type: 'string', minLength: 1, maxLength: METADATA_VALUE_LENGTH_MAX },
    propertyNames: { pattern: METADATA_NAME },
    maxProperties: METADATA_NAMES_MAX,
    description,
  });
