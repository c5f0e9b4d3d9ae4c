//! The second signature of a command, by the approver whom the node's policy names: so that a stolen command key alone
//! signs nothing. It is over the very bytes of the command, under a label of its own.

use crate::crypto::signatures;
use crate::policy::Policy;
use crate::wire::command::{Command, Operation, Payload};
use crate::wire::refusal::{RefusalCode, Refused};

const LABEL: &[u8] = b"countersign/v1/approval";

pub fn approval_signing_bytes(command: &[u8]) -> Vec<u8> {
    [LABEL, command].concat()
}

/// Generations and key tests need none: they can authorise nothing.
pub fn check_approval(
    policy: &Policy,
    command: &Command,
    bytes: &[u8],
    approval: Option<&[u8; 64]>,
) -> Result<(), Refused> {
    let Some(approver) = &policy.approver_public_key else { return Ok(()) };
    match &command.operation {
        Operation::Sign { payload, .. } if *payload != Payload::KeyTest => {}
        _ => return Ok(()),
    }
    const REFUSED: fn(&'static str) -> Refused = |sentence| Refused::new(RefusalCode::PolicyRefused, sentence);
    let approval = approval.ok_or(REFUSED("The policy of this node wants the approval of a second key."))?;
    match signatures::ed25519(approver, &approval_signing_bytes(bytes), approval) {
        true => Ok(()),
        false => Err(REFUSED("The approval of the second key does not verify.")),
    }
}
