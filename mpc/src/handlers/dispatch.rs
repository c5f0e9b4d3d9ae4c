//! A request in, a response out. Blocking, because it computes and waits for the disk: call it off the event loop.

use super::node::Node;
use super::{attestations, checkpoints, commit_key, open, round, settle_key, start};
use crate::wire::refusal::Refused;
use crate::wire::{Request, RequestBody, Response, ResponseBody};
use std::panic::{catch_unwind, AssertUnwindSafe};

impl Node {
    pub fn handle(&self, request: Request) -> Response {
        let Request { id, body } = request;
        // A panic in a protocol crate ends its session (its state was taken out and is dropped), not the node.
        let answer = catch_unwind(AssertUnwindSafe(|| self.answer(body)));
        let answer = answer.unwrap_or(Err(Refused::internal("The request failed unexpectedly.")));
        let body = answer.unwrap_or_else(|refused| ResponseBody::Refused(refused.into()));
        Response { id, body }
    }

    fn answer(&self, body: RequestBody) -> Result<ResponseBody, Refused> {
        match body {
            RequestBody::Health => Ok(ResponseBody::Health(self.health())),
            RequestBody::Open { command, signature } => open::open(self, command, &signature, None),
            RequestBody::OpenApproved { command, signature, approval } => {
                open::open(self, command, &signature, Some(&approval))
            }
            RequestBody::Start { command_id, hellos } => start::start(self, command_id, &hellos),
            RequestBody::Continue { command_id, round, inbound } => round::advance(self, command_id, round, &inbound),
            RequestBody::KeyState { wallet_id, curve } => commit_key::key_state(self, wallet_id, curve),
            RequestBody::Commit { confirmations } => commit_key::commit(self, confirmations),
            RequestBody::KeepCheckpoint { command, signature } => checkpoints::keep(self, &command, &signature),
            RequestBody::Checkpoints { list, after } => checkpoints::page(self, list, after),
            RequestBody::OpenEnrolment { command, signature } => open::open_repair(self, command, &signature),
            RequestBody::Acknowledge { wallet_id, curve } => settle_key::acknowledge(self, wallet_id, curve),
            RequestBody::Settle { acknowledgements } => settle_key::settle(self, &acknowledgements),
            RequestBody::Marks(told) => attestations::take(self, told),
        }
    }
}
