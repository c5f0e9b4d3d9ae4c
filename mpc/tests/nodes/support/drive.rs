//! Drives a session step by step, as the orchestrator does, with a hook on the mail between the rounds. A participant
//! is a real node or a rogue.

use crate::support::fixture::TestCluster;
use mpc_node::wire::command::{Command, Operation};
use mpc_node::wire::*;
use std::collections::BTreeMap;

pub trait Participant {
    fn handle(&mut self, body: RequestBody) -> ResponseBody;
}

impl Participant for &mpc_node::handlers::node::Node {
    fn handle(&mut self, body: RequestBody) -> ResponseBody {
        mpc_node::handlers::node::Node::handle(self, Request { id: 1, body }).body
    }
}

/// By receiver.
pub type Mail = BTreeMap<u8, Vec<Envelope>>;

pub struct Drive<'a> {
    pub participants: BTreeMap<u8, Box<dyn Participant + 'a>>,
    pub command: Command,
    pub answers: BTreeMap<u8, ResponseBody>,
    pub round: u8,
}

impl<'a> Drive<'a> {
    /// All participants are the cluster's nodes; opened and started.
    pub fn honest(cluster: &'a TestCluster, operation: Operation) -> Self {
        Self::with(cluster, cluster.command(operation), None)
    }

    pub fn with(cluster: &'a TestCluster, command: Command, rogue: Option<(u8, Box<dyn Participant + 'a>)>) -> Self {
        let mut drive = Self::opened(cluster, command, rogue);
        drive.start();
        drive
    }

    pub fn opened(cluster: &'a TestCluster, command: Command, rogue: Option<(u8, Box<dyn Participant + 'a>)>) -> Self {
        let mut participants: BTreeMap<u8, Box<dyn Participant + 'a>> = BTreeMap::new();
        let rogue_index = rogue.as_ref().map(|(index, _)| *index);
        for index in command.operation.participants() {
            if Some(*index) != rogue_index {
                participants.insert(*index, Box::new(cluster.node(*index)));
            }
        }
        participants.extend(rogue);
        let open = cluster.opening(&command);
        let answers = participants.iter_mut().map(|(index, p)| (*index, p.handle(open.clone()))).collect();
        Self { participants, command, answers, round: 0 }
    }

    /// Opened, brought to that round and forgotten by whoever drove it. Answers its command's id.
    pub fn left_at(cluster: &'a TestCluster, command: Command, round: u8) -> Id {
        let mut drive = Self::opened(cluster, command, None);
        if round > 0 {
            drive.start();
            drive.step_until(round);
        }
        drive.command.command_id
    }

    pub fn hellos(&self) -> Vec<Hello> {
        let hello = |answer: &ResponseBody| match answer {
            ResponseBody::Opened(hello) => hello.clone(),
            other => panic!("{other:?}"),
        };
        self.answers.values().map(hello).collect()
    }

    pub fn start(&mut self) {
        let body = RequestBody::Start { command_id: self.command.command_id, hellos: self.hellos() };
        self.answers = self.participants.iter_mut().map(|(index, p)| (*index, p.handle(body.clone()))).collect();
        self.round = 1;
    }

    pub fn mail(&self) -> Mail {
        let mut mail = Mail::new();
        for (sender, answer) in &self.answers {
            if let ResponseBody::Round { outbound, .. } = answer {
                for Envelope { peer, sealed } in outbound {
                    mail.entry(*peer).or_default().push(Envelope { peer: *sender, sealed: sealed.clone() });
                }
            }
        }
        mail
    }

    pub fn step(&mut self) {
        self.step_with(|_| {});
    }

    /// One round, with the relay's hands in the mail.
    pub fn step_with(&mut self, interfere: impl FnOnce(&mut Mail)) {
        let mut mail = self.mail();
        interfere(&mut mail);
        self.round += 1;
        let (command_id, round) = (self.command.command_id, self.round);
        let next = |(index, participant): (&u8, &mut Box<dyn Participant + 'a>)| {
            let inbound = mail.get(index).cloned().unwrap_or_default();
            (*index, participant.handle(RequestBody::Continue { command_id, round, inbound }))
        };
        self.answers = self.participants.iter_mut().map(next).collect();
    }

    pub fn step_until(&mut self, round: u8) {
        while self.round < round {
            self.step();
        }
    }

    pub fn is_over(&self) -> bool {
        self.answers.values().all(|answer| !matches!(answer, ResponseBody::Round { outcome: None, .. }))
    }

    /// To the end; refusals panic.
    pub fn finish(mut self) -> Vec<Outcome> {
        while !self.is_over() {
            self.step();
        }
        let outcome = |answer| match answer {
            ResponseBody::Round { outcome: Some(outcome), .. } => outcome,
            other => panic!("{other:?}"),
        };
        self.answers.into_values().map(outcome).collect()
    }

    /// To the end, whatever it is: the first refusal of each participant, or its last answer.
    pub fn verdicts(self) -> BTreeMap<u8, ResponseBody> {
        self.verdicts_with(|_, _| {})
    }

    /// `interfere` is given each round's mail.
    pub fn verdicts_with(mut self, mut interfere: impl FnMut(u8, &mut Mail)) -> BTreeMap<u8, ResponseBody> {
        let mut refused: BTreeMap<u8, ResponseBody> = BTreeMap::new();
        loop {
            for (index, answer) in &self.answers {
                if matches!(answer, ResponseBody::Refused(_)) {
                    refused.entry(*index).or_insert_with(|| answer.clone());
                }
            }
            if self.is_over() {
                break;
            }
            let round = self.round;
            self.step_with(|mail| interfere(round, mail));
        }
        let mut verdicts = self.answers;
        verdicts.extend(refused);
        verdicts
    }
}
