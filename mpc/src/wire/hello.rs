//! The hello that opens a session: a fresh nonce and ephemeral key, signed by a node's pinned identity over
//! everything that the participants must agree on; and the session id that follows from all hellos.

use super::command::PROTOCOL_VERSION;
use super::{encode, Hello};
use crate::crypto::random;
use crate::crypto::signatures;
use ed25519_dalek::{Signer, SigningKey, VerifyingKey};
use sha2::{Digest, Sha256};
use x25519_dalek::{PublicKey, StaticSecret};

/// Nodes with other versions of these crates never reach the protocols: a skewed message could look like cheating
/// and ban an honest peer. `tests/nodes/versions.rs` compares with Cargo.lock.
pub const CRATE_VERSIONS: &str = "dkls23/0.6.2 frost-ed25519/3.0.0";

/// What every participant must see alike before any cryptography.
pub struct Agreement {
    pub command: Vec<u8>,
    /// Empty when a key is being generated.
    pub root_public_key: Vec<u8>,
    pub epoch: u32,
}

impl Agreement {
    pub fn command_digest(&self) -> [u8; 32] {
        Sha256::digest(&self.command).into()
    }

    fn hello_signing_bytes(&self, node: u8, nonce: &[u8; 32], ephemeral_public_key: &[u8; 32]) -> Vec<u8> {
        let signed = encode(&(
            PROTOCOL_VERSION,
            CRATE_VERSIONS,
            self.command_digest(),
            &self.root_public_key,
            self.epoch,
            node,
            nonce,
            ephemeral_public_key,
        ));
        [b"countersign/v1/hello".as_slice(), &signed].concat()
    }

    pub fn greet(&self, identity: &SigningKey, node: u8) -> (Hello, StaticSecret) {
        let secret = StaticSecret::from(random::bytes::<32>());
        let ephemeral_public_key = PublicKey::from(&secret).to_bytes();
        let nonce = random::bytes();
        let bytes = self.hello_signing_bytes(node, &nonce, &ephemeral_public_key);
        let signature = identity.sign(&bytes).to_bytes();
        (Hello { node, nonce, ephemeral_public_key, signature }, secret)
    }

    pub fn accepts(&self, hello: &Hello, identity: &VerifyingKey) -> bool {
        let bytes = self.hello_signing_bytes(hello.node, &hello.nonce, &hello.ephemeral_public_key);
        signatures::ed25519(identity, &bytes, &hello.signature)
    }

    /// `hellos`: of every participant, ascending.
    pub fn session_id(&self, hellos: &[Hello]) -> [u8; 32] {
        let unsigned: Vec<_> = hellos.iter().map(|h| (h.node, h.nonce, h.ephemeral_public_key)).collect();
        let bytes = encode(&(
            "countersign/v1/session",
            PROTOCOL_VERSION,
            CRATE_VERSIONS,
            &self.command,
            &self.root_public_key,
            self.epoch,
            unsigned,
        ));
        Sha256::digest(bytes).into()
    }
}
