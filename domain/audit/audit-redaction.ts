// What of a value the audit log keeps: no secret of ours that stands where any text may, and of a URL neither who logs
// in nor what its query says. The log is kept for ever, and more people read it than may use what a URL holds.
import { canonicalJson, type Json } from '../canonical-json.ts';

/** Canonical JSON of a value, without what is secret in it. */
export const redactedJson = (value: Json): string => canonicalJson(withoutUrlSecrets(value)).replaceAll(OURS, '$1_…');

/** They are told by their shape. */
const OURS = /\b(cs|whsec)_[\w+/-]{32,}=*/g;

function withoutUrlSecrets(value: Json): Json {
  if (typeof value === 'string') return redactUrls(value);
  if (Array.isArray(value)) return (value as readonly Json[]).map(withoutUrlSecrets);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutUrlSecrets(each)]));
}

/** A text that begins like a URL is one to its end, whatever stands in it: a space may be a part of a password. */
const redactUrls = (text: string): string =>
  STARTS_AS_URL.test(text) ? redactUrl(text) : text.replaceAll(URL_WITHIN, redactUrl);

const STARTS_AS_URL = /^[\s\p{Cc}]*(?:https?|wss?):/iu;
const URL_WITHIN = /\b(?:(?:https?|wss?):|[a-z][a-z\d+.-]*:\/\/)\S+/gi;

/** Keeps scheme, host, path and the names of the query. */
function redactUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) return redactUnreadable(text);
  const { protocol, username, password, host, pathname, search, hash } = url;
  if (`${username}${password}${search}${hash}` === '') return text;
  const login = username === '' && password === '' ? '' : '…@';
  return `${protocol}//${login}${host}${pathname}${redactQuery(search)}${hash === '' ? '' : '#…'}`;
}

/** What is no URL may have its password anywhere before the last @. */
const redactUnreadable = (text: string): string =>
  text.replace(/^(\s*[a-z][a-z\d+.-]*:[/\\]*).*@/is, '$1…@').replace(/([?#]).*$/s, (query) => redactQuery(query));

const redactQuery = (query: string): string =>
  query.replaceAll(/([?&#])([^?&#=]*=)?[^?&#]*/g, (_all, mark: string, name = '') => `${mark}${name}…`);
