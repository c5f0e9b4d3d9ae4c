//! Goal: what the node computes and accepts agrees with published vectors: BIP-32, RFC 8032, RFC 9591, Wycheproof,
//! ed25519-speccheck. Method: through this program's own functions, where one takes such an input. Base58Check guards
//! the extended keys against a slip of the pen. Key generation and repair: `src/protocol/vectors.rs`.

use crate::signing::{child_key, verify};
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{ChaCha20Poly1305, XChaCha20Poly1305};
use curve25519_dalek::constants::EIGHT_TORSION;
use curve25519_dalek::{EdwardsPoint, Scalar};
use frost_ed25519::keys::{KeyPackage, PublicKeyPackage, SigningShare, VerifyingShare};
use frost_ed25519::{Identifier, SigningPackage, VerifyingKey};
use mpc_node::crypto::channel::Channel;
use mpc_node::crypto::seal::Seal;
use mpc_node::crypto::signatures;
use mpc_node::keys::derive_secp256k1;
use mpc_node::wire::{Curve, Outcome};
use rand_core::{CryptoRng, RngCore};
use serde_json::Value;
use sha2::{Digest, Sha256, Sha512};
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
    // All steps of test vectors 1 and 2 that public keys can go.
    let cases = [
        (
            // m/0' to m/0'/1.
            "xpub68Gmy5EdvgibQVfPdqkBBCHxA5htiqg55crXYuXoQRKfDBFA1WEjWgP6LHhwBZeNK1VTsfTFUHCdrfp1bgwQ9xv5ski8PX9rL2dZXvgGDnw",
            1,
            "xpub6ASuArnXKPbfEwhqN6e3mwBcDTgzisQN1wXN9BJcM47sSikHjJf3UFHKkNAWbWMiGj7Wf5uMash7SyYq527Hqck2AxYysAA7xmALppuCkwQ",
        ),
        (
            // m/0'/1/2' to m/0'/1/2'/2.
            "xpub6D4BDPcP2GT577Vvch3R8wDkScZWzQzMMUm3PWbmWvVJrZwQY4VUNgqFJPMM3No2dFDFGTsxxpG5uJh7n7epu4trkrX7x7DogT5Uv6fcLW5",
            2,
            "xpub6FHa3pjLCk84BayeJxFW2SP4XRrFd1JYnxeLeU8EqN3vDfZmbqBqaGJAyiLjTAwm6ZLRQUMv1ZACTj37sR62cfN7fe5JnJ7dh8zL4fiyLHV",
        ),
        (
            // And on to m/0'/1/2'/2/1000000000.
            "xpub6FHa3pjLCk84BayeJxFW2SP4XRrFd1JYnxeLeU8EqN3vDfZmbqBqaGJAyiLjTAwm6ZLRQUMv1ZACTj37sR62cfN7fe5JnJ7dh8zL4fiyLHV",
            1_000_000_000,
            "xpub6H1LXWLaKsWFhvm6RVpEL9P4KfRZSW7abD2ttkWP3SSQvnyA8FSVqNTEcYFgJS2UaFcxupHiYkro49S8yGasTvXEYBVPamhGW6cFJodrTHy",
        ),
        (
            // Test vector 2: m to m/0.
            "xpub661MyMwAqRbcFW31YEwpkMuc5THy2PSt5bDMsktWQcFF8syAmRUapSCGu8ED9W6oDMSgv6Zz8idoc4a6mr8BDzTJY47LJhkJ8UB7WEGuduB",
            0,
            "xpub69H7F5d8KSRgmmdJg2KhpAK8SR3DjMwAdkxj3ZuxV27CprR9LgpeyGmXUbC6wb7ERfvrnKZjXoUmmDznezpbZb7ap6r1D3tgFxHmwMkQTPH",
        ),
        (
            // m/0/2147483647' to m/0/2147483647'/1.
            "xpub6ASAVgeehLbnwdqV6UKMHVzgqAG8Gr6riv3Fxxpj8ksbH9ebxaEyBLZ85ySDhKiLDBrQSARLq1uNRts8RuJiHjaDMBU4Zn9h8LZNnBC5y4a",
            1,
            "xpub6DF8uhdarytz3FWdA8TvFSvvAh8dP3283MY7p2V4SeE2wyWmG5mg5EwVvmdMVCQcoNJxGoWaU9DCWh89LojfZ537wTfunKau47EL2dhHKon",
        ),
        (
            // m/0/2147483647'/1/2147483646' to m/0/2147483647'/1/2147483646'/2.
            "xpub6ERApfZwUNrhLCkDtcHTcxd75RbzS1ed54G1LkBUHQVHQKqhMkhgbmJbZRkrgZw4koxb5JaHWkY4ALHY2grBGRjaDMzQLcgJvLJuZZvRcEL",
            2,
            "xpub6FnCn6nSzZAw5Tw7cgR9bi15UV96gLZhjDstkXXxvCLsUXBGXPdSnLFbdpq8p9HmGsApME5hQTZ3emM2rnY5agb9rXpVGyy3bdW6EEgAtqt",
        ),
    ];
    for (parent, index, child) in cases {
        let (chain_code, key) = extended(parent);
        let (child_chain_code, child_public_key) = extended(child);
        // The tests' own derivation, that the nodes' child keys are compared with,
        assert_eq!(child_key(Curve::Secp256k1, &key, chain_code, &[index]), child_public_key);
        // the node's of public keys, by which it knows who will sign,
        assert_eq!(derive_secp256k1::derive(&key, &chain_code, &[index]).unwrap().to_vec(), child_public_key);
        // and that of shares.
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
        assert_eq!(mpc_node::keys::key_material::compressed(&derived.pk).to_vec(), child_public_key);
        assert_eq!(derived.chain_code, child_chain_code);
    }
}

/// Test vector 5: public keys with a prefix that is none, and one that is not on the curve; and hardened indexes.
#[test]
fn bip32_invalid_public_keys() {
    let (chain_code, key) = extended("xpub661MyMwAqRbcFW31YEwpkMuc5THy2PSt5bDMsktWQcFF8syAmRUapSCGu8ED9W6oDMSgv6Zz8idoc4a6mr8BDzTJY47LJhkJ8UB7WEGuduB");
    let with_prefix = |prefix: u8| [&[prefix], &key[1..]].concat();
    let off_the_curve = [&[2][..], &[0; 31], &[7]].concat();
    for wrong in [with_prefix(4), with_prefix(1), with_prefix(0), off_the_curve] {
        assert_eq!(derive_secp256k1::derive(&wrong, &chain_code, &[0]), None);
    }
    for index in [1 << 31, u32::MAX] {
        assert_eq!(derive_secp256k1::derive(&key, &chain_code, &[index]), None);
        assert_eq!(derive_secp256k1::derive(&key, &chain_code, &[0, index]), None);
    }
}

#[test]
fn edwards_derivation_agrees_with_an_independent_one() {
    let key = ed25519_dalek::SigningKey::from_bytes(&[9; 32]).verifying_key().to_bytes();
    for path in [&[][..], &[0], &[1, 2, 3], &[2_147_483_647; 10]] {
        let child = mpc_node::keys::derive_ed25519::derive(&key, &[5; 32], path).unwrap();
        assert_eq!(child.public_key.to_vec(), child_key(Curve::Ed25519, &key, [5; 32], path));
    }
    assert!(mpc_node::keys::derive_ed25519::derive(&key, &[5; 32], &[1 << 31]).is_none());
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

/// The tests of a Wycheproof file, each with its group.
fn wycheproof(name: &str) -> Vec<(Value, Value)> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors/wycheproof").join(name);
    let file: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let tests = |group: &Value| -> Vec<(Value, Value)> {
        group["tests"].as_array().unwrap().iter().map(|test| (group.clone(), test.clone())).collect()
    };
    let all: Vec<_> = file["testGroups"].as_array().unwrap().iter().flat_map(tests).collect();
    assert_eq!(all.len() as u64, file["numberOfTests"].as_u64().unwrap());
    all
}

fn hex_of(test: &Value, name: &str) -> Vec<u8> {
    hex::decode(test[name].as_str().unwrap()).unwrap()
}

fn is_valid(test: &Value) -> bool {
    test["result"] == "valid"
}

/// Our channel takes the keys; what it seals is opened here with the shared secret that the vector says.
#[test]
fn wycheproof_x25519() {
    let (session_id, mut zero) = ([5; 32], 0);
    for (_, test) in wycheproof("x25519_test.json") {
        let [private, public, shared] = ["private", "public", "shared"].map(|name| hex_of(&test, name));
        let private = x25519_dalek::StaticSecret::from(<[u8; 32]>::try_from(private).unwrap());
        let channel = Channel::agree(&private, public.try_into().unwrap(), session_id, 1, 2);
        if shared == [0; 32] {
            assert!(channel.is_none(), "{test}");
            zero += 1;
            continue;
        }
        let sealed = channel.unwrap().seal(3, b"message");
        let info = [b"countersign/v1/channel".as_slice(), &[1, 2]].concat();
        let mut key = [0; 32];
        hkdf::Hkdf::<Sha256>::new(Some(&session_id), &shared).expand(&info, &mut key).unwrap();
        let aad = [&session_id[..], &[3, 1, 2]].concat();
        let payload = Payload { msg: &sealed, aad: &aad };
        let opened = ChaCha20Poly1305::new(&key.into()).decrypt(&[0; 12].into(), payload);
        assert_eq!(opened.expect("the same secret"), b"message", "{test}");
    }
    assert!(zero > 10, "{zero} keys of small order");
}

/// The cipher of the channel, whose keys nobody can set from outside, with its nonces of twelve bytes.
#[test]
fn wycheproof_chacha20_poly1305() {
    for (_, test) in wycheproof("chacha20_poly1305_test.json") {
        let [key, iv, aad, msg, ct, tag] = ["key", "iv", "aad", "msg", "ct", "tag"].map(|name| hex_of(&test, name));
        let Ok(nonce) = <[u8; 12]>::try_from(iv) else {
            assert!(!is_valid(&test));
            continue;
        };
        let cipher = ChaCha20Poly1305::new_from_slice(&key).unwrap();
        let sealed = [ct, tag].concat();
        let opened = cipher.decrypt(&nonce.into(), Payload { msg: &sealed, aad: &aad });
        assert_eq!(opened.ok(), is_valid(&test).then(|| msg.clone()), "{test}");
        let again = cipher.encrypt(&nonce.into(), Payload { msg: &msg, aad: &aad }).unwrap();
        assert_eq!(again == sealed, is_valid(&test), "{test}");
    }
}

/// The cipher of shares and backups, and what seals all that a node keeps.
#[test]
fn wycheproof_xchacha20_poly1305() {
    let mut ours = 0;
    for (_, test) in wycheproof("xchacha20_poly1305_test.json") {
        let [key, iv, aad, msg, ct, tag] = ["key", "iv", "aad", "msg", "ct", "tag"].map(|name| hex_of(&test, name));
        let Ok(nonce) = <[u8; 24]>::try_from(iv) else {
            assert!(!is_valid(&test));
            continue;
        };
        let sealed = [ct, tag].concat();
        let cipher = XChaCha20Poly1305::new_from_slice(&key).unwrap();
        let opened = cipher.decrypt(&nonce.into(), Payload { msg: &sealed, aad: &aad });
        assert_eq!(opened.ok(), is_valid(&test).then(|| msg.clone()), "{test}");
        let opened = Seal::new(&key.try_into().unwrap()).open(&aad, &[&nonce[..], &sealed].concat());
        assert_eq!(opened.map(|opened| opened.to_vec()), is_valid(&test).then_some(msg), "{test}");
        ours += 1;
    }
    assert!(ours > 0);
}

#[test]
fn wycheproof_ed25519() {
    for (group, test) in wycheproof("ed25519_test.json") {
        let key = signatures::pinned_key(&bytes(group["publicKey"]["pk"].as_str().unwrap())).expect("a good key");
        let good = match hex_of(&test, "sig").try_into() {
            Ok(signature) => signatures::ed25519(&key, &hex_of(&test, "msg"), &signature),
            Err(_) => false,
        };
        assert_eq!(good, is_valid(&test), "{test}");
    }
}

/// A valid signature is good with its own recovery id alone, if its s is low and the wire has room for the id; every
/// other one with none.
#[test]
fn wycheproof_secp256k1() {
    use k256::ecdsa::{RecoveryId, Signature, VerifyingKey};
    let mut high = 0;
    for (group, test) in wycheproof("ecdsa_secp256k1_sha256_p1363_test.json") {
        let key = VerifyingKey::from_sec1_bytes(&hex_of(&group["publicKey"], "uncompressed")).unwrap();
        let compressed = key.to_sec1_point(true).as_bytes().try_into().unwrap();
        let digest: [u8; 32] = Sha256::digest(hex_of(&test, "msg")).into();
        let Ok(signature) = <[u8; 64]>::try_from(hex_of(&test, "sig")) else {
            assert!(!is_valid(&test));
            continue;
        };
        let good: Vec<u8> =
            (0..=u8::MAX).filter(|id| signatures::secp256k1(&compressed, &digest, &signature, *id)).collect();
        let mut expected = vec![];
        if is_valid(&test) {
            let parsed = Signature::from_slice(&signature).unwrap();
            if parsed == parsed.normalize_s() {
                let id = RecoveryId::trial_recovery_from_prehash(&key, &digest, &parsed).unwrap().to_byte();
                expected.extend((id <= 1).then_some(id));
            } else {
                high += 1;
            }
        }
        assert_eq!(good, expected, "{test}");
    }
    assert!(high > 0);
}

/// A signature over the message that the counter makes, by a key and a nonce with a part of small order each; the first
/// for which the equation without cofactor holds, or the first for which it does not.
struct Edge {
    key: [u8; 32],
    message: [u8; 8],
    signature: [u8; 64],
}

/// `[secret, torsion]` of the key and of the nonce. `spelt` replaces the encoding of one of them.
fn edge(key: (u64, usize), nonce: (u64, usize), holds: bool, spelt: [Option<[u8; 32]>; 2]) -> Edge {
    let part = |(secret, torsion): (u64, usize)| {
        (Scalar::from(secret), EdwardsPoint::mul_base(&Scalar::from(secret)) + EIGHT_TORSION[torsion])
    };
    let ((a, key_point), (r, nonce_point)) = (part(key), part(nonce));
    let key_bytes = spelt[0].unwrap_or(key_point.compress().to_bytes());
    let nonce_bytes = spelt[1].unwrap_or(nonce_point.compress().to_bytes());
    for message in (0u64..).map(u64::to_le_bytes) {
        let hash = Sha512::new().chain_update(nonce_bytes).chain_update(key_bytes).chain_update(message).finalize();
        let h = Scalar::from_bytes_mod_order_wide(&hash.into());
        let s = r + h * a;
        let (left, right) = (EdwardsPoint::mul_base(&s), nonce_point + h * key_point);
        assert_eq!(left.mul_by_cofactor(), right.mul_by_cofactor(), "with the cofactor it always holds");
        if (left == right) == holds {
            let signature = [nonce_bytes, s.to_bytes()].concat().try_into().unwrap();
            return Edge { key: key_bytes, message, signature };
        }
    }
    unreachable!()
}

/// s + n L: the same equation.
fn raised(mut edge: Edge, times: u32) -> Edge {
    let order = bytes::<32>("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010");
    for _ in 0..times {
        let mut carry = 0;
        for (digit, add) in edge.signature[32..].iter_mut().zip(order) {
            carry += u16::from(*digit) + u16::from(add);
            *digit = carry as u8;
            carry >>= 8;
        }
    }
    edge
}

/// The twelve conditions of ed25519-speccheck. None gets past the two checks that everything signed by others meets
/// here: the key's when it is pinned, and the signature's.
#[test]
fn ed25519_speccheck() {
    const NONE: [Option<[u8; 32]>; 2] = [None, None];
    // The point of order 2 with the other sign.
    let odd = bytes::<32>("ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff");
    let order_2 = EIGHT_TORSION.iter().position(|point| point.compress().0[..31] == odd[..31]).unwrap();
    let cases = [
        ("0: small key and nonce, s = 0", edge((0, 1), (0, 3), true, NONE)),
        ("1: small key", edge((0, 1), (9, 3), true, NONE)),
        ("2: small nonce", edge((7, 1), (0, 3), true, NONE)),
        ("3: mixed key and nonce", edge((7, 1), (9, 3), true, NONE)),
        ("4: good with the cofactor only", edge((7, 1), (9, 3), false, NONE)),
        ("5: the same with a whole nonce", edge((7, 1), (9, 0), false, NONE)),
        ("6: s above the order", raised(edge((7, 0), (9, 0), true, NONE), 1)),
        ("7: s far above it", raised(edge((7, 0), (9, 0), true, NONE), 13)),
        ("8, 9: another spelling of the nonce", edge((7, 1), (0, order_2), true, [None, Some(odd)])),
        ("10, 11: another spelling of the key", edge((0, order_2), (9, 3), false, [Some(odd), None])),
    ];
    for (name, Edge { key, message, signature }) in &cases {
        let accepted = signatures::pinned_key(key).is_some_and(|key| signatures::ed25519(&key, message, signature));
        assert!(!accepted, "{name}");
        // The signature's check alone stops all but the third, which is why keys are held to the prime order.
        let key = ed25519_dalek::VerifyingKey::from_bytes(key).unwrap();
        assert_eq!(signatures::ed25519(&key, message, signature), name.starts_with('3'), "{name}");
        // And with neither, the first four would pass.
        let lax = ed25519_dalek::Verifier::verify(&key, message, &ed25519_dalek::Signature::from_bytes(signature));
        assert_eq!(lax.is_ok(), ["0", "1", "2", "3"].contains(&name.split_once(':').unwrap().0), "{name}");
    }
    let Edge { key, message, signature } = edge((7, 0), (9, 0), true, NONE);
    assert!(signatures::ed25519(&signatures::pinned_key(&key).unwrap(), &message, &signature));
}

#[test]
fn the_verification_of_these_tests_can_fail() {
    let outcome = Outcome::Signature { bytes: [1; 64], recovery_id: 0 };
    for (curve, key) in [(Curve::Ed25519, vec![0x58; 32]), (Curve::Secp256k1, vec![2; 33])] {
        let outcomes = [outcome.clone()];
        assert!(std::panic::catch_unwind(|| verify(curve, &key, [0; 32], &outcomes)).is_err());
    }
}
