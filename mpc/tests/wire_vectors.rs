//! Goal: the wire format cannot change unseen, and another implementation can test itself against the same bytes.
//! Method: encode one value of each kind, compare with vectors/wire.json. `UPDATE_VECTORS=1` writes the file anew.

mod samples;

use ed25519_dalek::{Signer, SigningKey};
use mpc_node::cluster::roster;
use mpc_node::wire::command::{command_signing_bytes, signing_bytes, Command, Operation, Payload, REPAIR_LABEL};
use mpc_node::wire::key_acknowledgement::Acknowledgement;
use mpc_node::wire::key_statement::{confirmation_signing_bytes, Confirmation, KeyStatement};
use mpc_node::wire::progress_attestation::{attestation_signing_bytes, Progress, ProgressAttestation};
use mpc_node::wire::refusal::{Refusal, RefusalCode};
use mpc_node::wire::*;
use samples::payloads::{payload_samples, Sample};
use serde_json::{json, Value};
use std::collections::BTreeMap;

const WALLET: Id = [0x11; 16];
const COMMAND: Id = [0x22; 16];
const OPERATION: Id = [0x33; 16];
const WORKSPACE: Id = [0x77; 16];

fn identity(index: u8) -> SigningKey {
    SigningKey::from_bytes(&[index; 32])
}

fn sample_roster() -> [u8; 32] {
    let nodes: BTreeMap<u8, _> = (1..=3).map(|i| (i, identity(i).verifying_key())).collect();
    roster(2, &nodes)
}

fn statement(curve: Curve) -> KeyStatement {
    KeyStatement {
        wallet_id: WALLET,
        curve,
        epoch: 0,
        session_id: [0x44; 32],
        roster: sample_roster(),
        threshold: 2,
        public_key: if curve == Curve::Secp256k1 { vec![0x02; 33] } else { vec![0x05; 32] },
        chain_code: [0x55; 32],
        transcript: [0x66; 32],
        workspace_id: None,
    }
}

fn statement_of_workspace(curve: Curve) -> KeyStatement {
    KeyStatement { workspace_id: Some(WORKSPACE), ..statement(curve) }
}

fn statement_of_workspace_fields(curve: Curve) -> Value {
    let mut fields = statement_fields(curve);
    fields["workspace_id"] = json!(hex::encode(WORKSPACE));
    fields
}

fn statement_fields(curve: Curve) -> Value {
    let s = statement(curve);
    json!({"wallet_id": hex::encode(s.wallet_id), "curve": format!("{curve:?}"), "epoch": s.epoch,
        "session_id": hex::encode(s.session_id), "roster": hex::encode(s.roster), "threshold": s.threshold,
        "public_key": hex::encode(s.public_key), "chain_code": hex::encode(s.chain_code),
        "transcript": hex::encode(s.transcript)})
}

fn confirmation(node: u8, curve: Curve) -> Confirmation {
    Confirmation::sign(&identity(node), node, statement(curve))
}

fn confirmation_fields(node: u8, curve: Curve) -> Value {
    json!({"node": node, "statement": statement_fields(curve),
        "signature": hex::encode(confirmation(node, curve).signature)})
}

fn progress() -> Progress {
    Progress { incarnation: 1_800_000_000_000, run: u64::MAX, sequence: 7 }
}

fn mark(node: u8) -> ProgressAttestation {
    ProgressAttestation::sign(&identity(node), progress())
}

fn mark_fields(node: u8) -> Value {
    let (ProgressAttestation { identity, signature, .. }, Progress { incarnation, run, sequence }) =
        (mark(node), progress());
    json!({"identity": hex::encode(identity), "signature": hex::encode(signature),
        "progress": {"incarnation": incarnation, "run": run, "sequence": sequence}})
}

fn hello(node: u8) -> Hello {
    Hello { node, nonce: [node; 32], ephemeral_public_key: [0x10 + node; 32], signature: [0x20 + node; 64] }
}

fn hello_fields(node: u8) -> Value {
    let h = hello(node);
    json!({"node": node, "nonce": hex::encode(h.nonce), "ephemeral_public_key": hex::encode(h.ephemeral_public_key),
        "signature": hex::encode(h.signature)})
}

fn command<O>(operation: O) -> Command<O> {
    Command { version: 1, roster: sample_roster(), command_id: COMMAND, expires_at_ms: 1_900_000_000_123, operation }
}

fn sign(curve: Curve, path: Vec<u32>, payload: Payload) -> Operation {
    let (operation_id, wallet_id) = (OPERATION, WALLET);
    Operation::Sign { operation_id, attempt: 7, wallet_id, curve, path, signers: vec![1, 3], payload }
}

fn command_vectors(out: &mut Vec<Value>) {
    let generate = |curve| Operation::GenerateKey { wallet_id: WALLET, curve, threshold: 2, nodes: vec![1, 2, 3] };
    let mut cases = vec![
        ("generate_secp256k1", generate(Curve::Secp256k1), json!({"kind": "GenerateKey", "nodes": [1, 2, 3]})),
        ("generate_ed25519", generate(Curve::Ed25519), json!({"kind": "GenerateKey", "nodes": [1, 2, 3]})),
    ];
    for (name, curve) in
        [("generate_of_workspace_secp256k1", Curve::Secp256k1), ("generate_of_workspace_ed25519", Curve::Ed25519)]
    {
        let (wallet_id, workspace_id, nodes) = (WALLET, WORKSPACE, vec![1, 2, 3]);
        let operation = Operation::GenerateWorkspaceKey { wallet_id, curve, threshold: 2, nodes, workspace_id };
        let workspace = hex::encode(workspace_id);
        let fields = json!({"kind": "GenerateWorkspaceKey", "nodes": [1, 2, 3], "workspace_id": workspace});
        cases.push((name, operation, fields));
    }
    for (name, curve) in [("refresh_secp256k1", Curve::Secp256k1), ("refresh_ed25519", Curve::Ed25519)] {
        let operation = Operation::Refresh { wallet_id: WALLET, curve, epoch: 7, nodes: vec![1, 2, 3] };
        cases.push((name, operation, json!({"kind": "Refresh", "epoch": 7, "nodes": [1, 2, 3]})));
    }
    for Sample { name, curve, path, payload, fields } in payload_samples() {
        cases.push((name, sign(curve, path, payload), fields));
    }
    for (name, operation, mut fields) in cases {
        let command = command(operation);
        let bytes = encode(&command);
        let signing_bytes = command_signing_bytes(&bytes);
        fields["version"] = json!(1);
        fields["roster"] = json!(hex::encode(command.roster));
        fields["command_id"] = json!(hex::encode(COMMAND));
        fields["expires_at_ms"] = json!(command.expires_at_ms);
        fields["wallet_id"] = json!(hex::encode(WALLET));
        fields["curve"] = json!(format!("{:?}", command.operation.curve()));
        if !matches!(command.operation, Operation::Refresh { .. }) {
            fields["threshold"] = json!(2);
        }
        if let Operation::Sign { path, payload, curve, .. } = &command.operation {
            fields.as_object_mut().unwrap().remove("threshold");
            fields["operation_id"] = json!(hex::encode(OPERATION));
            fields["attempt"] = json!(7);
            fields["path"] = json!(path);
            fields["signers"] = json!([1, 3]);
            if !matches!(payload, Payload::SolanaTransaction(_)) {
                fields["digest"] = json!(hex::encode(payload.message(WALLET, *curve, OPERATION).unwrap()));
            }
        }
        fields["signing_bytes"] = json!(hex::encode(&signing_bytes));
        fields["command_public_key"] = json!(hex::encode(identity(9).verifying_key().to_bytes()));
        fields["signature_by_seed_of_32_times_09"] = json!(hex::encode(identity(9).sign(&signing_bytes).to_bytes()));
        push(out, &format!("command/{name}"), fields, &command);
    }
}

/// Signed by the enrolment key (here the seed of 32 times 0a), under its own label.
fn enrolment_vectors(out: &mut Vec<Value>) {
    let names = [("enrolment/repair_secp256k1", Curve::Secp256k1), ("enrolment/repair_ed25519", Curve::Ed25519)];
    for (name, curve) in names {
        let (wallet_id, public_key) = (WALLET, statement(curve).public_key);
        let repair = Operation::Repair { wallet_id, curve, epoch: 6, public_key, target: 2, nodes: vec![1, 2, 3] };
        let command = command(repair);
        let signing_bytes = [REPAIR_LABEL, &encode(&command)].concat();
        let fields = json!({"version": 1, "roster": hex::encode(command.roster), "command_id": hex::encode(COMMAND),
            "expires_at_ms": command.expires_at_ms, "kind": "Repair", "wallet_id": hex::encode(WALLET),
            "curve": format!("{curve:?}"), "epoch": 6, "public_key": hex::encode(statement(curve).public_key),
            "target": 2, "nodes": [1, 2, 3], "signing_bytes": hex::encode(&signing_bytes),
            "enrolment_public_key": hex::encode(identity(10).verifying_key().to_bytes()),
            "signature_by_seed_of_32_times_0a": hex::encode(identity(10).sign(&signing_bytes).to_bytes())});
        push(out, name, fields, &command);
    }
}

fn checkpoint() -> Checkpoint {
    Checkpoint { workspace_id: [0x77; 16], seq: 1_234_567_890_123, hash: [0x88; 32] }
}

fn acknowledgement(node: u8) -> Acknowledgement {
    Acknowledgement::sign(&identity(node), node, statement(Curve::Secp256k1))
}

fn acknowledgement_fields(node: u8) -> Value {
    json!({"node": node, "statement": statement_fields(Curve::Secp256k1),
        "signature": hex::encode(acknowledgement(node).signature)})
}

fn checkpoint_fields() -> Value {
    let c = checkpoint();
    json!({"workspace_id": hex::encode(c.workspace_id), "seq": c.seq, "hash": hex::encode(c.hash)})
}

fn checkpoint_vectors(out: &mut Vec<Value>) {
    let command = command(checkpoint());
    let signing_bytes = signing_bytes::<Checkpoint>(&encode(&command));
    let fields = json!({"version": 1, "roster": hex::encode(command.roster), "command_id": hex::encode(COMMAND),
        "expires_at_ms": command.expires_at_ms, "operation": checkpoint_fields(),
        "signing_bytes": hex::encode(&signing_bytes),
        "command_public_key": hex::encode(identity(9).verifying_key().to_bytes()),
        "signature_by_seed_of_32_times_09": hex::encode(identity(9).sign(&signing_bytes).to_bytes())});
    push(out, "checkpoint_command", fields, &command);
}

fn request_vectors(out: &mut Vec<Value>) {
    let mut request = |id: u64, name: &str, fields: Value, body: RequestBody| {
        push(out, &format!("request/{name}"), json!({"id": id, "body": fields}), &Request { id, body });
    };
    request(1, "health", json!({"kind": "Health"}), RequestBody::Health);
    let (bytes, signature) = (vec![1, 2, 3], [0x88; 64]);
    let fields = json!({"kind": "Open", "command": "010203", "signature": hex::encode(signature)});
    request(2, "open", fields, RequestBody::Open { command: bytes, signature });
    let fields =
        json!({"kind": "Start", "command_id": hex::encode(COMMAND), "hellos": [hello_fields(1), hello_fields(3)]});
    request(3, "start", fields, RequestBody::Start { command_id: COMMAND, hellos: vec![hello(1), hello(3)] });
    let fields = json!({"kind": "Continue", "command_id": hex::encode(COMMAND), "round": 2,
        "inbound": [{"peer": 3, "sealed": "cafe"}]});
    let inbound = vec![Envelope { peer: 3, sealed: vec![0xca, 0xfe] }];
    request(u64::MAX, "continue", fields, RequestBody::Continue { command_id: COMMAND, round: 2, inbound });
    let fields = json!({"kind": "KeyState", "wallet_id": hex::encode(WALLET), "curve": "Ed25519"});
    request(5, "key_state", fields, RequestBody::KeyState { wallet_id: WALLET, curve: Curve::Ed25519 });
    let curve = Curve::Secp256k1;
    let fields =
        json!({"kind": "Commit", "confirmations": (1..=3).map(|i| confirmation_fields(i, curve)).collect::<Vec<_>>()});
    let confirmations = (1..=3).map(|i| confirmation(i, curve)).collect();
    request(6, "commit", fields, RequestBody::Commit { confirmations });
    let (command, signature) = (vec![4, 5, 6], [0x88; 64]);
    let fields = json!({"kind": "KeepCheckpoint", "command": "040506", "signature": hex::encode(signature)});
    request(7, "keep_checkpoint", fields, RequestBody::KeepCheckpoint { command, signature });
    let fields = json!({"kind": "Checkpoints", "list": "Newest", "after": null});
    request(8, "checkpoints", fields, RequestBody::Checkpoints { list: CheckpointList::Newest, after: None });
    let place = CheckpointPlace { workspace_id: [0x77; 16], seq: 9 };
    let fields = json!({"kind": "Checkpoints", "list": "FirstOfDays",
        "after": {"workspace_id": hex::encode(place.workspace_id), "seq": 9}});
    let list = CheckpointList::FirstOfDays;
    request(9, "checkpoints_after", fields, RequestBody::Checkpoints { list, after: Some(place) });
    let (command, signature) = (vec![7, 8, 9], [0x88; 64]);
    let fields = json!({"kind": "OpenEnrolment", "command": "070809", "signature": hex::encode(signature)});
    request(10, "open_enrolment", fields, RequestBody::OpenEnrolment { command, signature });
    let (command, signature, approval) = (vec![7, 8, 9], [0x88; 64], [0x99; 64]);
    let fields = json!({"kind": "OpenApproved", "command": "070809", "signature": hex::encode(signature),
        "approval": hex::encode(approval)});
    let open_approved = RequestBody::OpenApproved { command, signature, approval };
    request(10, "open_approved", fields, open_approved);
    let fields = json!({"kind": "Marks", "marks": [mark_fields(1), mark_fields(2)]});
    request(11, "marks", fields, RequestBody::Marks(vec![mark(1), mark(2)]));
    let fields = json!({"kind": "Acknowledge", "wallet_id": hex::encode(WALLET), "curve": "Ed25519"});
    request(12, "acknowledge", fields, RequestBody::Acknowledge { wallet_id: WALLET, curve: Curve::Ed25519 });
    let all: Vec<_> = (1..=3).map(acknowledgement_fields).collect();
    let acknowledgements = (1..=3).map(acknowledgement).collect();
    let fields = json!({"kind": "Settle", "acknowledgements": all});
    request(13, "settle", fields, RequestBody::Settle { acknowledgements });
}

fn response_vectors(out: &mut Vec<Value>) {
    let mut response = |id: u64, name: &str, fields: Value, body: ResponseBody| {
        push(out, &format!("response/{name}"), json!({"id": id, "body": fields}), &Response { id, body });
    };
    let ban = Ban { root_public_key: vec![0x03; 33], peer: 2, generation: 0, at_ms: 1_800_000_000_000 };
    let health = Health {
        version: "0.1.0".into(),
        node: 1,
        roster: sample_roster(),
        live_sessions: 4,
        keys: 5,
        bans: vec![ban],
        policy: [0xaa; 32],
        mark: mark(1),
        marks: vec![mark(2), mark(3)],
        set_back: true,
    };
    let fields = json!({"kind": "Health", "version": "0.1.0", "node": 1, "roster": hex::encode(sample_roster()),
        "live_sessions": 4, "keys": 5, "bans": [{"root_public_key": hex::encode([3u8; 33]), "peer": 2,
        "generation": 0, "at_ms": 1_800_000_000_000u64}], "policy": hex::encode([0xaa; 32]),
        "mark": mark_fields(1), "marks": [mark_fields(2), mark_fields(3)], "set_back": true});
    response(1, "health", fields, ResponseBody::Health(health));
    response(2, "opened", json!({"kind": "Opened", "hello": hello_fields(2)}), ResponseBody::Opened(hello(2)));
    let outbound = vec![Envelope { peer: 2, sealed: vec![0xab] }, Envelope { peer: 3, sealed: vec![] }];
    let fields =
        json!({"kind": "Round", "outbound": [{"peer": 2, "sealed": "ab"}, {"peer": 3, "sealed": ""}], "outcome": null});
    response(3, "round", fields, ResponseBody::Round { outbound, outcome: None });
    let signature = || Outcome::Signature { bytes: [0x99; 64], recovery_id: 1 };
    let signature_fields = json!({"kind": "Signature", "bytes": hex::encode([0x99; 64]), "recovery_id": 1});
    let fields = json!({"kind": "Round", "outbound": [], "outcome": signature_fields});
    response(4, "round_signature", fields, ResponseBody::Round { outbound: vec![], outcome: Some(signature()) });
    let key = || Outcome::Key(confirmation(2, Curve::Ed25519));
    let key_fields = json!({"kind": "Key", "confirmation": confirmation_fields(2, Curve::Ed25519)});
    let fields = json!({"kind": "Round", "outbound": [], "outcome": key_fields});
    response(5, "round_key", fields, ResponseBody::Round { outbound: vec![], outcome: Some(key()) });
    response(6, "in_progress", json!({"kind": "InProgress"}), ResponseBody::InProgress);
    let fields = json!({"kind": "Finished", "outcome": signature_fields});
    response(7, "finished", fields, ResponseBody::Finished(signature()));
    let fields = |state: Value| json!({"kind": "KeyState", "state": state});
    response(8, "key_state_absent", fields(json!({"kind": "Absent"})), ResponseBody::KeyState(KeyState::Absent));
    response(9, "key_state_prepared", fields(json!({"kind": "Prepared"})), ResponseBody::KeyState(KeyState::Prepared));
    let all = (1..=3).map(|i| confirmation(i, Curve::Ed25519)).collect();
    let all_fields: Vec<_> = (1..=3).map(|i| confirmation_fields(i, Curve::Ed25519)).collect();
    let state = json!({"kind": "Committed", "confirmations": all_fields});
    response(10, "key_state_committed", fields(state), ResponseBody::KeyState(KeyState::Committed(all)));
    let fields = json!({"kind": "Committed", "statement": statement_fields(Curve::Secp256k1)});
    response(11, "committed", fields, ResponseBody::Committed(statement(Curve::Secp256k1)));
    let fields = json!({"kind": "CheckpointKept", "checkpoint": checkpoint_fields()});
    response(13, "checkpoint_kept", fields, ResponseBody::CheckpointKept(checkpoint()));
    let fields = json!({"kind": "Checkpoints", "checkpoints": [checkpoint_fields(), checkpoint_fields()]});
    response(14, "checkpoints", fields, ResponseBody::Checkpoints(vec![checkpoint(), checkpoint()]));
    let fields = json!({"kind": "Round", "outbound": [],
        "outcome": {"kind": "Repaired", "statement": statement_fields(Curve::Ed25519)}});
    let outcome = Some(Outcome::Repaired(statement(Curve::Ed25519)));
    response(15, "round_repaired", fields, ResponseBody::Round { outbound: vec![], outcome });
    let curve = Curve::Secp256k1;
    let committed: Vec<_> = (1..=3).map(|i| confirmation(i, curve)).collect();
    let committed_fields: Vec<_> = (1..=3).map(|i| confirmation_fields(i, curve)).collect();
    let (next, mut next_fields) = (KeyStatement { epoch: 1, ..statement(curve) }, statement_fields(curve));
    next_fields["epoch"] = json!(1);
    let prepared = Confirmation::sign(&identity(2), 2, next);
    let prepared_fields = json!({"node": 2, "statement": next_fields, "signature": hex::encode(prepared.signature)});
    let fields = json!({"kind": "KeyState", "state": {"kind": "Unsettled", "committed": committed_fields,
        "prepared": [prepared_fields], "signs": true}});
    let state = KeyState::Unsettled { committed: committed.clone(), prepared: vec![prepared], signs: true };
    response(16, "key_state_refreshing", fields, ResponseBody::KeyState(state));
    let fields = json!({"kind": "KeyState", "state": {"kind": "Unsettled", "committed": committed_fields,
        "prepared": [], "signs": false}});
    let state = KeyState::Unsettled { committed, prepared: vec![], signs: false };
    response(17, "key_state_needs_refresh", fields, ResponseBody::KeyState(state));
    response(18, "marks_taken", json!({"kind": "MarksTaken"}), ResponseBody::MarksTaken);
    let fields = json!({"kind": "Acknowledged", "acknowledgement": acknowledgement_fields(2)});
    response(20, "acknowledged", fields, ResponseBody::Acknowledged(acknowledgement(2)));
    let fields = json!({"kind": "Settled", "statement": statement_fields(Curve::Secp256k1)});
    response(21, "settled", fields, ResponseBody::Settled(statement(Curve::Secp256k1)));
    let confirmation = |node: u8| Confirmation::sign(&identity(node), node, statement_of_workspace(Curve::Secp256k1));
    let fields = |node: u8| {
        json!({"node": node, "statement": statement_of_workspace_fields(Curve::Secp256k1),
            "signature": hex::encode(confirmation(node).signature)})
    };
    let state = json!({"kind": "Committed", "confirmations": [fields(1), fields(2), fields(3)]});
    let body = ResponseBody::KeyState(KeyState::Committed((1..=3).map(confirmation).collect()));
    response(19, "key_state_committed_of_workspace", json!({"kind": "KeyState", "state": state}), body);
}

fn refusal_vectors(out: &mut Vec<Value>) {
    use RefusalCode::*;
    let codes = [
        InvalidRequest,
        Unauthorized,
        Expired,
        CommandUsed,
        UnknownWallet,
        WalletExists,
        ShareUnreadable,
        UnknownSession,
        SessionAborted,
        Banned,
        Busy,
        MessageConflict,
        VersionMismatch,
        Internal,
        CheckpointConflict,
        WrongEpoch,
        NeedsRefresh,
        RosterMismatch,
        PolicyRefused,
        Paused,
        SetBack,
        NotYetTold,
    ];
    for code in codes {
        let peer = (code == Banned).then_some(2);
        let fields = json!({"id": 12, "body": {"kind": "Refused", "code": format!("{code:?}"), "peer": peer,
            "detail": "A fixed sentence."}});
        let refusal = Refusal { code, peer, detail: "A fixed sentence.".into() };
        let response = Response { id: 12, body: ResponseBody::Refused(refusal) };
        push(out, &format!("response/refused_{code:?}"), fields, &response);
    }
}

fn signing_vectors(out: &mut Vec<Value>) {
    let keys: Vec<_> = (1..=3).map(|i| hex::encode(identity(i).verifying_key().to_bytes())).collect();
    let fields = json!({"threshold": 2, "identity_public_keys": keys});
    out.push(json!({"name": "roster", "fields": fields, "hex": hex::encode(sample_roster())}));
    let bytes = attestation_signing_bytes(&mark(2).identity, &progress());
    out.push(json!({"name": "mark_signing_bytes", "fields": mark_fields(2), "hex": hex::encode(bytes)}));
    for curve in [Curve::Secp256k1, Curve::Ed25519] {
        let bytes = confirmation_signing_bytes(2, &statement(curve));
        let mut fields = confirmation_fields(2, curve);
        fields["identity_public_key"] = json!(hex::encode(identity(2).verifying_key().to_bytes()));
        out.push(json!({"name": format!("confirmation_signing_bytes/{curve:?}"), "fields": fields,
            "hex": hex::encode(bytes)}));
        push(out, &format!("key_statement/{curve:?}"), statement_fields(curve), &statement(curve));
        let (fields, of_workspace) = (statement_of_workspace_fields(curve), statement_of_workspace(curve));
        push(out, &format!("key_statement/{curve:?}_of_workspace"), fields, &of_workspace);
    }
}

fn push<T>(out: &mut Vec<Value>, name: &str, fields: Value, value: &T)
where
    T: borsh::BorshSerialize + borsh::BorshDeserialize + PartialEq + std::fmt::Debug,
{
    let bytes = encode(value);
    assert_eq!(decode::<T>(&bytes).as_ref(), Some(value), "{name} decodes to itself");
    let trailing = [bytes.as_slice(), &[0]].concat();
    assert_eq!(decode::<T>(&trailing), None, "{name} refuses a trailing byte");
    out.push(json!({"name": name, "fields": fields, "hex": hex::encode(bytes)}));
}

#[test]
fn wire_vectors_are_the_golden_ones() {
    let mut all = vec![];
    signing_vectors(&mut all);
    command_vectors(&mut all);
    enrolment_vectors(&mut all);
    checkpoint_vectors(&mut all);
    request_vectors(&mut all);
    response_vectors(&mut all);
    refusal_vectors(&mut all);
    let text = serde_json::to_string_pretty(&all).unwrap() + "\n";
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/wire.json");
    if std::env::var_os("UPDATE_VECTORS").is_some() {
        std::fs::write(path, &text).unwrap();
    }
    assert_eq!(std::fs::read_to_string(path).unwrap(), text, "run with UPDATE_VECTORS=1 and read the difference");
}
