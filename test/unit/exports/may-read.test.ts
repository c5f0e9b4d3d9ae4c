// Goal: who may read an export is said once, and holds for every content: the scope of the same read elsewhere, and for
// a key that is bound to wallets its own ones and never the audit log. Method: each content against keys that have all
// but one thing.
import { describe, expect, test } from 'vitest';
import {
  exportContents,
  exportScopes,
  findExportRefusal,
  readableContents,
} from '../../../domain/exports/export-contents.ts';
import { scopes } from '../../../domain/scopes.ts';

const [OWN, OTHER] = ['0198c0de-0000-7000-8000-000000000001', '0198c0de-0000-7000-8000-000000000002'];

describe.each(exportContents)('of %s', (content) => {
  const scope = exportScopes[content];
  const whole = { content, walletIds: null };
  const ofWallet = (id: string) => ({ content, walletIds: [id] });

  test('its scope is enough, and every other one is not', () => {
    expect(findExportRefusal({ scopes: [scope], walletIds: [] }, whole)).toBeUndefined();
    expect(findExportRefusal({ scopes: [scope], walletIds: [] }, ofWallet(OTHER))).toBeUndefined();
    const others = scopes.filter((each) => each !== scope && !each.endsWith(':approve'));
    expect(findExportRefusal({ scopes: others, walletIds: [] }, whole)).toEqual({ scope });
  });

  test('a key that is bound to wallets reaches these, and of the audit log nothing', () => {
    const bound = { scopes: [scope], walletIds: [OWN] };
    expect(findExportRefusal(bound, whole)).toBe('whole_workspace');
    const ofAudit = content === 'audit' ? 'whole_workspace' : undefined;
    expect(findExportRefusal(bound, ofWallet(OWN))).toBe(ofAudit);
    expect(findExportRefusal(bound, ofWallet(OTHER))).toBe(ofAudit ?? 'other_wallets');
    expect(findExportRefusal(bound, { content, walletIds: [OWN, OTHER] })).toBe(ofAudit ?? 'other_wallets');
  });

  test('what can be read at all is what the rule lets through', () => {
    expect(readableContents({ scopes: [scope], walletIds: [] })).toContain(content);
    expect(readableContents({ scopes: [], walletIds: [] })).toEqual([]);
    expect(readableContents({ scopes: [scope], walletIds: [OWN] }).includes(content)).toBe(content !== 'audit');
  });
});
