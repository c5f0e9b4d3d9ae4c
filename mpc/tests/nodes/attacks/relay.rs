//! Goal: who relays, and has no key, can delay and drop, and nothing else: no signature but the one that was asked for,
//! no crash, no ban. Method: honest nodes only, with each round's envelopes in hostile hands. Hellos and single
//! envelopes of a signing: see `envelopes`.

use super::session::*;
use crate::keys::refresh::assert_no_bans;
use crate::support::drive::{Drive, Mail};
use crate::support::fixture::*;
use mpc_node::wire::*;

#[derive(Clone, Copy, Debug)]
enum Hand {
    FlipFirst,
    FlipMiddle,
    FlipLast,
    Cut,
    Longer,
    Empty,
    Drop,
    DropAll,
    Duplicate,
    Reorder,
    EarlierRound,
    EarlierSession,
    Reflect,
    /// What is for another, to this one.
    Misdeliver,
    /// Under another sender's name.
    Rename,
    Oversized,
}

const HANDS: [Hand; 16] = [
    Hand::FlipFirst,
    Hand::FlipMiddle,
    Hand::FlipLast,
    Hand::Cut,
    Hand::Longer,
    Hand::Empty,
    Hand::Drop,
    Hand::DropAll,
    Hand::Duplicate,
    Hand::Reorder,
    Hand::EarlierRound,
    Hand::EarlierSession,
    Hand::Reflect,
    Hand::Misdeliver,
    Hand::Rename,
    Hand::Oversized,
];

impl Hand {
    /// On the mail of participant `victim`. `earlier` is the mail of the round before and of an earlier session.
    fn touch(self, victim: u8, mail: &mut Mail, before: &Mail, session: &Mail) {
        let all = mail.clone();
        let Some(envelopes) = mail.get_mut(&victim).filter(|envelopes| !envelopes.is_empty()) else { return };
        let last = envelopes.len() - 1;
        let sender = envelopes[last].peer;
        let sealed = &mut envelopes[last].sealed;
        let length = sealed.len();
        match self {
            Hand::FlipFirst => sealed[0] ^= 1,
            Hand::FlipMiddle => sealed[length / 2] ^= 1,
            Hand::FlipLast => sealed[length - 1] ^= 0x80,
            Hand::Cut => sealed.truncate(length - 1),
            Hand::Longer => sealed.push(0),
            Hand::Empty => sealed.clear(),
            Hand::Oversized => sealed.resize(256 * 1024 + 1, 0),
            Hand::Drop => drop(envelopes.pop()),
            Hand::DropAll => envelopes.clear(),
            Hand::Duplicate => envelopes.push(envelopes[last].clone()),
            Hand::Reorder => envelopes.reverse(),
            Hand::EarlierRound => *envelopes = before.get(&victim).cloned().unwrap_or_default(),
            Hand::EarlierSession => *envelopes = session.get(&victim).cloned().unwrap_or_default(),
            // What the victim said itself, to the one whose envelope this is.
            Hand::Reflect => {
                let own = all.get(&sender).and_then(|sent| sent.iter().find(|envelope| envelope.peer == victim));
                own.into_iter().for_each(|own| envelopes[last].sealed.clone_from(&own.sealed));
            }
            Hand::Misdeliver => {
                let others = all.iter().filter(|(receiver, _)| **receiver != victim && **receiver != sender);
                let other = others.flat_map(|(_, sent)| sent).find(|envelope| envelope.peer == sender);
                other.into_iter().for_each(|other| envelopes[last].sealed.clone_from(&other.sealed));
            }
            Hand::Rename => envelopes[last].peer = (1..=3).find(|index| *index != sender && *index != victim).unwrap(),
        }
    }
}

/// The mail of each round of a session that nobody touches.
fn recorded(act: Act, curve: Curve) -> Vec<Mail> {
    let scene = Scene::new(act, curve);
    let mut mails = vec![Mail::new()];
    let operation = scene.operation(&[1, 3]);
    let drive = Drive::honest(&scene.cluster, operation.clone());
    let verdicts = drive.verdicts_with(|_, mail| mails.push(mail.clone()));
    assert!(verdicts.values().all(|verdict| refused(verdict).is_none()), "{verdicts:?}");
    mails
}

fn every_cell(act: Act, curve: Curve) {
    let (earlier, mut scene) = (recorded(act, curve), Scene::new(act, curve));
    // All alike in a generation or a refresh; in a repair one helps and one is helped.
    let victims: &[u8] = match act {
        Act::Generate | Act::Refresh => &[2],
        Act::Sign => &[1, 3],
        Act::Repair => &[2, TARGET],
    };
    let cells = victims.iter().flat_map(|victim| {
        (1..=act.rounds(curve)).flat_map(move |round| HANDS.iter().map(move |hand| (round, (*victim, *hand))))
    });
    let (mut ended, cells) = (0, cells.collect::<Vec<_>>());
    let of = cells.len();
    let tried = all_or_some(act.is_slow(curve), cells, |round, (victim, hand)| {
        let operation = scene.operation(&[1, 3]);
        let participants = operation.participants().to_vec();
        let mut before = Mail::new();
        let verdicts = Drive::honest(&scene.cluster, operation.clone()).verdicts_with(|at, mail| {
            let untouched = mail.clone();
            if at == round {
                hand.touch(victim, mail, &before, &earlier[usize::from(round)]);
            }
            before = untouched;
        });
        println!("{act:?} {curve:?} to {victim} round {round} {hand:?}: {:?}", refused(&verdicts[&victim]));
        ended += usize::from(refused(&verdicts[&victim]).is_some());
        assert_no_bans(&scene.cluster);
        if !scene.check(&operation, &participants, &verdicts) {
            scene = Scene::new(act, curve);
        }
        scene.honest_still_sign(&[1, 3, 2]);
    });
    println!("{act:?} {curve:?}: {tried} of {of} cells, {ended} ended");
    // In a session of two there is nobody else's mail, and nothing to reorder.
    assert!(ended * 10 >= tried * 8, "{ended} of {tried} ended");
}

#[test]
fn a_relay_in_signings() {
    CURVES.iter().for_each(|curve| every_cell(Act::Sign, *curve));
}

#[test]
fn a_relay_in_generations() {
    CURVES.iter().for_each(|curve| every_cell(Act::Generate, *curve));
}

#[test]
fn a_relay_in_refreshes() {
    CURVES.iter().for_each(|curve| every_cell(Act::Refresh, *curve));
}

#[test]
fn a_relay_in_repairs() {
    CURVES.iter().for_each(|curve| every_cell(Act::Repair, *curve));
}
