//! Goal: the parts agree with published vectors: BIP-32 public derivation, RFC 8032 verification, RFC 9591 signing.
//! Method: the vectors of the documents. Base58Check guards the extended keys against a slip of the pen.

use crate::signing::{child_key, verify};
use frost_ed25519::keys::{KeyPackage, PublicKeyPackage, SigningShare, VerifyingShare};
use frost_ed25519::{Identifier, SigningPackage, VerifyingKey};
use mpc_node::wire::{Curve, Outcome};
use rand_core::{CryptoRng, RngCore};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// Chain code and public key of an xpub.
fn extended(text: &str) -> ([u8; 32], Vec<u8>) {
    const ALPHABET: &[u8] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
    let mut bytes = [0u8; 82];
    for digit in text.bytes() {
        let mut carry = ALPHABET.iter().position(|c| *c == digit).unwrap();
        for byte in bytes.iter_mut().rev() {
            carry += usize::from(*byte) * 58;
            *byte = carry as u8;
            carry >>= 8;
        }
    }
    let (payload, checksum) = bytes.split_at(78);
    assert_eq!(&Sha256::digest(Sha256::digest(payload))[..4], checksum, "the vector itself is intact");
    (payload[13..45].try_into().unwrap(), payload[45..].to_vec())
}

#[test]
fn bip32_public_derivation() {
    use dkls23::protocols::derivation::DerivData;
    let cases = [
        (
            // Test vector 1: m/0' to m/0'/1.
            "xpub68Gmy5EdvgibQVfPdqkBBCHxA5htiqg55crXYuXoQRKfDBFA1WEjWgP6LHhwBZeNK1VTsfTFUHCdrfp1bgwQ9xv5ski8PX9rL2dZXvgGDnw",
            1,
            "xpub6ASuArnXKPbfEwhqN6e3mwBcDTgzisQN1wXN9BJcM47sSikHjJf3UFHKkNAWbWMiGj7Wf5uMash7SyYq527Hqck2AxYysAA7xmALppuCkwQ",
        ),
        (
            // Test vector 2: m to m/0.
            "xpub661MyMwAqRbcFW31YEwpkMuc5THy2PSt5bDMsktWQcFF8syAmRUapSCGu8ED9W6oDMSgv6Zz8idoc4a6mr8BDzTJY47LJhkJ8UB7WEGuduB",
            0,
            "xpub69H7F5d8KSRgmmdJg2KhpAK8SR3DjMwAdkxj3ZuxV27CprR9LgpeyGmXUbC6wb7ERfvrnKZjXoUmmDznezpbZb7ap6r1D3tgFxHmwMkQTPH",
        ),
    ];
    for (parent, index, child) in cases {
        let (chain_code, key) = extended(parent);
        let (child_chain_code, child_public_key) = extended(child);
        // The tests' own derivation, that the nodes' child keys are compared with,
        assert_eq!(child_key(Curve::Secp256k1, &key, chain_code, &[index]), child_public_key);
        // and the node's.
        let point = *k256::PublicKey::from_sec1_bytes(&key).unwrap().as_affine();
        let data = DerivData::<k256::Secp256k1> {
            depth: 0,
            child_number: 0,
            parent_fingerprint: [0; 4],
            poly_point: k256::Scalar::ONE,
            pk: point,
            chain_code,
        };
        let derived = data.derive_from_path(&format!("m/{index}")).unwrap();
        assert_eq!(mpc_node::key_material::compressed(&derived.pk).to_vec(), child_public_key);
        assert_eq!(derived.chain_code, child_chain_code);
    }
}

#[test]
fn edwards_derivation_agrees_with_an_independent_one() {
    let key = ed25519_dalek::SigningKey::from_bytes(&[9; 32]).verifying_key().to_bytes();
    for path in [&[][..], &[0], &[1, 2, 3], &[2_147_483_647; 10]] {
        let child = mpc_node::derive_ed25519::derive(&key, &[5; 32], path).unwrap();
        assert_eq!(child.public_key.to_vec(), child_key(Curve::Ed25519, &key, [5; 32], path));
    }
    assert!(mpc_node::derive_ed25519::derive(&key, &[5; 32], &[1 << 31]).is_none());
}

#[test]
fn rfc8032_signatures_verify() {
    let cases = [
        (
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            "",
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
        ),
        (
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            "72",
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
        ),
        (
            "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
            "af82",
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
        ),
    ];
    for (key, message, signature) in cases {
        let key = ed25519_dalek::VerifyingKey::from_bytes(&bytes(key)).unwrap();
        let signature = ed25519_dalek::Signature::from_bytes(&bytes(signature));
        let message = hex::decode(message).unwrap();
        key.verify_strict(&message, &signature).unwrap();
        assert!(key.verify_strict(&[&message[..], &[0]].concat(), &signature).is_err());
    }
}

fn bytes<const N: usize>(text: &str) -> [u8; N] {
    hex::decode(text).unwrap().try_into().unwrap()
}

/// Gives out the randomness of the vector.
struct Scripted(Vec<u8>);

impl RngCore for Scripted {
    fn next_u32(&mut self) -> u32 {
        unimplemented!("FROST fills bytes")
    }
    fn next_u64(&mut self) -> u64 {
        unimplemented!("FROST fills bytes")
    }
    fn fill_bytes(&mut self, out: &mut [u8]) {
        out.copy_from_slice(&self.0.drain(..out.len()).collect::<Vec<_>>());
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), rand_core::Error> {
        self.fill_bytes(out);
        Ok(())
    }
}

impl CryptoRng for Scripted {}

/// RFC 9591, appendix E.1: FROST(Ed25519, SHA-512).
#[test]
fn rfc9591_signing() {
    let signers = [
        // Identifier, share, randomness of the two nonces, signature share.
        (
            1,
            "929dcc590407aae7d388761cddb0c0db6f5627aea8e217f4a033f2ec83d93509",
            "06894e04ee4aceec8619d5f6a0a180e2f47194d2ac306cba586b555e7c48d765\
             40d6f879ff22e22409f7d808fed81f37118e7d3e4af71c0f44c60207553bcbce",
            "60997f0142e43e8005027fe5ab7447dac00d22c2d7ddd9571a02613ba7d81c08",
        ),
        (
            3,
            "d3cb090a075eb154e82fdb4b3cb507f110040905468bb9c46da8bdea643a9a02",
            "fa5d950626782aade9e33fa781376d4888c2d1de7c37518bc248eb818ed0cdde\
             7459a4d14ded0e365b085271be8dc6600d5b88f3978a2174297ffa32001a5afc",
            "79390e78bc59699c7af831f8f5fb478ec871a85f561a8641b5670ac4443f720f",
        ),
    ];
    let group_key: [u8; 32] = bytes("15d21ccd7ee42959562fc8aa63224c8851fb3ec85a3faf66040d380fb9738673");
    let verifying_key = VerifyingKey::deserialize(&group_key).unwrap();
    let (mut keys, mut nonces, mut commitments) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    for (index, share, randomness, _) in signers {
        let identifier: Identifier = u16::try_from(index).unwrap().try_into().unwrap();
        let share = SigningShare::deserialize(&hex::decode(share).unwrap()).unwrap();
        let (secret, public) = frost_ed25519::round1::commit(&share, &mut Scripted(hex::decode(randomness).unwrap()));
        nonces.insert(identifier, secret);
        commitments.insert(identifier, public);
        keys.insert(identifier, KeyPackage::new(identifier, share, VerifyingShare::from(share), verifying_key, 2));
    }
    let package = SigningPackage::new(commitments, b"test");
    let mut shares = BTreeMap::new();
    for ((identifier, key), (.., expected)) in keys.iter().zip(signers) {
        let share = frost_ed25519::round2::sign(&package, &nonces[identifier], key).unwrap();
        assert_eq!(hex::encode(share.serialize()), expected);
        shares.insert(*identifier, share);
    }
    let verifying_shares = keys.iter().map(|(identifier, key)| (*identifier, *key.verifying_share())).collect();
    let public = PublicKeyPackage::new(verifying_shares, verifying_key, Some(2));
    let signature = frost_ed25519::aggregate(&package, &shares, &public).unwrap().serialize().unwrap();
    assert_eq!(
        hex::encode(signature),
        "154fb694ee7fcb37bf2381d94488c2a84b03b3352ad085feca81ad26d45852b7\
         ecfe971ce4da95c4a95db93ac376b053897fca212ef85f99cf696bffeb178f07"
    );
}

#[test]
fn the_verification_of_these_tests_can_fail() {
    let outcome = Outcome::Signature { bytes: [1; 64], recovery_id: 0 };
    for (curve, key) in [(Curve::Ed25519, vec![0x58; 32]), (Curve::Secp256k1, vec![2; 33])] {
        let outcomes = [outcome.clone()];
        assert!(std::panic::catch_unwind(|| verify(curve, &key, [0; 32], &outcomes)).is_err());
    }
}
