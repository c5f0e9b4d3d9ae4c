//! Goal: the node's policy sees in a payload what the API's sees: the chain, every movement, whether there is
//! more to it, and the fee; and it caps fees as the API does.
//! Method: vectors/policy.json, which the API's tests read too (test/conformance/policy-vectors.test.ts).

mod samples;

use mpc_node::chains::solana_account::{read_account, COMPUTE_BUDGET};
use mpc_node::policy::{seen, Policy};
use mpc_node::wire::command::{Operation, Payload};
use mpc_node::wire::{decode, Curve};
use samples::bitcoin;
use samples::evm::Transaction;
use samples::solana::{compiled, Instruction};
use serde_json::{json, Value};

#[test]
fn every_vector_is_seen_as_the_api_sees_it() {
    let vectors: Vec<Value> = serde_json::from_str(include_str!("../vectors/policy.json")).expect("JSON");
    assert!(vectors.len() > 30);
    for vector in vectors {
        let name = vector["name"].as_str().expect("a name");
        let bytes = hex::decode(vector["payload"].as_str().expect("a payload")).expect("hex");
        let payload: Payload = decode(&bytes).unwrap_or_else(|| panic!("{name}: it could not be decoded"));
        let expected = json!({"chain": vector["chain"], "movements": vector["movements"],
            "unknown": vector["unknown"], "fee": vector["fee"]});
        assert_eq!(serde_json::to_value(seen(&payload)).expect("JSON"), expected, "{name}");
    }
}

/// The file has the caps of the API in base units: of the networks that it knows, and of the chains that it does not.
#[test]
fn a_fee_without_a_limit_of_its_own_is_held_to_the_caps_of_the_api() {
    let caps: Value = serde_json::from_str(include_str!("../vectors/fee-caps.json")).expect("JSON");
    let amount = |text: &Value| text.as_str().expect("an amount").parse::<u128>().expect("digits");
    let chains = caps["evm"].as_object().expect("caps by chain id");
    assert!(chains.len() > 50);
    let others = (1u64 << 40).to_string();
    let evm = chains.iter().map(|(id, cap)| (id, cap)).chain([(&others, &caps["evm_others"])]);
    for (id, cap) in evm {
        let paying = |price| {
            let plain = Transaction::plain(id.parse().expect("a chain id"), [0xd1; 20], 1);
            Payload::EvmTransaction(Transaction { gas: 1, price, ..plain }.eip_1559())
        };
        assert_capped(id, amount(cap), paying);
    }
    // On which chain it is paid is not known.
    let anywhere = |price| {
        let plain = Transaction::plain(0, [0xd1; 20], 1);
        Payload::EvmTransaction(Transaction { gas: 1, price, ..plain }.before_eip_155())
    };
    assert_capped("none", chains.values().map(amount).min().expect("a cap"), anywhere);
    assert_capped("solana", amount(&caps["solana"]), solana_with_fee);
    assert_capped("bitcoin", amount(&caps["bitcoin"]), bitcoin_with_fee);
}

fn solana_with_fee(fee: u128) -> Payload {
    let compute_budget = read_account(COMPUTE_BUDGET).expect("an address");
    let budget = |data: &[&[u8]]| Instruction { program: compute_budget, accounts: vec![], data: data.concat() };
    let units = budget(&[&[2], &1_000_000u32.to_le_bytes()]);
    let price = budget(&[&[3], &(fee as u64 - 5_000).to_le_bytes()]);
    Payload::SolanaTransaction(compiled([1; 32], &[units, price]))
}

fn bitcoin_with_fee(fee: u128) -> Payload {
    let coin = |amount| bitcoin::coin(amount, &[0x51]);
    Payload::BitcoinInput(bitcoin::input(0, vec![coin(fee as u64 + 7)], &[coin(7)]))
}

fn assert_capped(name: &str, cap: u128, with_fee: impl Fn(u128) -> Payload) {
    let policy = Policy::parse(r#"{"evm": {"unknown_transactions": true}}"#).expect("a policy");
    let refusal = |fee| {
        let payload = with_fee(fee);
        let curve = if let Payload::SolanaTransaction(_) = payload { Curve::Ed25519 } else { Curve::Secp256k1 };
        policy.check(&signing(curve, payload), None, 0).err().map(|refused| refused.detail)
    };
    assert_eq!(refusal(cap), None, "{name}");
    assert!(refusal(cap + 1).is_some_and(|sentence| sentence.contains("so high a fee")), "{name}");
}

fn signing(curve: Curve, payload: Payload) -> Operation {
    let (operation_id, wallet_id, signers) = ([1; 16], [2; 16], vec![1, 2]);
    Operation::Sign { operation_id, attempt: 1, wallet_id, curve, path: vec![], signers, payload }
}
