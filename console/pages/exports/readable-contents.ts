// What the signed-in key may export, by the rule of the service.
import { type ExportContent, readableContents } from '../../../domain/exports/export-contents.ts';
import type { Scope } from '../../../domain/scopes.ts';
import { type Session, useSession } from '../../session/session.ts';

export const contentsFor = ({ scopes, wallet_ids: walletIds }: Session['key']): ExportContent[] =>
  readableContents({ scopes: scopes as Scope[], walletIds });

export const useReadableContents = (): ExportContent[] => contentsFor(useSession().key);
