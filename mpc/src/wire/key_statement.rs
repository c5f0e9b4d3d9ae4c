//! What the nodes state about a new key or a new share of one, and a node's signature on it. Only public facts.

use super::encoding::{encode, Curve, Id};
use crate::crypto::signatures;
use borsh::{BorshDeserialize, BorshSerialize};
use ed25519_dalek::{Signer, SigningKey, VerifyingKey};
use std::io::{self, Read, Write};

/// What the byte of the curve is more in the statement of a key that was made for a workspace.
const OF_WORKSPACE: u8 = 2;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyStatement {
    pub wallet_id: Id,
    pub curve: Curve,
    pub epoch: u32,
    pub session_id: [u8; 32],
    pub roster: [u8; 32],
    pub threshold: u8,
    /// 33 bytes (compressed) on secp256k1, 32 on ed25519.
    pub public_key: Vec<u8>,
    pub chain_code: [u8; 32],
    pub transcript: [u8; 32],
    /// Of the wallet, as the command said that made the key. None: a key from before commands said it.
    pub workspace_id: Option<Id>,
}

#[cfg(test)]
impl KeyStatement {
    /// Of a key on ed25519, of which a test looks at the threshold alone.
    pub(crate) fn of_test(threshold: u8) -> Self {
        Self {
            wallet_id: [0; 16],
            curve: Curve::Ed25519,
            epoch: 0,
            session_id: [0; 32],
            roster: [0; 32],
            threshold,
            public_key: vec![],
            chain_code: [0; 32],
            transcript: [0; 32],
            workspace_id: None,
        }
    }
}

/// Without a workspace the bytes are those from before there were any, so that what was signed and stored still holds.
impl BorshSerialize for KeyStatement {
    fn serialize<W: Write>(&self, writer: &mut W) -> io::Result<()> {
        let form = self.curve as u8 + if self.workspace_id.is_some() { OF_WORKSPACE } else { 0 };
        (self.wallet_id, form, self.epoch, self.session_id, self.roster, self.threshold).serialize(writer)?;
        (&self.public_key, self.chain_code, self.transcript).serialize(writer)?;
        self.workspace_id.iter().try_for_each(|workspace_id| workspace_id.serialize(writer))
    }
}

impl BorshDeserialize for KeyStatement {
    fn deserialize_reader<R: Read>(reader: &mut R) -> io::Result<Self> {
        let wallet_id = Id::deserialize_reader(reader)?;
        let form = u8::deserialize_reader(reader)?;
        let curve = Curve::try_from_slice(&[form % OF_WORKSPACE])?;
        let (epoch, session_id, roster, threshold) = BorshDeserialize::deserialize_reader(reader)?;
        let (public_key, chain_code, transcript) = BorshDeserialize::deserialize_reader(reader)?;
        let workspace_id = match form / OF_WORKSPACE {
            0 => None,
            1 => Some(Id::deserialize_reader(reader)?),
            _ => return Err(io::ErrorKind::InvalidData.into()),
        };
        Ok(Self {
            wallet_id,
            curve,
            epoch,
            session_id,
            roster,
            threshold,
            public_key,
            chain_code,
            transcript,
            workspace_id,
        })
    }
}

#[derive(BorshSerialize, BorshDeserialize, Clone, Debug, PartialEq, Eq)]
pub struct Confirmation {
    pub node: u8,
    pub statement: KeyStatement,
    pub signature: [u8; 64],
}

impl KeyStatement {
    /// Whether a share of this statement takes the place of one of `current`. Of two that were confirmed by all for one
    /// epoch the smaller session id wins, so that nodes which heard of them in another order end with the same.
    /// The `present` roster comes first: a machine that was removed had a part in what an earlier one confirmed, and
    /// must not bring it back by a confirmation that it withheld.
    pub fn supersedes(&self, current: &KeyStatement, present: &[u8; 32]) -> bool {
        let key = |s: &KeyStatement| (s.wallet_id, s.curve, s.public_key.clone(), s.chain_code, s.workspace_id);
        let rank = |s: &KeyStatement| (s.roster != *present, s.session_id);
        let goes_back = current.roster == *present && self.roster != *present;
        let wins = self.epoch == current.epoch && self.epoch > 0 && rank(self) < rank(current);
        key(self) == key(current) && !goes_back && (self.epoch > current.epoch || wins)
    }
}

/// `"countersign/v1/key" ‖ Borsh(node, statement)`
pub fn confirmation_signing_bytes(node: u8, statement: &KeyStatement) -> Vec<u8> {
    [b"countersign/v1/key".as_slice(), &encode(&(node, statement))].concat()
}

impl Confirmation {
    pub fn sign(identity: &SigningKey, node: u8, statement: KeyStatement) -> Self {
        let signature = identity.sign(&confirmation_signing_bytes(node, &statement)).to_bytes();
        Self { node, statement, signature }
    }

    pub fn verifies(&self, identity: &VerifyingKey) -> bool {
        let bytes = confirmation_signing_bytes(self.node, &self.statement);
        signatures::ed25519(identity, &bytes, &self.signature)
    }
}
