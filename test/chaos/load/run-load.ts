// Callers side by side, each doing one thing after the other as its chance draws it, until they are told to stop.
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { chanceOf } from '../chance.ts';
import { acts } from './acts.ts';
import type { LoadRecord } from './record.ts';
import type { Setting } from './setting.ts';

export interface LoadOptions {
  setting: Setting;
  record: LoadRecord;
  seed: number;
  callers: number;
}

const PAUSE_AFTER_REFUSAL_MS = 250;

/** Returns what stops it: resolves when no caller has a call under way. */
export function startLoad({ setting, record, seed, callers }: LoadOptions): () => Promise<void> {
  const ending = new AbortController();
  const { signal } = ending;
  setMaxListeners(0, signal); // everything that is waited for hears of the end
  const call = async (place: number) => {
    const chance = chanceOf(seed * 1_000 + place);
    while (!signal.aborted) {
      const { name, act, expected } = chance.pickWeighted(acts);
      try {
        await act({ setting, record, chance, signal });
        record.count(name);
      } catch (error) {
        if (signal.aborted) return;
        record.refuse(name, error, expected);
        await sleep(PAUSE_AFTER_REFUSAL_MS);
      }
    }
  };
  const running = Promise.all(Array.from({ length: callers }, (_, place) => call(place)));
  return async () => {
    ending.abort();
    await running;
  };
}
