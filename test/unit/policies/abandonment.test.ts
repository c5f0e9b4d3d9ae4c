// Goal: the money of a withdrawal that is given up goes back only when nothing of it can land. Method: every
// combination of the facts, held against the rule in one sentence.
import { expect, test } from 'vitest';
import { type AbandonmentFacts, judgeAbandonment } from '../../../domain/withdrawals/abandonment.ts';

const TEN_MINUTES_MS = 600_000;
const both = [false, true];

function* everyCombination(): Generator<AbandonmentFacts> {
  for (const lostSignature of ['none', 'possible', 'unclear'] as const)
    for (const isReplaceable of both)
      for (const isProvenDead of both)
        for (const builtAgoMs of [0, TEN_MINUTES_MS - 1, TEN_MINUTES_MS])
          for (const hasUnresolvedOutflow of both)
            yield { lostSignature, isReplaceable, isProvenDead, builtAgoMs, hasUnresolvedOutflow };
}

test('money is given back where no signature is lost, or where it can never land and nothing takes its place', () => {
  const given = [...everyCombination()].filter((facts) => judgeAbandonment(facts) === 'give_back');
  const expected = [...everyCombination()].filter(
    ({ lostSignature, isReplaceable, isProvenDead, builtAgoMs, hasUnresolvedOutflow }) =>
      lostSignature === 'none' ||
      (lostSignature === 'possible' &&
        !isReplaceable &&
        isProvenDead &&
        builtAgoMs === TEN_MINUTES_MS &&
        !hasUnresolvedOutflow),
  );
  expect(given).toEqual(expected);
});

test('a nonce or coins are used up exactly where a signature may be lost', () => {
  for (const facts of everyCombination())
    expect(judgeAbandonment(facts) === 'use_up').toBe(facts.lostSignature === 'possible' && facts.isReplaceable);
});

test('while a signature may still appear it is asked again', () => {
  for (const facts of everyCombination())
    if (facts.lostSignature === 'unclear') expect(judgeAbandonment(facts)).toBe('ask_again');
});
