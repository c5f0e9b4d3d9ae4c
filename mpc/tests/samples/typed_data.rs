//! Typed data with its digest as EIP-712's own page or viem 2.57.1 (`hashTypedData`) states it, in the node's flat form
//! and as the JSON document that dapps send.

use mpc_node::chains::eip712::{Field, StructType, Token, TypedData};
use serde_json::{json, Value};

/// EIP-712, Test Cases.
pub const MAIL_DIGEST: &str = "be609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2";
/// viem.
pub const FOREST_DIGEST: &str = "38167447a736dfdf4131bbe06b56a7cfdfc63ccaede06131d356fbcb9fb3ab1f";
/// viem.
pub const DOMAIN_DIGEST: &str = "aa83c70305ec6c131e7a88f258c40813447bec8b9bcef94e5479603d9959da07";

/// `fields` as EIP-712 writes them: `type name,type name`.
pub fn struct_type(name: &str, fields: &str) -> StructType {
    let field = |text: &str| {
        let (type_name, name) = text.split_once(' ').expect("a type and a name");
        Field { name: name.into(), type_name: type_name.into() }
    };
    let fields = if fields.is_empty() { vec![] } else { fields.split(',').map(field).collect() };
    StructType { name: name.into(), fields }
}

/// Right-aligned, as numbers and addresses are.
pub fn word(digits: &str) -> Token {
    Token::Word(hex::decode(format!("{digits:0>64}")).unwrap().try_into().unwrap())
}

/// Left-aligned, as `bytesN` is.
pub fn word_left(digits: &str) -> Token {
    Token::Word(hex::decode(format!("{digits:0<64}")).unwrap().try_into().unwrap())
}

pub fn text(text: &str) -> Token {
    Token::Text(text.into())
}

const MAIL_DOMAIN: &str = "string name,string version,uint256 chainId,address verifyingContract";

fn mail_domain() -> Vec<Token> {
    vec![text("Ether Mail"), text("1"), word("01"), word("cccccccccccccccccccccccccccccccccccccccc")]
}

pub fn mail() -> TypedData {
    let message = vec![
        text("Cow"),
        word("cd2a3d9f938e13cd947ec05abc7fe734df8dd826"),
        text("Bob"),
        word("bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"),
        text("Hello, Bob!"),
    ];
    let types = vec![
        struct_type("EIP712Domain", MAIL_DOMAIN),
        struct_type("Mail", "Person from,Person to,string contents"),
        struct_type("Person", "string name,address wallet"),
    ];
    TypedData { types, primary_type: "Mail".into(), domain: mail_domain(), message }
}

pub fn mail_document() -> Value {
    json!({
        "domain": {"name": "Ether Mail", "version": "1", "chainId": 1,
            "verifyingContract": "0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC"},
        "types": {
            "EIP712Domain": [{"name": "name", "type": "string"}, {"name": "version", "type": "string"},
                {"name": "chainId", "type": "uint256"}, {"name": "verifyingContract", "type": "address"}],
            "Person": [{"name": "name", "type": "string"}, {"name": "wallet", "type": "address"}],
            "Mail": [{"name": "from", "type": "Person"}, {"name": "to", "type": "Person"},
                {"name": "contents", "type": "string"}],
        },
        "primaryType": "Mail",
        "message": {
            "from": {"name": "Cow", "wallet": "0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826"},
            "to": {"name": "Bob", "wallet": "0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB"},
            "contents": "Hello, Bob!",
        },
    })
}

/// EIP712Domain alone.
pub fn domain_only() -> TypedData {
    let types = vec![struct_type("EIP712Domain", MAIL_DOMAIN)];
    TypedData { types, primary_type: "EIP712Domain".into(), domain: mail_domain(), message: vec![] }
}

/// A type that holds itself, nested arrays of both kinds, a negative number, and every other kind of value.
pub fn forest() -> TypedData {
    let node = |height: &str, alive: &str, mark: &str, owner: &str, children: u32| {
        let height = if height.starts_with('f') { format!("{height:f>64}") } else { height.to_string() };
        [word(&height), word(alive), word_left(mark), word(&owner.repeat(20)), Token::Count(children)]
    };
    let mut message = vec![Token::Count(2)];
    message.extend(node("fffb", "01", "abcdef", "11", 1));
    message.extend(node("07", "00", "000000", "22", 0));
    message.extend(node("00", "00", "010203", "33", 0));
    message.extend([Token::Count(3), Token::Count(2), word("01"), word("02"), Token::Count(0)]);
    message.extend([Token::Count(1), word("ff"), Token::Bytes(vec![0xde, 0xad, 0xbe, 0xef])]);
    message.extend([Token::Count(2), text("grün"), text("")]);
    let types = vec![
        struct_type("EIP712Domain", "string name,bytes32 salt"),
        struct_type("Forest", "Node[2] roots,uint8[][3] grid,bytes raw,string[] tags"),
        struct_type("Node", "int16 height,bool alive,bytes3 mark,address owner,Node[] children"),
    ];
    let domain = vec![text("Trees"), word_left(&"5a".repeat(32))];
    TypedData { types, primary_type: "Forest".into(), domain, message }
}

pub fn forest_document() -> Value {
    let node = |height: i8, alive: bool, mark: &str, owner: &str, children: Value| {
        json!({"height": height, "alive": alive, "mark": mark, "owner": format!("0x{}", owner.repeat(20)),
            "children": children})
    };
    let child = node(7, false, "0x000000", "22", json!([]));
    let roots = [node(-5, true, "0xabcdef", "11", json!([child])), node(0, false, "0x010203", "33", json!([]))];
    json!({
        "domain": {"name": "Trees", "salt": format!("0x{}", "5a".repeat(32))},
        "types": {
            "EIP712Domain": [{"name": "name", "type": "string"}, {"name": "salt", "type": "bytes32"}],
            "Forest": [{"name": "roots", "type": "Node[2]"}, {"name": "grid", "type": "uint8[][3]"},
                {"name": "raw", "type": "bytes"}, {"name": "tags", "type": "string[]"}],
            "Node": [{"name": "height", "type": "int16"}, {"name": "alive", "type": "bool"},
                {"name": "mark", "type": "bytes3"}, {"name": "owner", "type": "address"},
                {"name": "children", "type": "Node[]"}],
        },
        "primaryType": "Forest",
        "message": {"roots": roots, "grid": [["1", 2], [], ["0xff"]], "raw": "0xdeadbeef", "tags": ["grün", ""]},
    })
}
