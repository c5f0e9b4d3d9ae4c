//! A participant with a genuine identity and share that changes what it says. It runs the real protocols inside the
//! real channels; a hook edits each message before it is sealed.

use crate::support::drive::Participant;
use crate::support::fixture::TestCluster;
use ed25519_dalek::SigningKey;
use mpc_node::crypto::channel::Channel;
use mpc_node::crypto::seal::Seal;
use mpc_node::keys::share::Share;
use mpc_node::protocol::{Context, Messages, Next, Protocol, Step};
use mpc_node::storage::shares::vault::Vault;
use mpc_node::wire::command::{Command, Operation, Payload};
use mpc_node::wire::hello::Agreement;
use mpc_node::wire::*;
use std::collections::BTreeMap;
use std::sync::Arc;
use x25519_dalek::StaticSecret;
use zeroize::Zeroizing;

/// Round, receiver, message.
pub type Tamper<'a> = Box<dyn FnMut(u8, u8, &mut Vec<u8>) + 'a>;

pub struct Rogue<'a> {
    index: u8,
    threshold: u8,
    identity: SigningKey,
    share: Option<Arc<Share>>,
    /// The key and epoch that it says it is about.
    root: Vec<u8>,
    epoch: u32,
    /// What it signs instead of the command's content.
    instead: Option<Payload>,
    tamper: Tamper<'a>,
    opened: Option<(Command, Agreement, Hello, StaticSecret)>,
    running: Option<(Context, BTreeMap<u8, Channel>, Protocol)>,
}

impl<'a> Rogue<'a> {
    pub fn boxed(
        cluster: &TestCluster,
        index: u8,
        signs_on: Option<Curve>,
        tamper: impl FnMut(u8, u8, &mut Vec<u8>) + 'a,
    ) -> (u8, Box<dyn Participant + 'a>) {
        let directory = cluster.node_directory(index);
        let share = signs_on.map(|curve| {
            let vault = Vault::open(directory.join("shares"), Seal::new(&cluster.store_key(index)), index).unwrap();
            vault.share(crate::support::fixture::WALLET, curve).unwrap().unwrap()
        });
        let epoch = share.as_ref().map_or(0, |share| share.statement.epoch);
        Self::new(cluster, index, share, epoch).boxed_with(tamper)
    }

    /// The target of a repair: it has the node's identity file and no share.
    pub fn boxed_target(cluster: &TestCluster, index: u8, repair: &Operation) -> (u8, Box<dyn Participant + 'a>) {
        Self::boxed_lying_target(cluster, index, repair, |_, _, _| {})
    }

    pub fn boxed_lying_target(
        cluster: &TestCluster,
        index: u8,
        repair: &Operation,
        tamper: impl FnMut(u8, u8, &mut Vec<u8>) + 'a,
    ) -> (u8, Box<dyn Participant + 'a>) {
        Self::target(cluster, index, repair).boxed_with(tamper)
    }

    pub fn target(cluster: &TestCluster, index: u8, repair: &Operation) -> Self {
        let Operation::Repair { public_key, epoch, .. } = repair else { unreachable!() };
        Self { root: public_key.clone(), ..Self::new(cluster, index, None, *epoch) }
    }

    /// Follows the protocol with a share of its own choice, which it says is of `epoch`.
    pub fn with_share(
        cluster: &TestCluster,
        index: u8,
        share: Arc<Share>,
        epoch: u32,
    ) -> (u8, Box<dyn Participant + 'a>) {
        Self::new(cluster, index, Some(share), epoch).boxed_with(|_, _, _| {})
    }

    /// Signs another content than the command's.
    pub fn signing_instead(
        cluster: &TestCluster,
        index: u8,
        share: Arc<Share>,
        payload: Payload,
    ) -> (u8, Box<dyn Participant + 'a>) {
        let epoch = share.statement.epoch;
        let rogue = Self { instead: Some(payload), ..Self::new(cluster, index, Some(share), epoch) };
        rogue.boxed_with(|_, _, _| {})
    }

    fn new(cluster: &TestCluster, index: u8, share: Option<Arc<Share>>, epoch: u32) -> Self {
        let threshold = cluster.cluster_file().threshold;
        let identity = cluster.identity(index);
        let root = share.as_ref().map_or(vec![], |share| share.statement.public_key.clone());
        let tamper: Tamper = Box::new(|_, _, _| {});
        Self { index, threshold, identity, share, root, epoch, instead: None, tamper, opened: None, running: None }
    }

    pub fn boxed_with(self, tamper: impl FnMut(u8, u8, &mut Vec<u8>) + 'a) -> (u8, Box<dyn Participant + 'a>) {
        (self.index, Box::new(Self { tamper: Box::new(tamper), ..self }))
    }

    fn open(&mut self, bytes: Vec<u8>) -> ResponseBody {
        let command: Command = decode(&bytes).unwrap();
        let agreement = Agreement { command: bytes, root_public_key: self.root.clone(), epoch: self.epoch };
        let (hello, secret) = agreement.greet(&self.identity, self.index);
        self.opened = Some((command, agreement, hello.clone(), secret));
        ResponseBody::Opened(hello)
    }

    fn start(&mut self, hellos: &[Hello]) -> ResponseBody {
        let (command, agreement, _, secret) = self.opened.take().unwrap();
        let session_id = agreement.session_id(hellos);
        let participants = command.operation.participants().to_vec();
        let context = Context { me: self.index, participants, threshold: self.threshold, session_id };
        let channels = hellos.iter().filter(|hello| hello.node != self.index).map(|hello| {
            let channel = Channel::agree(&secret, hello.ephemeral_public_key, session_id, self.index, hello.node);
            (hello.node, channel.unwrap())
        });
        let channels = channels.collect();
        let step = match (&command.operation, &self.share) {
            (Operation::Sign { path, payload, wallet_id, curve, operation_id, .. }, Some(share)) => {
                let payload = self.instead.as_ref().unwrap_or(payload);
                let message = payload.message(*wallet_id, *curve, *operation_id).unwrap();
                Protocol::sign(context.clone(), share.material.derive(path).unwrap(), message)
            }
            (Operation::Repair { target, .. }, share) => Protocol::repair(context.clone(), *target, share.as_deref()),
            (Operation::Refresh { .. }, Some(share)) => Protocol::refresh(context.clone(), &share.material),
            (operation, _) if operation.curve() == Curve::Secp256k1 => Protocol::generate_secp256k1(context.clone()),
            _ => Protocol::generate_ed25519(context.clone()),
        };
        self.deliver(1, context, channels, step.unwrap())
    }

    fn deliver(
        &mut self,
        round: u8,
        context: Context,
        mut channels: BTreeMap<u8, Channel>,
        step: Step,
    ) -> ResponseBody {
        let mut outbound = vec![];
        for (peer, message) in &step.outbound {
            let mut message = message.to_vec();
            (self.tamper)(round, *peer, &mut message);
            outbound.push(Envelope { peer: *peer, sealed: channels.get_mut(peer).unwrap().seal(round, &message) });
        }
        let Next::Continue(protocol) = step.next else {
            // It has what it wanted and falls silent.
            return ResponseBody::InProgress;
        };
        self.running = Some((context, channels, protocol));
        ResponseBody::Round { outbound, outcome: None }
    }

    /// A rogue that cannot go on says nothing more.
    fn advance(&mut self, round: u8, inbound: &[Envelope]) -> Option<ResponseBody> {
        let (context, mut channels, protocol) = self.running.take()?;
        let mut messages = Messages::new();
        for Envelope { peer, sealed } in inbound {
            messages.insert(*peer, Zeroizing::new(channels.get_mut(peer)?.open(round - 1, sealed)?.to_vec()));
        }
        let step = protocol.advance(&context, &messages).ok()?;
        Some(self.deliver(round, context, channels, step))
    }
}

impl Participant for Rogue<'_> {
    fn handle(&mut self, body: RequestBody) -> ResponseBody {
        match body {
            RequestBody::Open { command, .. } | RequestBody::OpenEnrolment { command, .. } => self.open(command),
            RequestBody::Start { hellos, .. } => self.start(&hellos),
            RequestBody::Continue { round, inbound, .. } => {
                self.advance(round, &inbound).unwrap_or(ResponseBody::InProgress)
            }
            _ => ResponseBody::InProgress,
        }
    }
}
