//! What is to be signed, read: transactions of the chains, byte by byte and in one form only. Reading decides nothing;
//! the rules are in `policy`.

pub mod bitcoin;
pub mod bitcoin_address;
pub mod eip712;
pub mod evm;
pub mod evm_call;
pub mod rlp;
pub mod solana;
pub mod solana_account;
pub mod solana_message;
pub mod solana_offchain;
pub mod solana_text;
pub mod typed_data;
