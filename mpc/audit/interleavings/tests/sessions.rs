//! Goal: the state of a session is used once, and nothing of a session outlives its end, whatever the order of threads.
//! Method: loom tries each order of their locks on the node's own table of sessions.

use ed25519_dalek::SigningKey;
use interleavings::sessions::{Facts, Session, Sessions, Stage};
use loom::sync::atomic::{AtomicUsize, Ordering};
use loom::sync::Arc;
use loom::thread;
use mpc_node::limits::Limits;
use mpc_node::wire::command::{Command, Operation, Payload, PROTOCOL_VERSION};
use mpc_node::wire::hello::Agreement;
use mpc_node::wire::{encode, Curve, Id};

const ME: u8 = 1;
const PEER: u8 = 2;
const ROOT: [u8; 32] = [3; 32];
const COMMAND: Id = [1; 16];

/// A session of the pair that has been opened.
fn session(command_id: Id) -> Session {
    let operation = Operation::Sign {
        operation_id: [2; 16],
        wallet_id: [4; 16],
        curve: Curve::Ed25519,
        path: vec![],
        attempt: 1,
        signers: vec![ME, PEER],
        payload: Payload::KeyTest,
    };
    let command =
        Command { version: PROTOCOL_VERSION, command_id, roster: [0; 32], expires_at_ms: u64::MAX, operation };
    let agreement = Agreement { command: encode(&command), root_public_key: ROOT.to_vec(), epoch: 0 };
    let (hello, ephemeral_secret) = agreement.greet(&SigningKey::from_bytes(&[5; 32]), ME);
    let facts = Facts { command, agreement, share: None, charges: vec![] };
    Session { facts, stage: Stage::Opened { hello, ephemeral_secret } }
}

fn sessions(limits: Limits) -> Arc<Sessions> {
    Arc::new(Sessions::new(limits))
}

fn opened() -> Arc<Sessions> {
    let sessions = sessions(Limits::default());
    sessions.insert(session(COMMAND), ME).expect("there is room");
    sessions
}

#[test]
fn two_requests_for_one_round_get_its_state_once() {
    loom::model(|| {
        let (sessions, taken) = (opened(), Arc::new(AtomicUsize::new(0)));
        let takers: Vec<_> = (0..2)
            .map(|_| {
                let (sessions, taken) = (sessions.clone(), taken.clone());
                thread::spawn(move || {
                    let Ok((ticket, session)) = sessions.take(COMMAND) else { return };
                    assert_eq!(taken.fetch_add(1, Ordering::SeqCst), 0, "the state is out twice");
                    taken.fetch_sub(1, Ordering::SeqCst);
                    sessions.park(ticket, session).expect("nobody has ended it");
                })
            })
            .collect();
        takers.into_iter().for_each(|taker| taker.join().unwrap());
        assert!(sessions.take(COMMAND).is_ok());
    });
}

/// A ban, or a commit that replaces the share, while a round is computed: either its answer is refused, or it left
/// before. Afterwards nothing of the session is there.
#[test]
fn what_is_worked_on_when_its_pair_is_banned_or_its_key_replaced_does_not_come_back() {
    for end in [|sessions: &Sessions| sessions.end_pair(&ROOT, PEER), |sessions: &Sessions| sessions.end_key(&ROOT)] {
        loom::model(move || {
            let sessions = opened();
            let worker = {
                let sessions = sessions.clone();
                thread::spawn(move || {
                    let Ok((ticket, session)) = sessions.take(COMMAND) else { return };
                    // Refused or not: who ends it may come before or after.
                    let _ = sessions.park(ticket, session);
                })
            };
            end(&sessions);
            assert_eq!(sessions.live(), 0);
            worker.join().unwrap();
            assert_eq!(sessions.live(), 0);
        });
    }
}

/// The command is opened anew while a worker still has the session of before: it neither parks into it nor ends it.
#[test]
fn a_late_worker_touches_no_successor() {
    for parks in [true, false] {
        loom::model(move || {
            let sessions = opened();
            let (ticket, session_of_before) = sessions.take(COMMAND).expect("it is there");
            let worker = {
                let sessions = sessions.clone();
                thread::spawn(move || match parks {
                    true => _ = sessions.park(ticket, session_of_before),
                    false => sessions.end(ticket),
                })
            };
            sessions.end_pair(&ROOT, PEER);
            sessions.insert(session(COMMAND), ME).expect("the one of before is gone");
            let (successor, state) = sessions.take(COMMAND).expect("its state is its own");
            worker.join().unwrap();
            assert!(sessions.take(COMMAND).is_err(), "somebody has parked into it");
            sessions.park(successor, state).expect("nobody has ended it");
        });
    }
}

#[test]
fn two_requests_at_once_do_not_get_beyond_the_limit() {
    loom::model(|| {
        let sessions = sessions(Limits { live_sessions: 1, ..Limits::default() });
        let opened: Vec<_> = [[1; 16], [2; 16]]
            .map(|command_id| {
                let sessions = sessions.clone();
                thread::spawn(move || usize::from(sessions.insert(session(command_id), ME).is_ok()))
            })
            .into_iter()
            .map(|opener| opener.join().unwrap())
            .collect();
        assert_eq!((opened.iter().sum::<usize>(), sessions.live()), (1, 1));
    });
}
