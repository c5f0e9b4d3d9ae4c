//! Typed data: an allowed contract's, and what lets others take tokens or move a Safe.

use super::{benign, hostile, Case, Random};
use crate::samples::evm::call;
use crate::samples::typed_data::{domain_only, mail, struct_type, text, word};
use crate::support::fixture::{signing, PERMISSIVE};
use mpc_node::chains::eip712::{StructType, Token, TypedData};
use mpc_node::policy::Policy;
use mpc_node::wire::command::Payload;
use mpc_node::wire::Curve;

const CONTRACT: &str = "cccccccccccccccccccccccccccccccccccccccc";
const SAFE_FIELDS: &str = "address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,\
    uint256 gasPrice,address gasToken,address refundReceiver,uint256 nonce";

fn payload(data: TypedData) -> Payload {
    Payload::EvmTypedData(data)
}

fn with(types: Vec<StructType>, primary_type: &str, message: Vec<Token>) -> TypedData {
    let mut all = [mail().types[..1].to_vec(), types].concat();
    all.sort_by(|left, right| left.name.cmp(&right.name));
    TypedData { types: all, primary_type: primary_type.into(), domain: mail().domain, message }
}

struct Safe {
    to: String,
    value: String,
    data: Vec<u8>,
    operation: &'static str,
    gas_price: &'static str,
}

fn safe(change: impl FnOnce(&mut Safe)) -> Payload {
    let mut safe = Safe { to: "d1".repeat(20), value: "01".into(), data: vec![], operation: "00", gas_price: "00" };
    change(&mut safe);
    let Safe { to, value, data, operation, gas_price } = safe;
    let head = [word(&to), word(&value), Token::Bytes(data), word(operation), word("00"), word("00")];
    let tail = [word(gas_price), word("00"), word("00"), word("07")];
    payload(with(vec![struct_type("SafeTx", SAFE_FIELDS)], "SafeTx", [&head[..], &tail[..]].concat()))
}

fn domain(fields: &str, values: Vec<Token>) -> Payload {
    let mut data = mail();
    data.types[0] = struct_type("EIP712Domain", fields);
    data.domain = values;
    payload(data)
}

pub fn cases(random: &mut Random) -> Vec<Case> {
    let thief = hex::encode(random.bytes::<20>());
    let much = "ff".repeat(32);
    let chain_and_contract = "uint256 chainId,address verifyingContract";
    let other_chain = format!("{:x}", 1 + random.up_to(1 << 40));
    let mut cases = vec![
        benign("a mail", payload(mail())),
        benign("a domain", payload(domain_only())),
        benign("a Safe's transfer", safe(|_| {})),
        hostile("another contract", domain(chain_and_contract, vec![word("01"), word(&thief)]), "this contract"),
        hostile("no contract", domain("uint256 chainId", vec![word("01")]), "this contract"),
        hostile("another chain", domain(chain_and_contract, vec![word(&other_chain), word(CONTRACT)]), "this chain"),
        hostile(
            "a wide chain",
            domain(chain_and_contract, vec![word(&format!("01{}01", "00".repeat(8))), word(CONTRACT)]),
            "this chain",
        ),
        hostile("no chain", domain("address verifyingContract", vec![word(CONTRACT)]), "this chain"),
        hostile("a Safe's delegatecall", safe(|safe| safe.operation = "01"), "delegatecalls"),
        hostile("a Safe's odd operation", safe(|safe| safe.operation = "ff"), "delegatecalls"),
        hostile("a Safe's coins to another", safe(|safe| safe.to.clone_from(&thief)), "this destination"),
        hostile("too much of a Safe", safe(|safe| safe.value = "ff".repeat(16)), "so high an amount"),
        hostile("a Safe that pays its sender", safe(|safe| safe.gas_price = "01"), "does not know"),
        hostile(
            "an approval by a Safe",
            safe(|safe| safe.data = call("approve(address,uint256)", &[[1; 32], [0xff; 32]])),
            "approvals",
        ),
        hostile(
            "a Safe's new owner",
            safe(|safe| safe.data = call("addOwnerWithThreshold(address,uint256)", &[[1; 32]; 2])),
            "upgrades",
        ),
    ];
    let odd_safe = struct_type("SafeTx", "address to,uint256 value,bytes data,uint8[] operation,uint256 gasPrice");
    let odd = vec![word(&"d1".repeat(20)), word("00"), Token::Bytes(vec![]), Token::Count(0), word("00")];
    cases.push(hostile(
        "a Safe's transaction of another form",
        payload(with(vec![odd_safe], "SafeTx", odd)),
        "delegatecalls",
    ));
    let permits = [
        ("Permit", "address owner,address spender,uint256 value,uint256 nonce,uint256 deadline"),
        ("Permit", "address holder,address spender,uint256 nonce,uint256 expiry,bool allowed"),
        (
            "TransferWithAuthorization",
            "address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce",
        ),
        (
            "ReceiveWithAuthorization",
            "address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce",
        ),
        ("Delegated", "address spender,uint256 amount"),
    ];
    for (name, fields) in permits {
        let known = struct_type(name, fields);
        let value = |kind: &str| match kind {
            "address" => word(&thief),
            "bool" => word("01"),
            _ => word(&much),
        };
        let message = known.fields.iter().map(|field| value(&field.type_name)).collect();
        cases.push(hostile(format!("{name} {fields}"), payload(with(vec![known], name, message)), "permits"));
    }
    // Permit2: the tokens lie in a struct of their own, one or many.
    let details = struct_type("PermitDetails", "address token,uint160 amount,uint48 expiration,uint48 nonce");
    let detail = [word(&thief), word(&"ff".repeat(20)), word("ffffffffffff"), word("00")];
    let single = struct_type("PermitSingle", "PermitDetails details,address spender,uint256 sigDeadline");
    let message = [&detail[..], &[word(&thief), word(&much)]].concat();
    let data = with(vec![details.clone(), single], "PermitSingle", message);
    cases.push(hostile("PermitSingle", payload(data), "permits"));
    let batch = struct_type("PermitBatch", "PermitDetails[] details,address spender,uint256 sigDeadline");
    let message = [&[Token::Count(2)], &detail[..], &detail[..], &[word(&thief), word(&much)]].concat();
    cases.push(hostile("PermitBatch", payload(with(vec![details, batch], "PermitBatch", message)), "permits"));
    // Hidden below another struct.
    let order = struct_type("Order", "string note,Permit permit");
    let inner = struct_type("Permit", "address owner,uint256 value");
    let message = vec![text("a harmless order"), word(&thief), word(&much)];
    cases.push(hostile("a permit inside", payload(with(vec![order, inner], "Order", message)), "permits"));
    cases
}

/// Control, orders and calls under a signature, as real contracts take them, by names that no list of ours could be
/// complete with: each is T8 without a word that gives it away.
const UNKNOWN: [(&str, &str); 9] = [
    // Compound III; Morpho's is alike.
    ("Authorization", "address owner,address manager,bool isAllowed,uint256 nonce,uint256 expiry"),
    ("MetaTransaction", "uint256 nonce,address from,bytes functionSignature"),
    ("SafeMessage", "bytes message"),
    (
        "PackedUserOperation",
        "address sender,uint256 nonce,bytes initCode,bytes callData,bytes32 accountGasLimits,\
        uint256 preVerificationGas,bytes32 gasFees,bytes paymasterAndData",
    ),
    ("DelegationWithSig", "address delegatee,uint256 value,uint256 nonce,uint256 deadline"),
    ("ForwardRequest", "address from,address to,uint256 value,uint256 gas,uint256 nonce,uint48 deadline,bytes data"),
    ("OrderComponents", "address offerer,bytes32 conduitKey,uint256 counter"),
    ("Whatever", "string text"),
    ("safetx", "address to,uint256 value"),
];

fn filled(name: &str, fields: &str) -> TypedData {
    let known = struct_type(name, fields);
    let value = |kind: &str| match kind {
        "bytes" => Token::Bytes(vec![]),
        "string" => text(""),
        _ => word("01"),
    };
    let message = known.fields.iter().map(|field| value(&field.type_name)).collect();
    with(vec![known], name, message)
}

fn refusal(policy: &str, payload: Payload) -> Option<&'static str> {
    let operation = signing(Curve::Secp256k1, &[1, 2], &[], payload);
    Policy::parse(policy).unwrap().check(&operation, None, 0).err().map(|refused| refused.detail)
}

#[test]
fn t8_typed_data_that_nobody_named_is_refused() {
    let production = [
        "{}",
        r#"{"typed_data": {"permits": true}}"#,
        r#"{"typed_data": {"types": []}}"#,
        r#"{"typed_data": {"types": ["Mail"]}}"#,
        r#"{"typed_data": {"types": ["Mail"], "unknown": true}}"#,
        r#"{"typed_data": {"types": ["Mail"], "contracts": ["0xcccccccccccccccccccccccccccccccccccccccc"]}}"#,
        r#"{"evm": {"chains": {"1": {"amount_max": "0", "destinations": []}}}}"#,
    ];
    let unknown = || UNKNOWN.iter().map(|(name, fields)| (*name, payload(filled(name, fields))));
    for policy in production {
        for (name, payload) in unknown().chain([("a domain", payload(domain_only()))]) {
            let words = refusal(policy, payload);
            assert!(words.is_some_and(|words| words.contains("does not know")), "{name} {policy} {words:?}");
        }
    }
    let by_contract = r#"{"typed_data": {"contracts": ["0xcccccccccccccccccccccccccccccccccccccccc"]}}"#;
    for policy in [r#"{"typed_data": {"unknown": true}}"#, PERMISSIVE, by_contract] {
        unknown().for_each(|(name, payload)| assert_eq!(refusal(policy, payload), None, "{name} {policy}"));
    }
    for (name, fields) in UNKNOWN {
        let policy = format!(r#"{{"typed_data": {{"types": ["{name}"]}}}}"#);
        assert_eq!(refusal(&policy, payload(filled(name, fields))), None);
        let elsewhere = r#", "contracts": ["0xdddddddddddddddddddddddddddddddddddddddd"]}}"#;
        let policy = policy.replace("}}", elsewhere);
        assert!(refusal(&policy, payload(filled(name, fields))).is_some_and(|words| words.contains("this contract")));
    }
    // What a Safe does is read, and held against its chain's rules, named or not.
    for policy in ["{}", r#"{"typed_data": {"types": ["SafeTx"]}}"#, r#"{"typed_data": {"types": ["Mail"]}}"#] {
        assert_eq!(refusal(policy, safe(|_| {})), None);
        assert!(
            refusal(policy, safe(|safe| safe.operation = "01")).is_some_and(|words| words.contains("delegatecalls"))
        );
    }
    // A permit is one by its name alone where permits are allowed, and needs that where its type or contract is named.
    let permit =
        || payload(filled("Permit", "address owner,address spender,uint256 value,uint256 nonce,uint256 deadline"));
    assert_eq!(refusal(r#"{"typed_data": {"permits": true}}"#, permit()), None);
    for policy in
        ["{}", r#"{"typed_data": {"types": ["Permit"]}}"#, r#"{"typed_data": {"unknown": true}}"#, by_contract]
    {
        assert!(refusal(policy, permit()).is_some_and(|words| words.contains("permits")));
    }
}
