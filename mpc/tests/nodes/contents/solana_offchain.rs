//! Goal: a node reads Solana's off-chain envelopes exactly as the API does, and signs nothing else under that name.
//! Method: vectors/solana-offchain.json, which the API's tests write and read too
//! (test/unit/payloads/solana-offchain.test.ts), and every beginning of an envelope.

use crate::samples::solana::offchain;
use mpc_node::chains::solana_offchain::{check_message, read, said};
use serde_json::Value;

#[test]
fn every_vector_is_read_as_the_api_reads_it() {
    let vectors: Vec<Value> =
        serde_json::from_str(include_str!("../../../vectors/solana-offchain.json")).expect("JSON");
    assert!(vectors.len() > 15);
    for vector in vectors {
        let text = |name: &str| vector[name].as_str();
        let name = text("name").expect("a name");
        let bytes = hex::decode(text("bytes").expect("bytes")).expect("hex");
        let envelope = read(&bytes).ok();
        let message = envelope.as_ref().map(|envelope| hex::encode(envelope.message));
        assert_eq!(message.as_deref(), text("message"), "{name}");
        let signers = envelope.map(|envelope| envelope.signers.iter().map(hex::encode).collect::<Vec<_>>());
        assert_eq!(serde_json::to_value(signers).expect("JSON"), vector["signers"], "{name}");
        assert_eq!(check_message(&bytes).is_ok(), text("message").is_some(), "{name}");
    }
}

#[test]
fn an_envelope_is_whole_and_says_what_is_in_it() {
    let envelope = offchain(&[[5; 32], [6; 32]], b"Sign in, Bob");
    assert_eq!(said(&envelope), b"Sign in, Bob");
    assert_eq!(said(b"Sign in, Bob"), b"Sign in, Bob");
    for length in 0..envelope.len() {
        assert!(check_message(&envelope[..length]).is_err(), "{length}");
    }
    assert!(check_message(&[envelope.as_slice(), b"!"].concat()).is_err());
    assert!(check_message(&envelope).is_ok());
}
