//! The programs of Solana that are known by name, and where an owner's tokens lie: the associated token account, which
//! follows from owner, token program and mint.

use curve25519_dalek::edwards::CompressedEdwardsY;
use sha2::{Digest, Sha256};

pub type Account = [u8; 32];

pub const SYSTEM: Account = [0; 32];
pub const TOKEN: &str = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
pub const TOKEN_2022: &str = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb";
pub const ASSOCIATED_TOKEN: &str = "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL";
pub const COMPUTE_BUDGET: &str = "ComputeBudget111111111111111111111111111111";
pub const MEMO: &str = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr";
pub const MEMO_1: &str = "Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo";
pub const UPGRADEABLE_LOADER: &str = "BPFLoaderUpgradeab1e11111111111111111111111";
pub const LOADER_4: &str = "LoaderV411111111111111111111111111111111111";

/// An address as people write it: base58 of 32 bytes.
pub fn read_account(text: &str) -> Option<Account> {
    let mut account = [0; 32];
    let size = bs58::decode(text).onto(&mut account).ok()?;
    // One spelling: what encodes back to the same text.
    (size == 32 && bs58::encode(account).into_string() == text).then_some(account)
}

/// The first bump, from 255 down, that gives an address without a private key.
pub fn associated_token_account(owner: &Account, token_program: &Account, mint: &Account) -> Option<Account> {
    let associated = read_account(ASSOCIATED_TOKEN)?;
    (0..=u8::MAX).rev().find_map(|bump| {
        let mut hash = Sha256::new();
        for part in [owner, token_program, mint] {
            hash.update(part);
        }
        let address: Account =
            hash.chain_update([bump]).chain_update(associated).chain_update(b"ProgramDerivedAddress").finalize().into();
        CompressedEdwardsY(address).decompress().is_none().then_some(address)
    })
}
