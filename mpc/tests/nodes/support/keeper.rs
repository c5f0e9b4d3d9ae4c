//! What an orchestrator does with the shares of a key: generate, refresh, repair, commit, and find out after a crash
//! where all nodes are.

use crate::support::drive::Drive;
use crate::support::fixture::*;
use mpc_node::wire::command::Operation;
use mpc_node::wire::key_statement::Confirmation;
use mpc_node::wire::*;

impl TestCluster {
    pub fn generate(&self, wallet_id: Id, curve: Curve) -> Vec<Confirmation> {
        self.make_shares(generation(wallet_id, curve))
    }

    /// Prepares new shares of the key of `WALLET` on all nodes.
    pub fn refresh(&self, curve: Curve, epoch: u32) -> Vec<Confirmation> {
        self.make_shares(refreshing(curve, epoch))
    }

    pub fn refresh_and_commit(&self, curve: Curve, epoch: u32) -> Vec<Confirmation> {
        let confirmations = self.refresh(curve, epoch);
        (1..=3).for_each(|index| drop(self.commit(index, &confirmations)));
        confirmations
    }

    fn make_shares(&self, operation: Operation) -> Vec<Confirmation> {
        let outcomes = Drive::honest(self, operation).finish();
        let key = |outcome| match outcome {
            Outcome::Key(confirmation) => confirmation,
            other => panic!("{other:?}"),
        };
        outcomes.into_iter().map(key).collect()
    }

    pub fn commit(&self, index: u8, confirmations: &[Confirmation]) -> ResponseBody {
        self.ask(index, RequestBody::Commit { confirmations: confirmations.to_vec() })
    }

    /// The committed and the prepared of a node that holds the key of `WALLET`, and whether it signs.
    pub fn held(&self, index: u8, curve: Curve) -> (Vec<Confirmation>, Vec<Confirmation>, bool) {
        match self.key_state(index, curve) {
            ResponseBody::KeyState(KeyState::Committed(committed)) => (committed, vec![], true),
            ResponseBody::KeyState(KeyState::Unsettled { committed, prepared, signs }) => (committed, prepared, signs),
            other => panic!("{other:?}"),
        }
    }

    pub fn epoch(&self, index: u8, curve: Curve) -> u32 {
        self.held(index, curve).0[0].statement.epoch
    }

    /// What PROTOCOL.md has an orchestrator do after a crash, without knowing what went before: the best complete
    /// certificate that the nodes show goes to all. The epoch that all are at then.
    pub fn converge(&self, curve: Curve) -> u32 {
        let states: Vec<_> = (1..=3).map(|index| self.held(index, curve)).collect();
        let mut certificates: Vec<_> = states.iter().map(|(committed, _, _)| committed.clone()).collect();
        for confirmation in &states[0].1 {
            let same = |c: &&Confirmation| c.statement == confirmation.statement;
            let all: Vec<_> =
                states.iter().filter_map(|(_, prepared, _)| prepared.iter().find(same).cloned()).collect();
            certificates.extend((all.len() == 3).then_some(all));
        }
        let worth = |all: &Vec<Confirmation>| (all[0].statement.epoch, std::cmp::Reverse(all[0].statement.session_id));
        let best = certificates.into_iter().max_by_key(worth).unwrap();
        for index in 1..=3 {
            assert_eq!(self.commit(index, &best), ResponseBody::Committed(best[0].statement.clone()));
        }
        best[0].statement.epoch
    }

    pub fn every_quorum_signs(&self, curve: Curve) {
        QUORUMS.iter().for_each(|signers| drop(Drive::honest(self, raw(curve, signers)).finish()));
    }

    pub fn generate_and_commit(&self, wallet_id: Id, curve: Curve) {
        self.commit_generation(generation(wallet_id, curve));
    }

    pub fn commit_generation(&self, operation: Operation) {
        let confirmations = self.make_shares(operation);
        for index in 1..=3 {
            let answer = self.ask(index, RequestBody::Commit { confirmations: confirmations.clone() });
            assert_eq!(answer, ResponseBody::Committed(confirmations[0].statement.clone()));
        }
    }

    /// Of the key of `WALLET` as node 1 or 2 holds it.
    pub fn repairing(&self, curve: Curve, target: u8) -> Operation {
        let known = self.held(if target == 1 { 2 } else { 1 }, curve).0[0].statement.clone();
        let (wallet_id, epoch, public_key) = (WALLET, known.epoch, known.public_key);
        Operation::Repair { wallet_id, curve, epoch, public_key, target, nodes: vec![1, 2, 3] }
    }

    pub fn repair(&self, curve: Curve, target: u8) {
        let outcomes = Drive::honest(self, self.repairing(curve, target)).finish();
        let statement = self.held(if target == 1 { 2 } else { 1 }, curve).0[0].statement.clone();
        assert_eq!(outcomes, vec![Outcome::Repaired(statement); 3]);
    }
}
