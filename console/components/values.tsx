// Single values as people read them: a status, a moment, something long that can be copied, an amount.
import { useState } from 'react';
import { transactionPage } from '../text/explorers.ts';
import { shortened, words } from '../text/words.ts';

const good = ['active', 'completed', 'confirmed', 'success', 'approved', 'delivered', 'up', 'watched', 'accepted'];
const bad = [
  'failed',
  'rejected',
  'down',
  'halted',
  'failing',
  'frozen',
  'disabled',
  'reorged',
  'refused',
  'stuck',
  'key_refused',
];
const waiting = ['pending', 'pending_approval', 'creating', 'processing', 'running', 'submitted', 'awaiting_approval'];

export function Status({ status }: { status: string }) {
  const kind = good.includes(status)
    ? 'good'
    : bad.includes(status)
      ? 'bad'
      : waiting.includes(status)
        ? 'waiting'
        : 'plain';
  return <span className={`status ${kind}`}>{words(status)}</span>;
}

const dayAndTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

export function Moment({ at }: { at: string | undefined }) {
  if (at === undefined) return <>—</>;
  return (
    <time dateTime={at} title={at}>
      {dayAndTime.format(new Date(at))}
    </time>
  );
}

/** Whole where there is room. `what` names it for who cannot see it. */
export function Copied({ text, what, whole = false }: { text: string; what: string; whole?: boolean }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <span className="copied">
      <code title={text}>{whole ? text : shortened(text)}</code>
      <button type="button" className="small" onClick={() => void copy()} aria-label={`Copy ${what}`}>
        {isCopied ? 'Copied' : 'Copy'}
      </button>
    </span>
  );
}

/** With the page on which others show the transaction, where there is one. */
export function TransactionHash({ hash, network, whole = false }: TransactionHashProps) {
  const page = transactionPage(network, hash);
  return (
    <>
      <Copied text={hash} what="the transaction hash" whole={whole} />{' '}
      {page === undefined ? null : (
        <a href={page} target="_blank" rel="noreferrer">
          on {new URL(page).hostname}
        </a>
      )}
    </>
  );
}

interface TransactionHashProps {
  hash: string;
  network: string | undefined;
  whole?: boolean;
}

export const Amount = ({ amount, symbol }: { amount: string; symbol?: string | undefined }) => (
  <span className="amount">
    {amount} {symbol === undefined ? null : <span className="symbol">{symbol}</span>}
  </span>
);
