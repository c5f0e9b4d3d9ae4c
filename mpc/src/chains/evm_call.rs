//! What a call's data asks of a contract, as far as that can be told: a plain transfer of a token, something that is
//! known to give power away, or anything else.

use super::evm::{saturated, Address};
use sha3::{Digest, Keccak256};
use std::collections::HashMap;
use std::sync::OnceLock;

#[derive(Debug, PartialEq, Eq)]
pub enum Asks {
    TokenTransfer {
        to: Address,
        amount: u128,
    },
    /// Somebody may take tokens later, or takes what was allowed.
    Approval,
    /// Another code, another owner or another rule for a contract.
    Upgrade,
    /// Foreign code with the rights of a Safe.
    Delegatecall,
    Unknown,
}

const APPROVALS: [&str; 10] = [
    "approve(address,uint256)",
    "increaseAllowance(address,uint256)",
    "decreaseAllowance(address,uint256)",
    "increaseApproval(address,uint256)",
    "setApprovalForAll(address,bool)",
    "permit(address,address,uint256,uint256,uint8,bytes32,bytes32)",
    "permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)",
    "permit(address,address,uint256,uint256,bytes)",
    "approve(address,address,uint160,uint48)",
    "transferFrom(address,address,uint256)",
];

const UPGRADES: [&str; 18] = [
    "upgradeTo(address)",
    "upgradeToAndCall(address,bytes)",
    "upgrade(address,address)",
    "upgradeAndCall(address,address,bytes)",
    "changeAdmin(address)",
    "changeProxyAdmin(address,address)",
    "setImplementation(address)",
    "transferOwnership(address)",
    "renounceOwnership()",
    "grantRole(bytes32,address)",
    "diamondCut((address,uint8,bytes4[])[],address,bytes)",
    "changeMasterCopy(address)",
    "addOwnerWithThreshold(address,uint256)",
    "removeOwner(address,address,uint256)",
    "swapOwner(address,address,address)",
    "changeThreshold(uint256)",
    "enableModule(address)",
    "setFallbackHandler(address)",
];

/// A Safe's own calls, with the place of `operation` among their words.
const SAFE_CALLS: [(&str, usize); 3] = [
    ("execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)", 3),
    ("execTransactionFromModule(address,uint256,bytes,uint8)", 3),
    ("execTransactionFromModuleReturnData(address,uint256,bytes,uint8)", 3),
];

#[derive(Clone, Copy)]
enum Known {
    Transfer,
    Approval,
    Upgrade,
    Safe(usize),
}

pub fn read_call(data: &[u8]) -> Asks {
    let Some((selector, arguments)) = data.split_first_chunk::<4>() else { return Asks::Unknown };
    match known().get(selector) {
        Some(Known::Transfer) => token_transfer(arguments).unwrap_or(Asks::Unknown),
        Some(Known::Approval) => Asks::Approval,
        Some(Known::Upgrade) => Asks::Upgrade,
        // An operation of 0 is a call, of whatever the Safe may do: not to be told from here.
        Some(Known::Safe(place)) => match arguments.as_chunks::<32>().0.get(*place) {
            Some(operation) if is_zero(operation) => Asks::Unknown,
            _ => Asks::Delegatecall,
        },
        None => Asks::Unknown,
    }
}

/// Two words and nothing behind them, with nothing hidden above the address.
fn token_transfer(arguments: &[u8]) -> Option<Asks> {
    let ([to, amount], []) = arguments.as_chunks::<32>() else { return None };
    let (above, to) = to.split_first_chunk::<12>()?;
    if !is_zero(above) {
        return None;
    }
    Some(Asks::TokenTransfer { to: to.try_into().ok()?, amount: saturated(amount) })
}

fn is_zero(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| *byte == 0)
}

fn known() -> &'static HashMap<[u8; 4], Known> {
    static KNOWN: OnceLock<HashMap<[u8; 4], Known>> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let approvals = APPROVALS.iter().map(|signature| (selector(signature), Known::Approval));
        let upgrades = UPGRADES.iter().map(|signature| (selector(signature), Known::Upgrade));
        let safe = SAFE_CALLS.iter().map(|(signature, place)| (selector(signature), Known::Safe(*place)));
        let transfer = (selector("transfer(address,uint256)"), Known::Transfer);
        approvals.chain(upgrades).chain(safe).chain([transfer]).collect()
    })
}

pub fn selector(signature: &str) -> [u8; 4] {
    let hash: [u8; 32] = Keccak256::digest(signature).into();
    [hash[0], hash[1], hash[2], hash[3]]
}
