// Goal: every block of the README and of the guides says how it is meant, and what no test runs (for production hosts)
// is at least well-formed. Method: the committed pages, Bash's own check of syntax, and JSON's.
import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { readGuides } from '../../support/documents/guides.ts';

describe.each(readGuides())('the blocks of $name', ({ blocks }) => {
  test('say how they are meant', () => {
    const kinds = new Set(['sh', 'sh start', 'sh production', 'ts', 'json', 'sql', 'temporal']);
    const unknown = blocks.filter(({ language, mark }) => !kinds.has(`${language} ${mark}`.trim()));
    expect(unknown.map(({ line, language, mark }) => `line ${line}: ${language} ${mark}`)).toEqual([]);
  });

  test('are well-formed where they do not run', () => {
    for (const { language, text } of blocks) {
      if (language === 'sh') execFileSync('bash', ['-n'], { input: text });
      if (language === 'json') JSON.parse(text);
    }
  });
});
