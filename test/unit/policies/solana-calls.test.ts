// Goal: T8, what a Solana message does is told by its bytes: a transfer, power given away, or unknown. Method: messages
// compiled by Solana's own library from its own instruction builders, and instructions byte by byte.
import {
  AccountRole,
  type Address,
  address,
  appendTransactionMessageInstructions,
  compileTransactionMessage,
  createNoopSigner,
  createTransactionMessage,
  getBase58Decoder,
  getCompiledTransactionMessageEncoder,
  type Instruction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import {
  getAdvanceNonceAccountInstruction,
  getAssignInstruction,
  getAuthorizeNonceAccountInstruction,
  getTransferSolInstruction,
} from '@solana-program/system';
import {
  AuthorityType,
  getApproveCheckedInstruction,
  getApproveInstruction,
  getCloseAccountInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
  getSetAuthorityInstruction,
  getTransferCheckedInstruction,
  getTransferInstruction,
} from '@solana-program/token';
import { describe, expect, test } from 'vitest';
import { requiredSigners } from '../../../domain/payloads/solana-message.ts';
import { readSolanaMessage } from '../../../src/policies/solana-calls.ts';

const accountOf = (byte: number) => address(getBase58Decoder().decode(Buffer.alloc(32, byte)));
const owner = createNoopSigner(accountOf(1));
const [mint, from, to, somebody] = [accountOf(2), accountOf(3), accountOf(4), accountOf(5)] as const;
const lifetime = { blockhash: accountOf(9) as never, lastValidBlockHeight: 1n };

function read(version: 'legacy' | 0, ...instructions: Instruction[]) {
  const message = pipe(
    createTransactionMessage({ version }),
    (made) => setTransactionMessageFeePayer(owner.address, made),
    (made) => setTransactionMessageLifetimeUsingBlockhash(lifetime, made),
    (made) => appendTransactionMessageInstructions(instructions, made),
  );
  const bytes = new Uint8Array(getCompiledTransactionMessageEncoder().encode(compileTransactionMessage(message)));
  requiredSigners(bytes);
  return readSolanaMessage(bytes);
}

const transferSol = getTransferSolInstruction({ source: owner, destination: to, amount: 5n });
const transferToken = getTransferCheckedInstruction({
  source: from,
  mint,
  destination: to,
  authority: owner,
  amount: 7n,
  decimals: 6,
});
const createAccount = getCreateAssociatedTokenIdempotentInstruction({ payer: owner, ata: to, owner: somebody, mint });
const memo: Instruction = {
  programAddress: address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'),
  data: Buffer.from('hello'),
};
const price: Instruction = {
  programAddress: address('ComputeBudget111111111111111111111111111111'),
  data: Buffer.of(3, 1, 0, 0, 0, 0, 0, 0, 0),
};
const ofProgram = (program: Address, ...data: number[]): Instruction => ({
  programAddress: program,
  accounts: [{ address: from, role: AccountRole.WRITABLE }],
  data: Buffer.from(data),
});

describe.each(['legacy', 0] as const)('version %s', (version) => {
  test('a transfer of SOL: to whom and how much, with what moves nothing beside it', () => {
    const expected = {
      call: { kind: 'transfer', because: 'it moves SOL' },
      movements: [{ asset: { contract: null }, amountBaseUnits: 5n, destination: to }],
      unknown: [],
    };
    expect(read(version, transferSol)).toEqual(expected);
    expect(read(version, price, transferSol, memo)).toEqual(expected);
  });

  test('a transfer of a token: which and how much; whose the account is does not show', () => {
    const call = { kind: 'transfer', because: 'it moves a token' };
    const moved = { amountBaseUnits: 7n, destination: undefined, tokenAccount: to };
    const movements = [{ ...moved, asset: { contract: mint } }];
    expect(read(version, createAccount, transferToken)).toEqual({ call, movements, unknown: [] });
    const plain = getTransferInstruction({ source: from, destination: to, authority: owner, amount: 7n });
    expect(read(version, plain)).toEqual({ call, movements: [{ ...moved, asset: undefined }], unknown: [] });
  });

  test('several transfers: each of them', () => {
    const { movements } = read(version, transferSol, transferToken, transferSol);
    expect(movements.map(({ amountBaseUnits }) => amountBaseUnits)).toEqual([5n, 7n, 5n]);
  });

  test.each<[string, Instruction]>([
    ['approve', getApproveInstruction({ source: from, delegate: somebody, owner, amount: 1n })],
    [
      'approveChecked',
      getApproveCheckedInstruction({ source: from, mint, delegate: somebody, owner, amount: 1n, decimals: 6 }),
    ],
    [
      'setAuthority',
      getSetAuthorityInstruction({
        owned: from,
        owner,
        authorityType: AuthorityType.AccountOwner,
        newAuthority: somebody,
      }),
    ],
    ['assign', getAssignInstruction({ account: owner, programAddress: somebody })],
    [
      'authorizeNonceAccount',
      getAuthorizeNonceAccountInstruction({ nonceAccount: from, nonceAuthority: owner, newNonceAuthority: somebody }),
    ],
    ['an upgrade of a program', ofProgram(address('BPFLoaderUpgradeab1e11111111111111111111111'), 3, 0, 0, 0)],
    ['authorize of a stake', ofProgram(address('Stake11111111111111111111111111111111111111'), 1, 0, 0, 0)],
  ])('T8: %s is dangerous, also beside a transfer', (_name, instruction) => {
    expect(read(version, instruction).call.kind).toBe('dangerous');
    const { call, movements, unknown } = read(version, transferSol, instruction);
    expect(call.kind).toBe('dangerous');
    expect(unknown).toEqual([call.because]);
    expect(movements).toHaveLength(2);
  });

  test.each<[string, Instruction]>([
    ['a program that nobody knows', ofProgram(somebody, 1)],
    ['closeAccount', getCloseAccountInstruction({ account: from, destination: to, owner })],
    ['an instruction that the token program does not have', ofProgram(transferToken.programAddress, 99)],
    ['a token transfer of another length', ofProgram(transferToken.programAddress, 3, 1)],
    ['the token program without data', ofProgram(transferToken.programAddress)],
    ['a system transfer of another length', ofProgram(transferSol.programAddress, 2, 0, 0, 0, 1)],
    ['the system program without data', ofProgram(transferSol.programAddress)],
    ['createAccount', ofProgram(transferSol.programAddress, 0, 0, 0, 0)],
    ['a price of another length', ofProgram(price.programAddress, 3, 1)],
    ['an older price, which names a fee', ofProgram(price.programAddress, 0, 1, 0, 0, 0, 1, 0, 0, 0)],
    ['recoverNested', ofProgram(createAccount.programAddress, 2)],
  ])('T8: %s is unknown, also beside a transfer', (_name, instruction) => {
    expect(read(version, instruction).call.kind).toBe('unknown');
    expect(read(version, transferSol, instruction).call.kind).toBe('unknown');
  });

  test('a dangerous instruction is named before an unknown one', () => {
    const approve = getApproveInstruction({ source: from, delegate: somebody, owner, amount: 1n });
    expect(read(version, ofProgram(somebody, 1), approve).call.kind).toBe('dangerous');
  });

  test('what moves nothing is harmless: memo, prices, a nonce', () => {
    const nonce = getAdvanceNonceAccountInstruction({ nonceAccount: from, nonceAuthority: owner });
    expect(read(version, nonce, memo, price)).toEqual({
      movements: [],
      unknown: [],
      call: { kind: 'transfer', because: 'it moves nothing' },
    });
  });
});
