//! What secrets are written to and read from, and comparisons with secrets.

use super::secret;
use crate::case::{Call, Case, Class};
use dkls23::utilities::commits::verify_commitment;
use k256::elliptic_curve::ops::Reduce;
use k256::{FieldBytes, Scalar};
use mpc_node::crypto::seal::Seal;
use mpc_node::keys::canonical;
use std::hint::black_box;

pub fn cases() -> Vec<Case> {
    vec![
        Case::new("encoder: scalar to postcard", encode_scalar),
        Case::new("encoder: postcard to scalar", decode_scalar),
        Case::new("encoder: OT seeds to postcard", encode_seeds),
        Case::new("encoder: hexadecimal of a store key", decode_hex),
        Case::new("comparison: tag of a sealed file", tag),
        Case::new("comparison: commitment", commitment),
    ]
}

fn scalar(class: Class) -> Scalar {
    Scalar::reduce(&FieldBytes::from(secret(class)))
}

fn encode_scalar(class: Class) -> Call {
    let scalar = scalar(class);
    Box::new(move || {
        black_box(canonical::to_bytes(black_box(&scalar)));
    })
}

fn decode_scalar(class: Class) -> Call {
    let bytes = canonical::to_bytes(&scalar(class));
    Box::new(move || {
        black_box(canonical::from_bytes::<Scalar>(black_box(&bytes)).is_some());
    })
}

fn encode_seeds(class: Class) -> Call {
    let seeds: Vec<[u8; 32]> = (0..256).map(|_| secret(class)).collect();
    Box::new(move || {
        black_box(canonical::to_bytes(black_box(&seeds)));
    })
}

/// The program reads the file of the store key once, at its start.
fn decode_hex(class: Class) -> Call {
    let text = hex::encode(secret(class));
    Box::new(move || {
        black_box(hex::decode(black_box(&text)).is_ok());
    })
}

/// A wrong tag, in its first byte or in one that is drawn.
fn tag(class: Class) -> Call {
    const TAG_BYTES: usize = 16;
    let (seal, drawn) = (Seal::new(&[7; 32]), secret(Class::Random)[0]);
    let mut sealed = seal.seal(b"timing", &[7; 64]);
    let first = sealed.len() - TAG_BYTES;
    sealed[match class {
        Class::Fixed => first,
        Class::Random => first + usize::from(drawn) % TAG_BYTES,
    }] ^= 1;
    Box::new(move || {
        black_box(seal.open(b"timing", black_box(&sealed)).is_none());
    })
}

/// Of the fixed secret, or of one that does not fit.
fn commitment(class: Class) -> Call {
    let (commitment, salt) = dkls23::utilities::commits::commit(&secret(Class::Fixed));
    let given = secret(class);
    Box::new(move || {
        black_box(verify_commitment(black_box(&given), &commitment, &salt));
    })
}
