//! The sessions that are attacked, and what must be true of the honest nodes afterwards, whatever was done to them.

use crate::keys::refresh::{committed_path, share};
use crate::signing::verify;
use crate::support::drive::Drive;
use crate::support::fixture::*;
use mpc_node::keys::key_material::KeyMaterial;
use mpc_node::wire::command::{Operation, Payload};
use mpc_node::wire::key_statement::Confirmation;
use mpc_node::wire::refusal::Refusal;
use mpc_node::wire::refusal::RefusalCode::*;
use mpc_node::wire::*;
use std::collections::BTreeMap;
use std::time::Duration;

pub const DIGEST: [u8; 32] = [7; 32];
/// Who gets a share again in a repair.
pub const TARGET: u8 = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    Generate,
    Sign,
    Refresh,
    Repair,
}

impl Act {
    /// Those whose messages somebody sends: the last round only answers.
    pub fn rounds(self, curve: Curve) -> u8 {
        match (self, curve) {
            (Act::Generate | Act::Refresh, _) => last_round(curve) - 1,
            (Act::Sign, Curve::Secp256k1) => 3,
            (Act::Sign, Curve::Ed25519) | (Act::Repair, _) => 2,
        }
    }

    /// A generation of seconds, and a refresh, cannot be tried in all ways each time.
    pub fn is_slow(self, curve: Curve) -> bool {
        matches!(self, Act::Generate | Act::Refresh) && curve == Curve::Secp256k1
    }
}

/// A cluster that is used until something lasting happened to it, and what is asked of it.
pub struct Scene {
    pub act: Act,
    pub curve: Curve,
    pub cluster: TestCluster,
    lost: Vec<u8>,
}

impl Scene {
    pub fn new(act: Act, curve: Curve) -> Self {
        let mut cluster = TestCluster::with_keys();
        let lost = secret(&cluster, TARGET, curve);
        if act == Act::Repair {
            cluster.stop(TARGET);
            std::fs::remove_file(committed_path(&cluster, TARGET, curve)).unwrap();
            cluster.restart(TARGET);
        }
        Self { act, curve, cluster, lost }
    }

    /// A new wallet for each generation.
    pub fn operation(&self, signers: &[u8]) -> Operation {
        match self.act {
            Act::Generate => generation(id(), self.curve),
            Act::Sign => signing(self.curve, signers, &[4], Payload::RawDigest(DIGEST)),
            Act::Refresh => refreshing(self.curve, 1),
            Act::Repair => self.cluster.repairing(self.curve, TARGET),
        }
    }

    /// What the honest ones answered is right or a refusal, and what they hold is whole. True if the cluster is as it
    /// was.
    pub fn check(&self, operation: &Operation, honest: &[u8], verdicts: &BTreeMap<u8, ResponseBody>) -> bool {
        let mut outcomes = vec![];
        let mut banned = false;
        for index in honest {
            match &verdicts[index] {
                ResponseBody::Round { outcome: Some(outcome), .. } => outcomes.push((*index, outcome.clone())),
                ResponseBody::Refused(refusal) if refusal.code == SessionAborted => {}
                ResponseBody::Refused(refusal) if refusal.code == Banned && self.act == Act::Sign => banned = true,
                other => panic!("{operation:?}: node {index} answers {other:?}"),
            }
            assert_eq!(health(&self.cluster, *index).live_sessions, 0, "the session of node {index} ended");
        }
        let untouched = match self.act {
            Act::Generate => self.check_generated(operation, &outcomes),
            Act::Sign => self.check_signed(&outcomes),
            Act::Refresh => self.check_refreshed(&outcomes),
            Act::Repair => self.check_repaired(&outcomes),
        };
        untouched && !banned
    }

    fn check_signed(&self, outcomes: &[(u8, Outcome)]) -> bool {
        let statement = &self.cluster.held(1, self.curve).0[0].statement;
        let key = crate::signing::child_key(self.curve, &statement.public_key, statement.chain_code, &[4]);
        let outcomes: Vec<_> = outcomes.iter().map(|(_, outcome)| outcome.clone()).collect();
        verify(self.curve, &key, DIGEST, &outcomes);
        true
    }

    /// With the word of all other nodes a key of one honest node is committed nowhere, and of two it is one key, which
    /// signs.
    fn check_generated(&self, operation: &Operation, outcomes: &[(u8, Outcome)]) -> bool {
        let wallet_id = operation.wallet_id();
        let all = self.completed(outcomes);
        for (index, _) in outcomes {
            let answer = self.cluster.commit(*index, &all);
            if outcomes.len() == 1 {
                assert_refused(&answer, Unauthorized);
                continue;
            }
            assert_eq!(answer, ResponseBody::Committed(all[0].statement.clone()));
        }
        if outcomes.len() > 1 {
            let signers: Vec<u8> = outcomes.iter().map(|(index, _)| *index).take(2).collect();
            let (curve, path, payload) = (self.curve, vec![], Payload::RawDigest(DIGEST));
            let sign = Operation::Sign { operation_id: id(), attempt: 1, wallet_id, curve, path, signers, payload };
            verify(curve, &all[0].statement.public_key, DIGEST, &Drive::honest(&self.cluster, sign).finish());
        }
        true
    }

    fn check_refreshed(&self, outcomes: &[(u8, Outcome)]) -> bool {
        let all = self.completed(outcomes);
        for (index, _) in outcomes {
            let answer = self.cluster.commit(*index, &all);
            match outcomes.len() {
                1 => assert_refused(&answer, Unauthorized),
                _ => assert_eq!(answer, ResponseBody::Committed(all[0].statement.clone())),
            }
        }
        outcomes.is_empty()
    }

    /// The target has the very share that was lost, or none; the others have theirs.
    fn check_repaired(&self, outcomes: &[(u8, Outcome)]) -> bool {
        let repaired = outcomes.iter().any(|(index, _)| *index == TARGET);
        match self.cluster.key_state(TARGET, self.curve) {
            ResponseBody::KeyState(KeyState::Absent) => assert!(!repaired),
            ResponseBody::KeyState(KeyState::Unsettled { signs: false, .. }) => {
                assert!(repaired);
                assert_eq!(secret(&self.cluster, TARGET, self.curve), self.lost);
            }
            other => panic!("{other:?}"),
        }
        !repaired
    }

    /// The honest nodes' confirmations, which must be of one statement, and for all other nodes the same under the
    /// rogue's key: it signs with its own where the node is the rogue, and in vain where it is not.
    fn completed(&self, outcomes: &[(u8, Outcome)]) -> Vec<Confirmation> {
        let confirmation = |outcome: &Outcome| match outcome {
            Outcome::Key(confirmation) => confirmation.clone(),
            other => panic!("{other:?}"),
        };
        let honest: BTreeMap<u8, _> = outcomes.iter().map(|(index, outcome)| (*index, confirmation(outcome))).collect();
        let Some(first) = honest.values().next() else { return vec![] };
        assert!(honest.values().all(|other| other.statement == first.statement), "two keys of one session");
        let rogue = (1..=3).find(|index| !honest.contains_key(index)).unwrap_or(3);
        let identity = self.cluster.identity(rogue);
        let lent = |index| Confirmation::sign(&identity, index, first.statement.clone());
        (1..=3).map(|index| honest.get(&index).cloned().unwrap_or_else(|| lent(index))).collect()
    }

    /// The honest ones, with what they hold now.
    pub fn honest_still_sign(&self, honest: &[u8]) {
        let signers = if self.act == Act::Repair { &[1, 2] } else { &honest[..2] };
        Drive::honest(&self.cluster, raw(self.curve, signers)).finish();
    }
}

pub fn refused(answer: &ResponseBody) -> Option<&Refusal> {
    match answer {
        ResponseBody::Refused(refusal) => Some(refusal),
        _ => None,
    }
}

pub fn health(cluster: &TestCluster, index: u8) -> Health {
    match cluster.ask(index, RequestBody::Health) {
        ResponseBody::Health(health) => health,
        other => panic!("{other:?}"),
    }
}

pub fn secret(cluster: &TestCluster, index: u8, curve: Curve) -> Vec<u8> {
    match &share(cluster, index, curve).material {
        KeyMaterial::Secp256k1(party) => party.poly_point.to_bytes().to_vec(),
        KeyMaterial::Ed25519(key) => key.package.signing_share().serialize(),
    }
}

pub fn takes_all_the_time() -> bool {
    std::env::var("MPC_ATTACKS").is_ok_and(|which| which == "all")
}

/// Goes through all cases, or where they are slow through one of each round and then as many others as there is time
/// for, from the early rounds on: there a session ends before it has computed much. `MPC_ATTACKS=all` takes the time.
pub fn all_or_some<C: Copy>(slow: bool, mut cases: Vec<(u8, C)>, mut run: impl FnMut(u8, C)) -> usize {
    const TIME: Duration = Duration::from_secs(2);
    let mut random = crate::hostile::Random(0x5eed_000a);
    for at in (1..cases.len()).rev() {
        cases.swap(at, random.next() as usize % (at + 1));
    }
    let mut seen = std::collections::BTreeSet::new();
    let (first, mut rest): (Vec<_>, Vec<_>) = cases.into_iter().partition(|(round, _)| seen.insert(*round));
    rest.sort_by_key(|(round, _)| *round);
    let mut tried = first.len();
    first.into_iter().for_each(|(round, case)| run(round, case));
    let (all, started) = (!slow || takes_all_the_time(), own_time());
    for (round, case) in rest {
        if !all && own_time() - started > TIME {
            break;
        }
        run(round, case);
        tried += 1;
    }
    tried
}

/// What this thread has computed: how busy the machine is does not decide what is tried.
fn own_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a value that outlives the call.
    assert_eq!(unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) }, 0);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
