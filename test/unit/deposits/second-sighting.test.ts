// Goal: a deposit that is seen again is credited once, and again only after its credit was taken back. Method: every
// combination of status, block and credit, held against the rule in one sentence.
import { expect, test } from 'vitest';
import { judgeSecondSighting } from '../../../domain/deposits/second-sighting.ts';
import { depositStatuses } from '../../../domain/statuses.ts';

const seen = { walletId: 'w', assetId: 'a', toAddress: '0xaa', amountBaseUnits: 5n, blockHash: '0x02' };
const blockHashes = ['0x02', '0x01', ''];
const credits = {
  same: {},
  wallet: { walletId: 'v' },
  asset: { assetId: 'b' },
  address: { toAddress: '0xbb' },
  amount: { amountBaseUnits: 6n },
};

const combinations = depositStatuses.flatMap((status) =>
  blockHashes.flatMap((blockHash) =>
    Object.entries(credits).map(([differs, other]) => ({
      status,
      blockHash,
      differs,
      verdict: judgeSecondSighting({ ...seen, ...other, status, blockHash }, seen),
    })),
  ),
);
const thatAre = (verdict: string) => combinations.filter((each) => each.verdict === verdict);

test('what is confirmed, or in the same block, is known', () => {
  expect(thatAre('known')).toEqual(
    combinations.filter(({ status, blockHash }) => status === 'confirmed' || blockHash === seen.blockHash),
  );
});

test('the same credit in another block has moved, and is not credited again', () => {
  expect(thatAre('moved')).toEqual(
    combinations.filter(
      ({ status, blockHash, differs }) => status === 'pending' && blockHash !== seen.blockHash && differs === 'same',
    ),
  );
});

test('another credit of the same transfer takes the place of the one that is pending', () => {
  expect(thatAre('replaced')).toEqual(
    combinations.filter(
      ({ status, blockHash, differs }) => status === 'pending' && blockHash !== seen.blockHash && differs !== 'same',
    ),
  );
});

test('what was taken back comes back, whatever it credits now', () => {
  expect(thatAre('returned')).toEqual(
    combinations.filter(({ status, blockHash }) => status === 'reorged' && blockHash !== seen.blockHash),
  );
});
