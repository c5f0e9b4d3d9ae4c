//! One session of a protocol among nodes that are all here: each step is the nodes' own, as `handlers/` calls it, and
//! each message is written down as it leaves.

use crate::randomness::seeded;
use mpc_node::protocol::{Context, Fault, Messages, Next, Step};
use serde_json::{json, Value};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

pub struct Session {
    pub label: String,
    pub id: [u8; 32],
    pub rounds: Vec<Value>,
    pub ended: BTreeMap<u8, Next>,
}

fn all_written(said: &BTreeMap<u8, Messages>) -> Value {
    let by_receiver = |messages: &Messages| -> BTreeMap<String, String> {
        messages.iter().map(|(receiver, message)| (receiver.to_string(), hex::encode(message))).collect()
    };
    let by_sender: BTreeMap<String, _> =
        said.iter().map(|(sender, messages)| (sender.to_string(), by_receiver(messages))).collect();
    json!(by_sender)
}

/// `label` is the session's alone; the session id is a hash of it, since nobody said hello here.
pub fn run(
    label: String,
    threshold: u8,
    nodes: &[u8],
    begin: impl Fn(Context) -> Result<Step, Fault> + Sync,
) -> Session {
    let id = Sha256::digest(format!("countersign/v1/transcript-test/{label}")).into();
    let context = |me: u8| Context { me, participants: nodes.to_vec(), threshold, session_id: id };
    let of_step = |node: u8, round: usize| format!("{label}/node {node}/round {round}");
    let first =
        |me: u8| (me, seeded(&of_step(me, 1), || begin(context(me))).unwrap_or_else(|fault| panic!("{fault:?}")));
    let mut steps: BTreeMap<u8, Step> = nodes.iter().map(|me| first(*me)).collect();
    let (mut rounds, mut ended) = (vec![], BTreeMap::new());
    while ended.is_empty() {
        let said: BTreeMap<u8, Messages> = steps.iter().map(|(me, step)| (*me, step.outbound.clone())).collect();
        rounds.push(all_written(&said));
        let mut next_steps = BTreeMap::new();
        for (me, step) in steps {
            let Next::Continue(protocol) = step.next else { unreachable!("nodes end in the same round") };
            let inbound: Messages = context(me).peers().map(|peer| (peer, said[&peer][&me].clone())).collect();
            let step = seeded(&of_step(me, rounds.len() + 1), || protocol.advance(&context(me), &inbound));
            let step = step.unwrap_or_else(|fault| panic!("{fault:?}"));
            match step.next {
                Next::Continue(_) => drop(next_steps.insert(me, step)),
                last => drop(ended.insert(me, last)),
            }
        }
        steps = next_steps;
    }
    Session { label, id, rounds, ended }
}
