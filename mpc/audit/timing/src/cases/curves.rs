//! Secret scalars: of shares and nonces on both curves, of channels and of identities.

use super::secret;
use crate::case::{Call, Case, Class};
use ed25519_dalek::{Signer, SigningKey};
use k256::elliptic_curve::ops::Reduce;
use k256::{FieldBytes, ProjectivePoint, Scalar};
use std::hint::black_box;
use x25519_dalek::{PublicKey, StaticSecret};

pub fn cases() -> Vec<Case> {
    vec![
        Case::new("secp256k1: scalar times generator", of_generator),
        Case::new("secp256k1: large scalar times generator", of_generator_large),
        Case::new("secp256k1: scalar times another point", of_point),
        Case::new("secp256k1: product of scalars", product),
        Case::new("secp256k1: inverse of a scalar", inverse),
        Case::new("ed25519: FROST's share of a signature", frost_share),
        Case::new("ed25519: signature of an identity", identity),
        Case::new("x25519: secret of a channel", channel),
    ]
}

fn scalar(class: Class) -> Scalar {
    Scalar::reduce(&FieldBytes::from(secret(class)))
}

fn of_generator(class: Class) -> Call {
    let scalar = scalar(class);
    Box::new(move || {
        black_box(ProjectivePoint::GENERATOR * black_box(scalar));
    })
}

/// The fixed one looks like any other: zero and one bits, in no order.
fn of_generator_large(class: Class) -> Call {
    let large = Scalar::reduce(&FieldBytes::from(*b"a scalar of 256 bits, as of keys"));
    let drawn = scalar(Class::Random);
    let scalar = match class {
        Class::Fixed => large,
        Class::Random => drawn,
    };
    Box::new(move || {
        black_box(ProjectivePoint::GENERATOR * black_box(scalar));
    })
}

fn of_point(class: Class) -> Call {
    let (scalar, point) = (scalar(class), ProjectivePoint::GENERATOR * Scalar::from(7_u32));
    Box::new(move || {
        black_box(black_box(point) * black_box(scalar));
    })
}

fn product(class: Class) -> Call {
    let (one, other) = (scalar(class), scalar(Class::Random));
    Box::new(move || {
        black_box(black_box(one) * black_box(other));
    })
}

fn inverse(class: Class) -> Call {
    let scalar = scalar(class);
    Box::new(move || {
        black_box(bool::from(black_box(scalar).invert().is_some()));
    })
}

/// Both classes sign with two signers; the share of the first is fixed or drawn.
fn frost_share(class: Class) -> Call {
    use frost_ed25519::keys::{KeyPackage, SigningShare, VerifyingShare};
    use frost_ed25519::{round1, round2, Identifier, SigningPackage, VerifyingKey};
    // Less than the order, as FROST reads only canonical scalars (the least significant byte comes first).
    let mut bytes = secret(class);
    bytes[31] = 0;
    bytes[0] |= 1;
    let share = SigningShare::deserialize(&bytes).expect("a scalar");
    let [me, other] = [1_u16, 2].map(|index| Identifier::try_from(index).expect("not zero"));
    let (nonces, commitments) = round1::commit(&share, &mut rand_core::OsRng);
    let theirs = round1::commit(&share, &mut rand_core::OsRng).1;
    let package = SigningPackage::new([(me, commitments), (other, theirs)].into(), b"timing");
    let public = VerifyingShare::from(share);
    let key = VerifyingKey::deserialize(&public.serialize().expect("a point")).expect("a key");
    let key = KeyPackage::new(me, share, public, key, 2);
    Box::new(move || {
        black_box(round2::sign(&package, &nonces, black_box(&key)).is_ok());
    })
}

fn identity(class: Class) -> Call {
    let key = SigningKey::from_bytes(&secret(class));
    Box::new(move || {
        black_box(black_box(&key).sign(b"timing"));
    })
}

fn channel(class: Class) -> Call {
    let (own, theirs) = (StaticSecret::from(secret(class)), PublicKey::from(&StaticSecret::from([7; 32])));
    Box::new(move || {
        black_box(black_box(&own).diffie_hellman(&theirs));
    })
}
