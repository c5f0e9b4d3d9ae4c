//! What a malicious node does to what it says: the hands, and what they need to remember.

use crate::hostile::Random;
use crate::support::drive::Mail;
use std::collections::BTreeMap;

/// What was said in a session: round and receiver.
pub type Said = BTreeMap<(u8, u8), Vec<u8>>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hand {
    // Wrong.
    FlipFirst,
    FlipMiddle,
    FlipLast,
    FlipSomewhere,
    Zeros,
    // Missing: the message, the envelope, a byte.
    Empty,
    Missing,
    Short,
    // Repeated: the envelope, the message, the one of the round before.
    TwoEnvelopes,
    Twice,
    Earlier,
    // Swapped: with the other receiver's, with that of an earlier session.
    Swapped,
    OtherSession,
    // Oversized: by a byte, up to the cap, beyond it.
    Long,
    UpToTheCap,
    Oversized,
    // Random: of this length, of any.
    Random,
    RandomLength,
}

pub const HANDS: [Hand; 18] = [
    Hand::FlipFirst,
    Hand::FlipMiddle,
    Hand::FlipLast,
    Hand::FlipSomewhere,
    Hand::Zeros,
    Hand::Empty,
    Hand::Missing,
    Hand::Short,
    Hand::TwoEnvelopes,
    Hand::Twice,
    Hand::Earlier,
    Hand::Swapped,
    Hand::OtherSession,
    Hand::Long,
    Hand::UpToTheCap,
    Hand::Oversized,
    Hand::Random,
    Hand::RandomLength,
];

impl Hand {
    /// In the mail, where the malicious node's envelopes lie.
    pub fn touch_mail(self, rogue: u8, mail: &mut Mail) {
        for envelopes in mail.values_mut() {
            match self {
                Hand::Missing => envelopes.retain(|envelope| envelope.peer != rogue),
                Hand::TwoEnvelopes => {
                    let again = envelopes.iter().position(|envelope| envelope.peer == rogue);
                    again.into_iter().for_each(|at| envelopes.insert(at, envelopes[at].clone()));
                }
                _ => {}
            }
        }
    }

    /// A message to `peer` before it is sealed. `cap` is what an envelope may hold.
    pub fn touch(
        self,
        (round, peer): (u8, u8),
        message: &mut Vec<u8>,
        cap: usize,
        said: &Said,
        earlier: &Said,
        random: &mut Random,
    ) {
        let length = message.len();
        let mut flip = |at: usize, with: u8| {
            if let Some(byte) = message.get_mut(at) {
                *byte ^= with;
            }
        };
        match self {
            Hand::FlipFirst => flip(0, 1),
            Hand::FlipMiddle => flip(length / 2, 1),
            Hand::FlipLast => flip(length.saturating_sub(1), 1),
            Hand::FlipSomewhere => flip(random.next() as usize % length.max(1), 1 << (random.next() % 8)),
            Hand::Zeros => message.fill(0),
            Hand::Empty => message.clear(),
            Hand::Short => drop(message.pop()),
            Hand::Twice => message.extend(message.clone()),
            Hand::Earlier => message.clone_from(said.get(&(round.saturating_sub(1), peer)).unwrap_or(&vec![])),
            Hand::Swapped => {
                // The message for the first receiver, to the second.
                let other = said.iter().find(|((at, to), _)| *at == round && *to != peer);
                other.into_iter().for_each(|(_, other)| message.clone_from(other));
            }
            Hand::OtherSession => message.clone_from(earlier.get(&(round, peer)).unwrap_or(&vec![])),
            Hand::Long => message.push(0),
            Hand::UpToTheCap => message.resize(cap - 16, 0),
            Hand::Oversized => message.resize(cap - 15, 0),
            Hand::Random => message.iter_mut().for_each(|byte| *byte = random.next() as u8),
            Hand::RandomLength => {
                *message = (0..random.next() % 2048).map(|_| random.next() as u8).collect();
            }
            Hand::Missing | Hand::TwoEnvelopes => {}
        }
    }
}
