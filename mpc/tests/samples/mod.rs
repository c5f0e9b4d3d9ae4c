//! Contents to sign that more than one test needs, each as other software writes it.
#![allow(dead_code)] // Every test binary uses its own part of them.

pub mod bitcoin;
pub mod evm;
pub mod payloads;
pub mod solana;
pub mod typed_data;
