//! Goal: typed data is hashed as EIP-712 says, and whatever does not fit its types is refused, not hashed. Method:
//! digests that others published or computed; then one thing spoilt at a time, with the sentence that must name it.

use crate::samples::typed_data::*;
use mpc_node::chains::eip712::{digest, Field, StructType, Token, TypedData};
use mpc_node::wire::{decode, encode};

/// `Sample(… value)` under a small domain.
fn sample(type_name: &str, message: Vec<Token>) -> TypedData {
    let field = Field { name: "value".into(), type_name: type_name.into() };
    let sample = StructType { name: "Sample".into(), fields: vec![field] };
    let types = vec![struct_type("EIP712Domain", "string name"), sample];
    TypedData { types, primary_type: "Sample".into(), domain: vec![text("x")], message }
}

fn with_types(types: Vec<StructType>) -> TypedData {
    TypedData { types, ..mail() }
}

#[track_caller]
fn refuses(data: &TypedData, sentence: &str) {
    let detail = digest(data).expect_err("refused");
    assert!(detail.contains(sentence), "{detail}");
}

#[test]
fn digests_are_those_of_others() {
    for (data, expected) in [(mail(), MAIL_DIGEST), (forest(), FOREST_DIGEST), (domain_only(), DOMAIN_DIGEST)] {
        assert_eq!(digest(&data).map(hex::encode).as_deref(), Ok(expected));
        assert_eq!(decode::<TypedData>(&encode(&data)), Some(data));
    }
}

#[test]
fn every_value_counts() {
    for original in [mail(), forest()] {
        let expected = digest(&original).unwrap();
        for at in 0..original.message.len() {
            let mut changed = original.clone();
            match &mut changed.message[at] {
                Token::Word(word) => word[31] ^= 1,
                Token::Bytes(bytes) => bytes.push(0),
                Token::Text(text) => text.push(' '),
                Token::Count(count) => *count += 1,
            }
            assert_ne!(digest(&changed), Ok(expected), "token {at}");
        }
    }
}

#[test]
fn atoms_have_one_word_each_and_no_other() {
    let ones = "f".repeat(64);
    let cases: [(&str, &[&str], &[&str]); 11] = [
        (
            "address",
            &["00", "ffffffffffffffffffffffffffffffffffffffff"],
            &["01ffffffffffffffffffffffffffffffffffffffff"],
        ),
        ("bool", &["00", "01"], &["02", "0100", &ones]),
        ("uint8", &["00", "ff"], &["0100", &ones]),
        ("uint248", &[&ones[2..]], &[&ones]),
        ("uint256", &[&ones], &[]),
        ("int8", &["7f", &ones, &format!("{}80", &ones[2..])], &["80", "ff", &format!("{}7f", &ones[2..]), "0100"]),
        ("int256", &[&ones, &format!("80{:062}", 0)], &[]),
        ("bytes1", &[&format!("ff{:062}", 0)], &[&format!("ff01{:060}", 0), "01"]),
        ("bytes31", &[&format!("{}00", &ones[2..])], &[&ones]),
        ("bytes32", &[&ones, "00"], &[]),
        ("int16", &["7fff", &format!("{}8000", &ones[4..])], &["8000", &format!("{}7fff", &ones[4..])]),
    ];
    for (name, good, bad) in cases {
        good.iter().for_each(|digits| assert!(digest(&sample(name, vec![word(digits)])).is_ok(), "{name} {digits}"));
        bad.iter().for_each(|digits| refuses(&sample(name, vec![word(digits)]), "range"));
        for other in [text(""), Token::Bytes(vec![0; 32]), Token::Count(0)] {
            refuses(&sample(name, vec![other]), "another form");
        }
    }
    for (name, good) in [("bytes", Token::Bytes(vec![])), ("string", text("")), ("string[]", Token::Count(0))] {
        for token in [Token::Bytes(vec![]), text(""), Token::Count(0), word("00")] {
            assert_eq!(digest(&sample(name, vec![token.clone()])).is_ok(), token == good, "{name} {token:?}");
        }
    }
}

#[test]
fn type_names_are_those_of_eip_712() {
    for name in
        ["uint", "int", "uint0", "uint7", "uint264", "uint08", "uint+8", "int 8", "bytes0", "bytes33", "bytes01"]
    {
        refuses(&sample(name, vec![word("00")]), "unknown type");
    }
    let arrays =
        ["uint8[", "uint8]", "uint8[0]", "uint8[01]", "uint8[-1]", "uint8[1", "uint8[][a]", "[]", "[1]", "uint8[] "];
    for name in arrays.into_iter().chain(["", "Missing", "Missing[]", "sample", "function", "uint8[9999999999]"]) {
        refuses(&sample(name, vec![Token::Count(0)]), "unknown type");
    }
}

#[test]
fn arrays_have_their_length() {
    let elements = |count, given| [vec![Token::Count(count)], vec![word("01"); given]].concat();
    assert!(digest(&sample("uint8[3]", elements(3, 3))).is_ok());
    refuses(&sample("uint8[3]", elements(2, 2)), "another length");
    refuses(&sample("uint8[3]", elements(4, 4)), "another length");
    refuses(&sample("uint8[]", elements(4, 3)), "too few values");
    refuses(&sample("uint8[]", elements(u32::MAX, 3)), "too few values");
    refuses(&sample("uint8[]", elements(3, 4)), "left over");
    refuses(&sample("uint8", vec![]), "too few values");
    refuses(&sample("uint8", vec![word("01"), word("01")]), "left over");
}

#[test]
fn nesting_has_a_bound() {
    // The message itself is the first level.
    let nested = |levels: usize| sample(&format!("uint8{}", "[]".repeat(levels)), vec![Token::Count(1); levels - 1]);
    let closed = |levels| {
        let mut data = nested(levels);
        data.message.push(Token::Count(0));
        data
    };
    assert!(digest(&closed(31)).is_ok());
    refuses(&closed(32), "nested too deeply");
    // A type that holds itself other than through an array has no values at all: the walk ends all the same.
    let mut endless = sample("Sample", vec![word("00"); 1000]);
    refuses(&endless, "nested too deeply");
    endless.message.clear();
    refuses(&endless, "nested too deeply");
}

#[test]
fn the_types_are_checked() {
    let good = mail().types;
    let with = |change: &dyn Fn(&mut Vec<StructType>)| {
        let mut types = good.clone();
        change(&mut types);
        with_types(types)
    };
    refuses(&with(&|types| types.swap(1, 2)), "strictly ascending");
    refuses(&with(&|types| types.push(types[2].clone())), "strictly ascending");
    refuses(&with(&|types| types.push(struct_type("Unused", "bool b"))), "does not use");
    refuses(&with(&|types| drop(types.remove(0))), "no domain type");
    refuses(&with(&|types| drop(types.pop())), "unknown type");
    refuses(&TypedData { primary_type: "Post".into(), ..mail() }, "primary type");
    refuses(&TypedData { primary_type: "Person".into(), ..mail() }, "does not use");
    refuses(&with(&|types| types[2].fields.clear()), "no fields");
    for name in ["", "1", "a b", "a-b", "a$", "grün", "a,b", "a(", "wallet"] {
        refuses(&with(&|types| types[2].fields[0].name = name.into()), "field name");
    }
    let reserved = ["address", "bool", "string", "bytes", "bytes32", "bytes99", "uint", "uint8", "integer", "int256"];
    for name in ["", "1Person", "Per son", "Person()", "Pérson", "Person[]", "Person$"].into_iter().chain(reserved) {
        let mut data = sample("bool", vec![word("00")]);
        data.types[1].name = name.into();
        data.types.sort_by(|one, other| one.name.cmp(&other.name));
        data.primary_type = name.into();
        refuses(&data, "a struct cannot have");
    }
}

#[test]
fn the_types_are_bounded() {
    // Each refers to the next, so that all are used.
    let chain = |count: usize, field: &str| {
        let named = |index: usize| match index {
            last if last + 1 == count => struct_type(&format!("T{last:03}"), &format!("bool {field}")),
            index => struct_type(&format!("T{index:03}"), &format!("T{:03}[] {field}", index + 1)),
        };
        let types = std::iter::once(struct_type("EIP712Domain", "string name")).chain((0..count).map(named)).collect();
        TypedData { types, primary_type: "T000".into(), domain: vec![text("x")], message: vec![Token::Count(0)] }
    };
    assert!(digest(&chain(63, "f")).is_ok());
    refuses(&chain(64, "f"), "too many types");
    // EIP712Domain(string name) has 25 bytes, T000(T001[] ) 13, T001(bool ) 11.
    assert!(digest(&chain(2, &"f".repeat((4096 - 25 - 24) / 2))).is_ok());
    refuses(&chain(2, &"f".repeat((4096 - 25 - 24) / 2 + 1)), "too long");
}

#[test]
fn the_domain_is_that_of_eip_712() {
    let with = |fields: &str, domain: Vec<Token>| {
        let mut data = sample("bool", vec![word("00")]);
        data.types[0] = struct_type("EIP712Domain", fields);
        TypedData { domain, ..data }
    };
    assert!(digest(&with("uint256 chainId,bytes32 salt", vec![word("01"), word("02")])).is_ok());
    for fields in ["string title", "bytes name", "uint8 chainId", "string version,string name", "string[] name"] {
        refuses(&with(fields, vec![text("x"), text("y")]), "other fields than EIP-712 knows");
    }
    refuses(&with("", vec![]), "no fields");
    refuses(&with("string name", vec![]), "too few values");
    refuses(&with("string name", vec![text("x"), text("y")]), "left over");
    refuses(&TypedData { message: vec![text("x")], ..domain_only() }, "a message besides its domain");
}

#[test]
fn hostile_bytes_are_refused_by_the_decoder() {
    let good = encode(&mail());
    let mut bad_text = good.clone();
    let at = good.windows(3).position(|bytes| bytes == b"Cow").unwrap();
    bad_text[at] = 0xff;
    assert_eq!(decode::<TypedData>(&bad_text), None, "text that is not UTF-8");
    // A list of four billion tokens that are not there.
    let mut endless = good[..good.len() - encode(&mail().message).len()].to_vec();
    endless.extend([0xff; 4]);
    assert_eq!(decode::<TypedData>(&endless), None);
    for length in 0..good.len() {
        assert_eq!(decode::<TypedData>(&good[..length]), None, "cut to {length}");
    }
}
