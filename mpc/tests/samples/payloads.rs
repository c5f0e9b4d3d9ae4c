//! One payload of each kind for the golden vectors, with its fields as `vectors/wire.json` spells them.

use super::{bitcoin, solana, typed_data};
use mpc_node::chains::eip712::{Field, StructType, Token, TypedData};
use mpc_node::wire::command::Payload;
use mpc_node::wire::Curve;
use serde_json::{json, Value};

pub struct Sample {
    pub name: &'static str,
    pub curve: Curve,
    pub path: Vec<u32>,
    pub payload: Payload,
    pub fields: Value,
}

pub fn payload_samples() -> Vec<Sample> {
    let transaction = hex::decode("02e80180843b9aca00847735940082520894000000000000000000000000000000000000dead0180c0");
    let transaction = transaction.unwrap();
    let (secp256k1, ed25519) = (Curve::Secp256k1, Curve::Ed25519);
    let bytes = |kind: &str, bytes: &[u8]| json!({"kind": kind, "bytes": hex::encode(bytes)});
    let sample =
        |name, curve, path: &[u32], payload, fields| Sample { name, curve, path: path.to_vec(), payload, fields };
    let typed = |name, data: TypedData, document| {
        let fields = typed_data_fields(&data, document);
        sample(name, secp256k1, &[44, 60], Payload::EvmTypedData(data), fields)
    };
    // Its vectors have no digest: the bytes themselves are signed.
    let message = |name, content: Vec<u8>| {
        let fields = bytes("SolanaTransaction", &content);
        sample(name, ed25519, &[501], Payload::SolanaTransaction(content), fields)
    };
    let raw = [0x77; 32];
    let coin = bitcoin::bip_143();
    let coins: Vec<_> =
        coin.coins.iter().map(|coin| json!({"amount": coin.amount, "script": hex::encode(&coin.script)})).collect();
    let coin_fields = json!({"kind": "BitcoinInput", "transaction": hex::encode(&coin.transaction), "index": coin.index,
        "coins": coins, "sighash_type": coin.sighash_type});
    vec![
        sample("sign_raw_digest", ed25519, &[0, 2_147_483_647], Payload::RawDigest(raw), bytes("RawDigest", &raw)),
        sample(
            "sign_evm_transaction",
            secp256k1,
            &[44, 60, 0],
            Payload::EvmTransaction(transaction.clone()),
            bytes("EvmTransaction", &transaction),
        ),
        sample(
            "sign_evm_message",
            secp256k1,
            &[],
            Payload::EvmMessage(b"hello".to_vec()),
            bytes("EvmMessage", b"hello"),
        ),
        sample("sign_key_test", secp256k1, &[], Payload::KeyTest, json!({"kind": "KeyTest"})),
        typed("sign_evm_typed_data", typed_data::mail(), typed_data::mail_document()),
        typed("sign_evm_typed_data_nested", typed_data::forest(), typed_data::forest_document()),
        message("sign_solana_transaction", solana::legacy([5; 32])),
        message("sign_solana_transaction_version_0", solana::version_0([5; 32])),
        sample("sign_bitcoin_input", secp256k1, &[84, 0], Payload::BitcoinInput(coin), coin_fields),
        sample(
            "sign_solana_message",
            ed25519,
            &[501],
            Payload::SolanaMessage(b"hello".to_vec()),
            bytes("SolanaMessage", b"hello"),
        ),
    ]
}

/// `document` is what a dapp sends: a client that flattens it must arrive at the bytes of the vector.
fn typed_data_fields(data: &TypedData, document: Value) -> Value {
    let token = |token: &Token| match token {
        Token::Word(word) => json!({"kind": "Word", "word": hex::encode(word)}),
        Token::Bytes(bytes) => json!({"kind": "Bytes", "bytes": hex::encode(bytes)}),
        Token::Text(text) => json!({"kind": "Text", "text": text}),
        Token::Count(count) => json!({"kind": "Count", "count": count}),
    };
    let tokens = |tokens: &[Token]| tokens.iter().map(token).collect::<Vec<_>>();
    let field = |field: &Field| json!({"name": field.name, "type_name": field.type_name});
    let struct_type =
        |known: &StructType| json!({"name": known.name, "fields": known.fields.iter().map(field).collect::<Vec<_>>()});
    json!({"kind": "EvmTypedData", "types": data.types.iter().map(struct_type).collect::<Vec<_>>(),
        "primary_type": data.primary_type, "domain": tokens(&data.domain), "message": tokens(&data.message),
        "document": document})
}
