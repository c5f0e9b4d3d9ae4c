//! Goal: the policy file means what it says, and one that says something else is an error. Method: the pure check with
//! times of its own, and files that are wrong in one place.

use crate::samples::bitcoin::{self, bip_143, BIP_143_DIGEST, BIP_143_KEY};
use crate::samples::evm::{address_word, call, number_word, Transaction};
use crate::samples::solana::{compiled, offchain, Instruction};
use crate::support::fixture::*;
use mpc_node::chains::bitcoin_address::script_of;
use mpc_node::chains::evm::{read_transaction, Call};
use mpc_node::chains::solana_account::*;
use mpc_node::keys::derive_secp256k1::derive;
use mpc_node::policy::Policy;
use mpc_node::wire::command::{Operation, Payload};
use mpc_node::wire::Curve;

fn paying(amount: u128) -> Operation {
    let transaction = Transaction::plain(1, [0xd1; 20], amount).eip_1559();
    signing(Curve::Secp256k1, &[1, 2], &[], Payload::EvmTransaction(transaction))
}

/// 2026-11-18, a Wednesday, 09:30 UTC.
const WEDNESDAY_MS: u64 = 1_794_994_200_000;
const MINUTE_MS: u64 = 60_000;
const HOUR_MS: u64 = 60 * MINUTE_MS;
const DAY_MS: u64 = 24 * HOUR_MS;

#[test]
fn hours_are_those_of_the_week_in_utc() {
    let json =
        r#"{"hours": [{"days": ["wed", "thu"], "from": "08:00", "to": "09:31"}, {"from": "22:00", "to": "24:00"}]}"#;
    let policy = Policy::parse(json).unwrap();
    let signs = |at_ms| policy.check(&paying(1), None, at_ms).is_ok();
    assert!(signs(WEDNESDAY_MS) && signs(WEDNESDAY_MS + DAY_MS));
    assert!(!signs(WEDNESDAY_MS + MINUTE_MS), "the end is not in the window");
    assert!(!signs(WEDNESDAY_MS - 91 * MINUTE_MS) && signs(WEDNESDAY_MS - 90 * MINUTE_MS));
    assert!(!signs(WEDNESDAY_MS - DAY_MS) && !signs(WEDNESDAY_MS + 2 * DAY_MS));
    assert!(signs(WEDNESDAY_MS + 3 * DAY_MS + 14 * HOUR_MS), "Saturday, 23:30");
    let key_test = signing(Curve::Secp256k1, &[1, 2], &[], Payload::KeyTest);
    assert!(policy.check(&key_test, None, WEDNESDAY_MS - DAY_MS).is_ok());
}

#[test]
fn counters_are_those_of_their_window() {
    let json = r#"{"rates": {"per_minute": 5, "wallet_per_hour": 9}, "evm": {"any_chain": {"daily_max": "700000"}}}"#;
    let policy = Policy::parse(json).unwrap();
    let charges = |at_ms| policy.check(&paying(7), None, at_ms).unwrap();
    let now = charges(WEDNESDAY_MS);
    let counted: Vec<_> = now.iter().map(|charge| (charge.amount, charge.limit)).collect();
    assert_eq!(counted, [(1, 5), (1, 9), (630_007, 700_000)], "the fee is paid in the coin that is sent");
    let ends: Vec<_> = now.iter().map(|charge| charge.window_end_ms).collect();
    let midnight = WEDNESDAY_MS + 14 * HOUR_MS + 30 * MINUTE_MS;
    assert_eq!(ends, [WEDNESDAY_MS + MINUTE_MS, WEDNESDAY_MS + 30 * MINUTE_MS, midnight]);
    let counters = |charges: Vec<mpc_node::policy::Charge>| charges.iter().map(|c| c.counter).collect::<Vec<_>>();
    assert_eq!(counters(now.clone()), counters(charges(midnight)), "a counter is told apart by its window's end alone");
    let mut of_other_wallet = paying(7);
    let Operation::Sign { wallet_id, .. } = &mut of_other_wallet else { unreachable!() };
    *wallet_id = [0xbb; 16];
    let others = counters(policy.check(&of_other_wallet, None, WEDNESDAY_MS).unwrap());
    let shared: Vec<_> = counters(now).iter().zip(&others).map(|(mine, other)| mine == other).collect();
    assert_eq!(shared, [true, false, false], "all wallets share the node's rate alone");
}

#[test]
fn wallets_and_curves_are_those_named() {
    let covers = |json: &str, operation: &Operation| Policy::parse(json).unwrap().check(operation, None, 0).is_ok();
    assert!(covers(r#"{"wallets": ["aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa"]}"#, &paying(1)));
    assert!(!covers(r#"{"wallets": ["aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaab"]}"#, &paying(1)));
    assert!(!covers(r#"{"wallets": []}"#, &paying(1)));
    assert!(covers(r#"{"curves": ["secp256k1"]}"#, &paying(1)));
    assert!(!covers(r#"{"curves": ["ed25519"]}"#, &paying(1)));
    let message = signing(Curve::Secp256k1, &[1, 2], &[], Payload::EvmMessage(b"hello".to_vec()));
    assert!(covers("{}", &message) && !covers(r#"{"messages": false}"#, &message));
    for curve in CURVES {
        assert!(!covers("{}", &raw(curve, &[1, 2])) && covers(PERMISSIVE, &raw(curve, &[1, 2])));
    }
    // Other chains than those with rules are refused, unless there are rules for any.
    assert!(covers("{}", &paying(1)) && !covers(r#"{"evm": {"chains": {"5": {}}}}"#, &paying(1)));
    assert!(covers(r#"{"evm": {"chains": {"5": {}}, "any_chain": {}}}"#, &paying(1)));
}

#[test]
fn a_file_that_is_wrong_in_one_place_is_an_error() {
    let wrong = [
        ("", "valid"),
        ("[]", "list"),
        (r#"{"rates": [60]}"#, "list"),
        (r#"{"evm": {"any_chain": []}}"#, "list"),
        (r#"{"hours": [[null, "08:00", "10:00"]]}"#, "list"),
        ("{} {}", "valid"),
        (r#"{"raw_digest": true}"#, "raw_digest"),
        (r#"{"raw_digests": "yes"}"#, "boolean"),
        (r#"{"messages": true, "messages": false}"#, "duplicate"),
        (r#"{"evm": {"chains": {"1": {}, "1": {}}}}"#, "twice"),
        (r#"{"evm": {"chains": {"one": {}}}}"#, "valid"),
        (r#"{"evm": {"chains": {"1": {"amount_mx": "5"}}}}"#, "amount_mx"),
        (r#"{"evm": {"any_chain": {"amount_max": 5}}}"#, "valid"),
        (r#"{"evm": {"any_chain": {"amount_max": "-5"}}}"#, "decimal"),
        (r#"{"evm": {"any_chain": {"amount_max": "05"}}}"#, "decimal"),
        (r#"{"evm": {"any_chain": {"amount_max": "+5"}}}"#, "decimal"),
        (r#"{"evm": {"any_chain": {"amount_max": "340282366920938463463374607431768211455"}}}"#, "decimal"),
        (r#"{"evm": {"any_chain": {"destinations": ["d1"]}}}"#, "40 hex"),
        (r#"{"evm": {"any_chain": {"allow": ["everything"]}}}"#, "everything"),
        // A checksum that is not EIP-55's; all small or all capital letters have none.
        (r#"{"evm": {"any_chain": {"destinations": ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD"]}}}"#, "40 hex"),
        (r#"{"evm": {"any_chain": {"tokens": {"0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed": {}}}}}"#, "40 hex"),
        (r#"{"evm": {"any_chain": {"tokens": "all"}}}"#, "any"),
        (r#"{"solana": {"tokens": "any "}}"#, "any"),
        (r#"{"solana": {"tokens": ["any"]}}"#, "any"),
        (r#"{"typed_data": {"types": "Mail"}}"#, "sequence"),
        (r#"{"solana": {"destinations": ["0x00"]}}"#, "base58"),
        (r#"{"bitcoin": {"destinations": ["bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5"]}}"#, "address"),
        (r#"{"bitcoin": {"destinations": ["ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9"]}}"#, "address"),
        (r#"{"hours": [{"from": "9:00", "to": "10:00"}]}"#, "07:30"),
        (r#"{"hours": [{"from": "08:60", "to": "10:00"}]}"#, "07:30"),
        (r#"{"hours": [{"from": "08:00", "to": "24:01"}]}"#, "07:30"),
        (r#"{"hours": [{"from": "08:00", "to": "25:00"}]}"#, "07:30"),
        (r#"{"hours": [{"from": "22:00", "to": "06:00"}]}"#, "two windows"),
        (r#"{"hours": [{"days": ["someday"], "from": "08:00", "to": "10:00"}]}"#, "someday"),
        (r#"{"wallets": ["aaaa"]}"#, "\"aaaa\""),
        (r#"{"wallets": ["label:treasury"]}"#, "\"label:treasury\""),
        (r#"{"wallets": ["label:aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa"]}"#, "\"label:aaaa"),
        (r#"{"wallets": ["workspace:treasury"]}"#, "\"workspace:treasury\""),
        (r#"{"wallets": ["workspaces:aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa"]}"#, "\"workspaces:aaaa"),
        (r#"{"wallets": ["Workspace:aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa"]}"#, "\"Workspace:aaaa"),
        (r#"{"wallets": [" workspace:aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa"]}"#, "\" workspace:aaaa"),
        (r#"{"wallets": ["workspace:workspace:aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa"]}"#, "workspace:workspace:"),
        (r#"{"wallets": ["workspace:"]}"#, "\"workspace:\""),
        (r#"{"wallets": [{"workspace": "aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa"}]}"#, "string"),
        (r#"{"wallets": {"workspace": "aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa"}}"#, "sequence"),
        (r#"{"paused": {"wallets": ["label:treasury"]}}"#, "\"label:treasury\""),
        (r#"{"curves": ["p256"]}"#, "p256"),
        (r#"{"rates": {"per_minute": -1}}"#, "valid"),
        (r#"{"approver_public_key": "00"}"#, "approver_public_key"),
        (
            r#"{"approver_public_key": "0100000000000000000000000000000000000000000000000000000000000000"}"#,
            "approver_public_key",
        ),
    ];
    for (json, words) in wrong {
        let sentence = Policy::parse(json).err().unwrap_or_else(|| panic!("{json} was taken"));
        assert!(sentence.contains(words) && !sentence.contains('\n'), "{json}: {sentence}");
    }
    let right = [
        PERMISSIVE,
        include_str!("../../../policies/production.json"),
        r#"{"evm": {"any_chain": {"destinations": ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"]}}}"#,
        r#"{"evm": {"any_chain": {"destinations": ["0x5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED"]}}}"#,
        r#"{"bitcoin": {"destinations": ["BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4"]}}"#,
    ];
    for example in right {
        assert_eq!(Policy::parse(example).map(drop), Ok(()));
    }
}

/// Serde takes it for a field that is left out, and so for no limit.
#[test]
fn null_is_not_a_limit_and_not_the_lack_of_one() {
    let wrong = [
        "null",
        r#"{"hours": null}"#,
        r#"{"rates": {"per_minute": null}}"#,
        r#"{"typed_data": {"contracts": null}}"#,
        r#"{"evm": {"any_chain": null}}"#,
        r#"{"evm": {"any_chain": {"destinations": null, "daily_max": "5", "amount_max": "5"}}}"#,
        r#"{"evm": {"chains": {"1": {"daily_max": null}}}}"#,
        r#"{"evm": {"chains": {"1": {"tokens": {"0xa1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1": {"amount_max": null}}}}}}"#,
        r#"{"solana": {"fee_max": null}}"#,
        r#"{"bitcoin": {"destinations": null}}"#,
    ];
    for json in wrong {
        assert!(Policy::parse(json).err().is_some_and(|sentence| sentence.contains("null")), "{json}");
    }
}

fn refusal(policy: &str, payload: Payload) -> Option<&'static str> {
    let curve = if let Payload::SolanaTransaction(_) = payload { Curve::Ed25519 } else { Curve::Secp256k1 };
    let operation = signing(curve, &[1, 2], &[], payload);
    Policy::parse(policy).unwrap().check(&operation, None, 0).err().map(|refused| refused.detail)
}

/// What Safe and ERC-4337 accounts take under eth_sign's prefix, and the same as text.
#[test]
fn a_message_that_is_a_digest_is_signed_where_raw_digests_are() {
    let digits = "5f".repeat(32);
    let prefixed = format!("0x{digits}");
    let upper = format!("0X{}", digits.to_uppercase());
    for digest in [&[7; 32][..], &[b'a'; 32], digits.as_bytes(), prefixed.as_bytes(), upper.as_bytes()] {
        let message = || Payload::EvmMessage(digest.to_vec());
        let on_solana = Payload::SolanaMessage(digest.to_vec());
        for message in [message(), on_solana] {
            assert!(refusal("{}", message).is_some_and(|words| words.contains("digest")), "{digest:02x?}");
        }
        assert_eq!(refusal(r#"{"raw_digests": true}"#, message()), None);
        assert!(refusal(r#"{"raw_digests": true, "messages": false}"#, message()).is_some());
    }
    for digest in [&[b'a'; 32][..], digits.as_bytes(), upper.as_bytes()] {
        let in_envelope = Payload::SolanaMessage(offchain(&[[5; 32]], digest));
        assert!(refusal("{}", in_envelope).is_some_and(|words| words.contains("digest")), "{digest:02x?}");
    }
    let sentence = format!("{digits}g");
    for text in [&[7; 31][..], &[7; 33], &digits.as_bytes()[1..], sentence.as_bytes(), b"", "ß".repeat(33).as_bytes()]
    {
        assert_eq!(refusal("{}", Payload::EvmMessage(text.to_vec())), None, "{text:02x?}");
    }
}

/// On Celo and Metis the coin itself has a token contract, and moves by its transfer.
#[test]
fn a_limit_of_the_coin_is_not_passed_by_its_token_contract() {
    let data = call("transfer(address,uint256)", &[address_word([0xd1; 20]), number_word(9)]);
    let celo = Transaction { data, gas: 60_000, ..Transaction::plain(42_220, [0x47; 20], 0) };
    let evm = || Payload::EvmTransaction(celo.eip_1559());
    let accounts = vec![[4; 32], [3; 32], [2; 32], [1; 32]];
    let data = [&[12][..], &9u64.to_le_bytes(), &[6]].concat();
    let transfer = Instruction { program: read_account(TOKEN).unwrap(), accounts, data };
    let solana = || Payload::SolanaTransaction(compiled([1; 32], std::slice::from_ref(&transfer)));
    for limit in ["amount_max", "daily_max"] {
        for with in ["", r#", "tokens": "any""#] {
            let rules = format!(r#"{{"{limit}": "5"{with}}}"#);
            let chain = format!(r#"{{"evm": {{"chains": {{"42220": {rules}}}}}, "solana": {rules}}}"#);
            for payload in [evm(), solana()] {
                assert_eq!(refusal(&chain, payload).is_some_and(|words| words.contains("token")), with.is_empty());
            }
        }
    }
    for without_limit in ["{}", r#"{"evm": {"any_chain": {"fee_max": "999999999"}}, "solana": {"fee_max": "5000"}}"#] {
        assert_eq!((refusal(without_limit, evm()), refusal(without_limit, solana())), (None, None));
    }
}

/// Agave reads a budget with `try_from_slice_unchecked`: what stands behind it is ignored.
#[test]
fn the_fee_of_a_solana_message_is_what_the_network_may_take() {
    let budget = |data: Vec<u8>| Instruction { program: read_account(COMPUTE_BUDGET).unwrap(), accounts: vec![], data };
    let price = |behind: &[u8]| budget([&[3][..], &1_000_000u64.to_le_bytes(), behind].concat());
    let units = |behind: &[u8]| budget([&[2][..], &1_400_000u32.to_le_bytes(), behind].concat());
    let message = |instructions: &[Instruction]| Payload::SolanaTransaction(compiled([1; 32], instructions));
    let allowing = |fee: u64| format!(r#"{{"solana": {{"fee_max": "{fee}", "allow": ["unknown_instructions"]}}}}"#);
    // 5000 lamports for the signature, and one for each unit.
    for instructions in [
        [units(&[]), price(&[])],
        [units(&[0]), price(&[])],
        [units(&[]), price(&[0])],
        [budget(vec![2, 0]), price(&[])],
    ] {
        assert_eq!(refusal(&allowing(1_405_000), message(&instructions)), None);
        assert!(refusal(&allowing(1_404_999), message(&instructions)).is_some_and(|words| words.contains("fee")));
    }
    assert!(refusal(&allowing(u64::MAX), message(&[budget(vec![3, 0]), units(&[])]))
        .is_some_and(|words| words.contains("fee")));
    // One that is not exactly what it says is refused, unless unknown ones are allowed.
    let exact = [units(&[]), price(&[]), budget(vec![1, 0, 0, 1, 0]), budget(vec![4, 0, 0, 1, 0])];
    for instruction in &exact {
        assert_eq!(refusal("{}", message(std::slice::from_ref(instruction))), None);
        let longer = budget([&instruction.data[..], &[0]].concat());
        let shorter = budget(instruction.data[..instruction.data.len() - 1].to_vec());
        for other in [longer, shorter] {
            assert!(refusal("{}", message(&[other])).is_some_and(|words| words.contains("does not know")));
        }
    }
}

/// Its second signature would be the first one's, or a node's.
#[test]
fn the_approver_has_a_key_of_its_own() {
    let mut cluster = TestCluster::with_keys();
    let file = cluster.cluster_file();
    let keys = [file.command_public_key, file.nodes[&1], file.nodes[&3], file.enrolment_public_key.unwrap()];
    cluster.stop(1);
    for key in keys {
        cluster.policy = format!(r#"{{"approver_public_key": "{}"}}"#, hex::encode(key.as_bytes()));
        assert!(cluster.try_start(1).err().is_some_and(|sentence| sentence.contains("approver")));
    }
    let own = ed25519_dalek::SigningKey::from_bytes(&[9; 32]).verifying_key();
    cluster.policy = format!(r#"{{"approver_public_key": "{}"}}"#, hex::encode(own.as_bytes()));
    assert!(cluster.try_start(1).is_ok());
}

#[test]
fn the_digest_of_a_bitcoin_input_is_bip_143s() {
    assert_eq!(hex::encode(bip_143().digest().unwrap()), BIP_143_DIGEST);
    let key = hex::decode(BIP_143_KEY).unwrap();
    assert_eq!(derive(&key, &[0; 32], &[]).unwrap().as_slice(), key);
    assert_eq!(derive(&key, &[0; 32], &[1 << 31]), None);
}

#[test]
fn child_keys_are_the_tests_own() {
    let cluster = TestCluster::with_keys();
    let statement = &cluster.confirmations(Curve::Secp256k1)[0].statement;
    for path in [&[][..], &[0], &[44, 60, 0, 7], &[2_147_483_647]] {
        let own = crate::signing::child_key(Curve::Secp256k1, &statement.public_key, statement.chain_code, path);
        assert_eq!(derive(&statement.public_key, &statement.chain_code, path).unwrap().as_slice(), own);
    }
}

#[test]
fn addresses_are_read_as_other_software_writes_them() {
    let script = |address| script_of(address).map(hex::encode);
    let wanted = [
        ("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "0014751e76e8199196d454941c45d1b3a323f1433bd6"), // BIP-173
        (
            "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0", // BIP-350
            "512079be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
        ),
        ("1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2", "76a91477bff20c60e522dfaa3350c39b030a5d004e839a88ac"),
        ("3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy", "a914b472a266d0bd89c13706a4132ccfb16f7c3b9fcb87"),
    ];
    for (address, hex) in wanted {
        assert_eq!(script(address).as_deref(), Some(hex), "{address}");
    }
    // Litecoin's and Dogecoin's have other prefixes and versions.
    for other in [
        "",
        "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3",
        "bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs",
        "ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9",
        "D597kHXGdkwkryF9oGhz9Bp1ypTpD1u99Z",
    ] {
        assert_eq!(script(other), None, "{other}");
    }
    assert_eq!(read_account("11111111111111111111111111111111"), Some([0; 32]));
    assert_eq!(read_account("1111111111111111111111111111111"), None);
    // USDC's mint, its owner's account as @solana-program/token derives it.
    let account = |text| read_account(text).unwrap();
    let found = associated_token_account(
        &account("vines1vzrYbzLMRdu58ou5XTby4qAqVRLmqo36NKPTg"),
        &account(TOKEN),
        &account("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"),
    );
    assert_eq!(
        found.map(|found| bs58::encode(found).into_string()).as_deref(),
        Some("9jrTvdU2Am3UmgSAX8EKS9wwrSufkWRbZzEukDogqpQg")
    );
}

#[test]
fn a_transaction_is_read_in_every_type() {
    let transaction = Transaction::plain(5, [0xd1; 20], 9);
    let call = || Call { to: Some([0xd1; 20]), value: 9, data: &[] };
    for (bytes, chain_id) in [
        (transaction.before_eip_155(), None),
        (transaction.legacy(), Some(5)),
        (transaction.eip_2930(), Some(5)),
        (transaction.eip_1559(), Some(5)),
    ] {
        let read = read_transaction(&bytes).unwrap();
        assert_eq!((read.chain_id, read.fee_max, read.call), (chain_id, 630_000, call()));
    }
}

/// What a thief cannot send he would pay to whoever makes the blocks.
#[test]
fn a_fee_counts_with_what_is_sent_in_the_same_coin() {
    let transaction = |value, fee: u64| Transaction { price: 1, gas: fee, ..Transaction::plain(1, [0xd1; 20], value) };
    let evm = |value, fee| Payload::EvmTransaction(transaction(value, fee).eip_1559());
    let transfer = || call("transfer(address,uint256)", &[address_word([0xd1; 20]), number_word(9)]);
    let tokens = |fee| Payload::EvmTransaction(Transaction { data: transfer(), ..transaction(0, fee) }.eip_1559());
    let lamports = |amount: u64| Instruction {
        program: SYSTEM,
        accounts: vec![[1; 32], [2; 32]],
        data: [&[2, 0, 0, 0][..], &amount.to_le_bytes()].concat(),
    };
    let account = || Instruction { program: read_account(ASSOCIATED_TOKEN).unwrap(), accounts: vec![], data: vec![1] };
    let solana = |instructions: &[Instruction]| Payload::SolanaTransaction(compiled([1; 32], instructions));
    let bitcoin = |amount: u64, fee: u64| {
        let coins = vec![bitcoin::coin(amount + fee, &[0x51])];
        Payload::BitcoinInput(bitcoin::input(0, coins, &[bitcoin::coin(amount, &[0x52])]))
    };
    let limits = |limit: &str, max: &str| {
        let rules = format!(r#"{{"{limit}": "{max}"}}"#);
        let evm = format!(r#"{{"{limit}": "{max}", "tokens": "any"}}"#);
        format!(r#"{{"evm": {{"any_chain": {evm}}}, "solana": {rules}, "bitcoin": {rules}}}"#)
    };
    // What is sent, and the fee: 5000 lamports a signature, 2,074,080 for a new token account.
    for (payload, sum) in [
        (evm(7, 3), 10),
        (tokens(3), 3),
        (solana(&[lamports(7)]), 5_007),
        (solana(&[account(), lamports(7)]), 2_079_087),
        (bitcoin(7, 3), 10),
    ] {
        let most = limits("amount_max", &sum.to_string());
        assert_eq!(refusal(&most, payload.clone()), None);
        let less = limits("amount_max", &(sum - 1).to_string());
        assert!(refusal(&less, payload.clone()).is_some_and(|words| words.contains("so high an amount")), "{sum}");
        let curve = if let Payload::SolanaTransaction(_) = payload { Curve::Ed25519 } else { Curve::Secp256k1 };
        let operation = signing(curve, &[1, 2], &[], payload);
        let daily = Policy::parse(&limits("daily_max", "99999999")).unwrap();
        let charges = daily.check(&operation, None, 0).unwrap();
        assert_eq!(charges.iter().map(|charge| charge.amount).collect::<Vec<_>>(), [sum]);
    }
    // Who may send nothing of the coin may still pay for transfers of tokens.
    for limit in ["amount_max", "daily_max"] {
        assert_eq!(refusal(&limits(limit, "0"), tokens(3)), None);
    }
    assert!(refusal(&limits("amount_max", "0"), evm(1, 0)).is_some());
}
