//! Signing on ed25519 (FROST), three rounds: 1 commitments; 2 our share leaves; 3 aggregate. Nonces are made in round 1
//! of this very session, for this one message, and used once: the crate takes them by reference, this owns them.

use super::frost_messages::{decoded, encoded, fault, identifier};
use super::{Context, Fault, Messages, Next, Protocol, Step};
use crate::crypto::signatures;
use crate::keys::key_material::FrostKey;
use frost_ed25519::round1::{SigningCommitments, SigningNonces};
use frost_ed25519::round2::SignatureShare;
use frost_ed25519::{aggregate, round1, round2, SigningPackage};
use rand_core::OsRng;
use std::collections::BTreeMap;
use zeroize::Zeroizing;

pub struct Stage {
    key: FrostKey,
    state: State,
}

enum State {
    Committed { nonces: SigningNonces, commitments: SigningCommitments, signed: Vec<u8> },
    Shared { package: SigningPackage, own_share: SignatureShare, signed: Vec<u8> },
}

/// `signed` is the message that gets signed, a digest or longer.
pub fn begin(context: Context, key: FrostKey, signed: Vec<u8>) -> Result<Step, Fault> {
    let (nonces, commitments) = round1::commit(key.package.signing_share(), &mut OsRng);
    let outbound = context.same_to_all(Zeroizing::new(encoded(commitments.serialize())?));
    Ok(more(outbound, Stage { key, state: State::Committed { nonces, commitments, signed } }))
}

fn more(outbound: Messages, stage: Stage) -> Step {
    Step::more(outbound, Protocol::FrostSign(Box::new(stage)))
}

impl Stage {
    pub fn advance(self, context: &Context, inbound: &Messages) -> Result<Step, Fault> {
        let key = self.key;
        match self.state {
            State::Committed { nonces, commitments, signed } => {
                let mut all = BTreeMap::from([(identifier(context.me), commitments)]);
                for (peer, message) in inbound {
                    let theirs =
                        decoded(*peer, message, SigningCommitments::deserialize, SigningCommitments::serialize)?;
                    all.insert(identifier(*peer), theirs);
                }
                let package = SigningPackage::new(all, &signed);
                let own_share =
                    round2::sign(&package, &nonces, &key.package).map_err(|_| Fault::Abort("The signing failed."))?;
                let outbound = context.same_to_all(Zeroizing::new(own_share.serialize()));
                Ok(more(outbound, Stage { key, state: State::Shared { package, own_share, signed } }))
            }
            State::Shared { package, own_share, signed } => {
                let mut shares = BTreeMap::from([(identifier(context.me), own_share)]);
                for (peer, message) in inbound {
                    let share = decoded(*peer, message, SignatureShare::deserialize, |s| Ok(s.serialize()))?;
                    shares.insert(identifier(*peer), share);
                }
                finish(&key, &package, &shares, &signed)
            }
        }
    }
}

fn finish(
    key: &FrostKey,
    package: &SigningPackage,
    shares: &BTreeMap<frost_ed25519::Identifier, SignatureShare>,
    signed: &[u8],
) -> Result<Step, Fault> {
    const DETAIL: &str = "The signature does not verify.";
    let invalid = Fault::Abort(DETAIL);
    let signature = aggregate(package, shares, &key.public).map_err(|error| fault(error, DETAIL))?;
    let bytes: [u8; 64] = encoded(signature.serialize())?.try_into().map_err(|_| invalid)?;
    // Again, not with the crate that signed. That the key is of the prime order group was checked when it was made, and
    // its children are by their making.
    let public_key = key.public_key().ok_or(invalid)?;
    let key = signatures::derived_key(&public_key).ok_or(invalid)?;
    match signatures::ed25519(&key, signed, &bytes) {
        true => Ok(Step::last(Next::Signature { bytes, recovery_id: 0 })),
        false => Err(invalid),
    }
}
