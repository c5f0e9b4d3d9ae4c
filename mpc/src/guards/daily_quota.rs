//! What the policy lets pass without counting is counted here: key tests, generations and refreshes, by the day (UTC).
//! Who holds the command key alone must not fill the disk. Lies in the journal with the policy's counters.

use crate::crypto::random;
use crate::limits::DailyQuota;
use crate::policy::Charge;
use crate::wire::command::{Operation, Payload};
use crate::wire::encode;
use sha2::{Digest, Sha256};

const DAY_MS: u64 = 86_400_000;

pub fn charge(operation: &Operation, limits: &DailyQuota, now_ms: u64) -> Option<Charge> {
    let (name, limit, sentence) = match operation {
        Operation::GenerateKey { .. } | Operation::GenerateWorkspaceKey { .. } => {
            ("generations", limits.generations, "This node makes no more keys today.")
        }
        Operation::Refresh { .. } => ("refreshes", limits.refreshes, "This node refreshes no more keys today."),
        Operation::Sign { payload: Payload::KeyTest, .. } => {
            ("key tests", limits.key_tests, "This node makes no more key tests today.")
        }
        Operation::Sign { .. } | Operation::Repair { .. } => return None,
    };
    let counter = Sha256::digest(encode(&("countersign/v1/daily", name))).into();
    // Of nobody's choice: under a name that is bound already a session would not be counted.
    let subject = random::bytes();
    let window_end_ms = (now_ms / DAY_MS + 1) * DAY_MS;
    // A restored node counts anew: it must refresh.
    let window_start_ms = u64::MAX;
    Some(Charge { window_start_ms, window_end_ms, counter, subject, amount: 1, limit: u128::from(limit), sentence })
}
