//! Goal: a policy that names a workspace holds for the keys that were made for it and for no others, whatever a later
//! command claims. Method: the pure check on statements; then nodes whose keys are made for two workspaces, refreshed,
//! repaired, restored, and claimed by whoever holds the command key, or a node.

use crate::backup::{backed_up, later, restored, wipe};
use crate::keys::repair::lose;
use crate::support::drive::Drive;
use crate::support::fixture::*;
use mpc_node::policy::Policy;
use mpc_node::wire::command::{Command, Payload};
use mpc_node::wire::key_statement::{Confirmation, KeyStatement};
use mpc_node::wire::refusal::RefusalCode::{self, *};
use mpc_node::wire::*;

const HOT: Id = [0xc1; 16];
const TREASURY: Id = [0xc2; 16];
const HOT_ALONE: &str = r#"{"wallets": ["workspace:c1c1c1c1-c1c1-c1c1-c1c1-c1c1c1c1c1c1"], "raw_digests": true}"#;

/// Three nodes that sign for the workspace `HOT` alone; `WALLET` has keys that were made for `workspace_id`.
fn cluster_with_keys_of(workspace_id: Id) -> TestCluster {
    let mut cluster = TestCluster::new();
    CURVES.iter().for_each(|curve| cluster.commit_generation(generation_for(workspace_id, WALLET, *curve)));
    cluster.policy = HOT_ALONE.into();
    (1..=3).for_each(|index| cluster.restart(index));
    cluster
}

#[track_caller]
fn refuses(cluster: &TestCluster, curve: Curve) {
    for index in [1, 2] {
        assert_refused(&cluster.ask(index, cluster.signed(&cluster.command(raw(curve, &[1, 2])))), PolicyRefused);
    }
}

/// Every node's record.
fn workspaces(cluster: &TestCluster, curve: Curve) -> Vec<Option<Id>> {
    (1..=3).map(|index| cluster.held(index, curve).0[0].statement.workspace_id).collect()
}

/// With which code a policy refuses a payment of a key whose statement says `workspace_id`.
fn refusal(json: &str, workspace_id: Option<Id>) -> Option<RefusalCode> {
    let (session_id, roster, chain_code, transcript) = ([0; 32], [0; 32], [0; 32], [0; 32]);
    let (curve, public_key) = (Curve::Ed25519, vec![]);
    let threshold = 2;
    let statement = KeyStatement {
        wallet_id: WALLET,
        curve,
        epoch: 0,
        session_id,
        roster,
        threshold,
        public_key,
        chain_code,
        transcript,
        workspace_id,
    };
    let operation = signing(curve, &[1, 2], &[], Payload::SolanaMessage(b"hello".to_vec()));
    let refused = Policy::parse(json).unwrap().check(&operation, Some(&statement), 0).err();
    refused.map(|refused| refused.code)
}

#[test]
fn a_wallet_is_covered_by_its_id_or_by_the_workspace_of_its_key() {
    const HOT_ID: &str = "workspace:c1c1c1c1-c1c1-c1c1-c1c1-c1c1c1c1c1c1";
    const TREASURY_ID: &str = "workspace:c2c2c2c2-c2c2-c2c2-c2c2-c2c2c2c2c2c2";
    // The workspace's id as a wallet's is no selector of the workspace, and the other way round.
    const NOBODY: &str = "c1c1c1c1-c1c1-c1c1-c1c1-c1c1c1c1c1c1";
    const OWN: &str = "aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa";
    const OWN_AS_WORKSPACE: &str = "workspace:aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa";
    // Whether it is signed for the key of the workspace, of another, and of none.
    let cases: [(&[&str], [bool; 3]); 9] = [
        (&[], [false, false, false]),
        (&[HOT_ID], [true, false, false]),
        (&[TREASURY_ID], [false, true, false]),
        (&[HOT_ID, TREASURY_ID], [true, true, false]),
        (&[OWN], [true, true, true]),
        (&[OWN, TREASURY_ID], [true, true, true]),
        (&[NOBODY], [false, false, false]),
        (&[NOBODY, TREASURY_ID], [false, true, false]),
        (&[OWN_AS_WORKSPACE], [false, false, false]),
    ];
    for (wallets, signed) in cases {
        let json = serde_json::json!({"wallets": wallets}).to_string();
        for (workspace_id, signed) in [Some(HOT), Some(TREASURY), None].into_iter().zip(signed) {
            assert_eq!(refusal(&json, workspace_id), (!signed).then_some(PolicyRefused), "{json} {workspace_id:?}");
        }
    }
    for nothing in ["{}", r#"{"paused": {"wallets": []}}"#] {
        assert!(!Policy::parse(nothing).unwrap().paused.is_any(), "{nothing}");
    }
    // A pause takes with it the keys that may be of the workspace, and comes before what is allowed.
    for (pause, paused) in [
        (HOT_ID, [true, false, true]),
        (TREASURY_ID, [false, true, true]),
        (OWN, [true, true, true]),
        (NOBODY, [false, false, false]),
    ] {
        let json = serde_json::json!({"paused": {"wallets": [pause]}, "wallets": [OWN]}).to_string();
        assert!(Policy::parse(&json).unwrap().paused.is_any());
        for (workspace_id, paused) in [Some(HOT), Some(TREASURY), None].into_iter().zip(paused) {
            assert_eq!(refusal(&json, workspace_id), paused.then_some(Paused), "{json} {workspace_id:?}");
        }
    }
}

#[test]
fn keys_made_for_a_workspace_sign_where_the_policy_names_it() {
    let cluster = cluster_with_keys_of(HOT);
    let other = cluster_with_keys_of(TREASURY);
    for curve in CURVES {
        assert_eq!(workspaces(&cluster, curve), [Some(HOT); 3]);
        cluster.every_quorum_signs(curve);
        assert_eq!(workspaces(&other, curve), [Some(TREASURY); 3]);
        refuses(&other, curve);
    }
    // A key of a command that says no workspace, as workers from before send it.
    let before = TestCluster::with_policy(HOT_ALONE);
    for curve in CURVES {
        assert_eq!(workspaces(&before, curve), [None; 3]);
        refuses(&before, curve);
        before.refresh_and_commit(curve, 1);
        assert_eq!(workspaces(&before, curve), [None; 3]);
        refuses(&before, curve);
    }
}

/// Who holds the command key may command what he likes: the key's record stays.
#[test]
fn no_later_command_moves_a_key_to_another_workspace() {
    let cluster = cluster_with_keys_of(TREASURY);
    for curve in CURVES {
        let again = cluster.command(generation_for(HOT, WALLET, curve));
        (1..=3).for_each(|index| assert_refused(&cluster.ask(index, cluster.signed(&again)), WalletExists));
        cluster.refresh_and_commit(curve, 1);
        assert_eq!(workspaces(&cluster, curve), [Some(TREASURY); 3]);
        // Not even if every node's identity had signed it.
        let held = cluster.held(1, curve).0;
        let statement = KeyStatement { workspace_id: Some(HOT), epoch: 2, ..held[0].statement.clone() };
        let identity = |index| cluster.identity(index);
        let signed: Vec<_> = (1..=3).map(|i| Confirmation::sign(&identity(i), i, statement.clone())).collect();
        for index in 1..=3 {
            let answer = cluster.ask(index, RequestBody::Commit { confirmations: signed.clone() });
            assert_refused(&answer, WalletExists);
        }
        refuses(&cluster, curve);
    }
}

/// The command's bytes are in every hello, and the statement in every confirmation.
#[test]
fn no_node_records_another_workspace_than_the_others() {
    for curve in CURVES {
        let cluster = TestCluster::new();
        let command = cluster.command(generation_for(HOT, WALLET, curve));
        for claimed in [generation_for(TREASURY, WALLET, curve), generation(WALLET, curve)] {
            // Two stories under one command id: each node has a hello of its own story.
            let command = Command { command_id: id(), ..command.clone() };
            let other = Command { operation: claimed, ..command.clone() };
            let hello = |node, command| match cluster.ask(node, cluster.signed(command)) {
                ResponseBody::Opened(hello) => hello,
                answer => panic!("{answer:?}"),
            };
            let hellos = vec![hello(1, &command), hello(2, &other), hello(3, &command)];
            for node in 1..=3 {
                let start = RequestBody::Start { command_id: command.command_id, hellos: hellos.clone() };
                assert_refused(&cluster.ask(node, start), Unauthorized);
            }
        }
        let mut confirmations: Vec<_> = Drive::honest(&cluster, generation_for(HOT, WALLET, curve)).finish();
        let Some(Outcome::Key(last)) = confirmations.pop() else { unreachable!() };
        let statement = KeyStatement { workspace_id: Some(TREASURY), ..last.statement.clone() };
        let lie = Confirmation::sign(&cluster.identity(3), 3, statement);
        let key = |outcome| if let Outcome::Key(confirmation) = outcome { confirmation } else { unreachable!() };
        let mut all: Vec<_> = confirmations.into_iter().map(key).collect();
        all.push(lie);
        (1..=3).for_each(|index| {
            let answer = cluster.ask(index, RequestBody::Commit { confirmations: all.clone() });
            assert_refused_by(&answer, Unauthorized, 3);
        });
        all[2] = last;
        (1..=3).for_each(|index| drop(cluster.commit(index, &all)));
        assert_eq!(workspaces(&cluster, curve), [Some(HOT); 3]);
    }
}

#[test]
fn refresh_repair_backup_and_restore_keep_the_workspace() {
    let mut cluster = cluster_with_keys_of(HOT);
    for curve in CURVES {
        cluster.refresh_and_commit(curve, 1);
        lose(&mut cluster, 2, curve);
        cluster.repair(curve, 2);
        assert_eq!(workspaces(&cluster, curve), [Some(HOT); 3]);
        cluster.refresh_and_commit(curve, 2);
        cluster.every_quorum_signs(curve);
    }
    let backup = backed_up(&mut cluster, 2);
    wipe(&mut cluster, 2);
    restored(&mut cluster, 2, &backup);
    later(&mut cluster, 2);
    for curve in CURVES {
        assert_eq!(workspaces(&cluster, curve), [Some(HOT); 3]);
        cluster.refresh_and_commit(curve, 3);
        assert_eq!(workspaces(&cluster, curve), [Some(HOT); 3]);
        cluster.every_quorum_signs(curve);
    }
    cluster.policy = HOT_ALONE.replace("c1c1", "c2c2");
    (1..=3).for_each(|index| cluster.restart(index));
    CURVES.iter().for_each(|curve| refuses(&cluster, *curve));
}

/// Keys from before workspaces were said have the bytes that they had; no other byte stands for a curve.
#[test]
fn a_key_of_a_workspace_has_the_statement_of_a_key_of_none_and_more() {
    let cluster = cluster_with_keys_of(HOT);
    for curve in CURVES {
        let statement = cluster.held(1, curve).0[0].statement.clone();
        let of_none = KeyStatement { workspace_id: None, ..statement.clone() };
        let (bytes, plain) = (encode(&statement), encode(&of_none));
        assert_eq!((bytes.len(), bytes[16]), (plain.len() + 16, plain[16] + 2));
        assert_eq!(
            (&bytes[..16], &bytes[17..plain.len()], &bytes[plain.len()..]),
            (&plain[..16], &plain[17..], &HOT[..])
        );
        assert_eq!((decode(&bytes), decode(&plain)), (Some(statement), Some(of_none)));
        for form in 4..=u8::MAX {
            let other = [&bytes[..16], &[form], &bytes[17..]].concat();
            assert_eq!(decode::<KeyStatement>(&other), None);
        }
    }
}
