//! The sealed channel between two nodes in one session. The orchestrator that relays sees ciphertext only.
//! A key serves one session and one direction; nonces count up; order, round and the two ends are authenticated.

use chacha20poly1305::aead::{Aead, Payload};
use chacha20poly1305::{ChaCha20Poly1305, KeyInit, Nonce};
use hkdf::Hkdf;
use sha2::Sha256;
use x25519_dalek::{PublicKey, StaticSecret};
use zeroize::Zeroizing;

pub struct Channel {
    session_id: [u8; 32],
    me: u8,
    peer: u8,
    sending: Direction,
    receiving: Direction,
}

struct Direction {
    cipher: ChaCha20Poly1305,
    messages: u64,
}

impl Channel {
    /// `None` if the peer's key is of small order: the shared secret would be all zero and known to everybody.
    pub fn agree(ours: &StaticSecret, theirs: [u8; 32], session_id: [u8; 32], me: u8, peer: u8) -> Option<Self> {
        let shared = ours.diffie_hellman(&PublicKey::from(theirs));
        if !shared.was_contributory() {
            return None;
        }
        let hkdf = Hkdf::<Sha256>::new(Some(&session_id), shared.as_bytes());
        let direction = |sender: u8, receiver: u8| {
            let mut key = Zeroizing::new([0; 32]);
            let info = [b"countersign/v1/channel".as_slice(), &[sender, receiver]].concat();
            hkdf.expand(&info, &mut key[..]).expect("32 bytes are a valid length for HKDF");
            Direction { cipher: ChaCha20Poly1305::new((&*key).into()), messages: 0 }
        };
        Some(Self { session_id, me, peer, sending: direction(me, peer), receiving: direction(peer, me) })
    }

    /// `round` is the round that produces the message.
    pub fn seal(&mut self, round: u8, message: &[u8]) -> Vec<u8> {
        let aad = associated_data(&self.session_id, round, self.me, self.peer);
        let payload = Payload { msg: message, aad: &aad };
        let nonce = self.sending.next_nonce();
        let sealed = self.sending.cipher.encrypt(&nonce, payload);
        sealed.expect("a message of this size seals")
    }

    pub fn open(&mut self, round: u8, sealed: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
        let aad = associated_data(&self.session_id, round, self.peer, self.me);
        let payload = Payload { msg: sealed, aad: &aad };
        let nonce = self.receiving.next_nonce();
        self.receiving.cipher.decrypt(&nonce, payload).ok().map(Zeroizing::new)
    }
}

impl Direction {
    fn next_nonce(&mut self) -> Nonce {
        let mut nonce = [0; 12];
        nonce[4..].copy_from_slice(&self.messages.to_be_bytes());
        self.messages += 1;
        nonce.into()
    }
}

fn associated_data(session_id: &[u8; 32], round: u8, sender: u8, receiver: u8) -> [u8; 35] {
    let mut aad = [0; 35];
    aad[..32].copy_from_slice(session_id);
    aad[32..].copy_from_slice(&[round, sender, receiver]);
    aad
}
