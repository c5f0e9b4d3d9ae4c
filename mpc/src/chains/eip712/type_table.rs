//! The struct types of one typed data: checks them all, then answers what a type name stands for and each typeHash.
//! Knows nothing of values.

use super::atom::{is_reserved, number, Atom};
use super::types::{Field, Misfit, StructType, DOMAIN_TYPE};
use crate::limits::{TYPED_DATA_TYPES, TYPE_TEXT_BYTES};
use sha3::{Digest, Keccak256};
use std::collections::BTreeSet;

/// EIP-712's five, in its order; a domain has at least one of them.
const DOMAIN_FIELDS: [(&str, &str); 5] = [
    ("name", "string"),
    ("version", "string"),
    ("chainId", "uint256"),
    ("verifyingContract", "address"),
    ("salt", "bytes32"),
];

pub enum Kind<'t> {
    Atom(Atom),
    Struct(usize),
    Array { element: &'t str, length: Option<u32> },
}

pub struct TypeTable<'a> {
    types: &'a [StructType],
    hashes: Vec<[u8; 32]>,
}

impl<'a> TypeTable<'a> {
    pub fn check(types: &'a [StructType], primary_type: &str) -> Result<Self, Misfit> {
        if types.len() > TYPED_DATA_TYPES {
            return Err("The typed data has too many types.");
        }
        if !types.windows(2).all(|pair| pair[0].name < pair[1].name) {
            return Err("The types of the typed data are not strictly ascending.");
        }
        types.iter().try_for_each(check_names)?;
        let texts: Vec<String> = types.iter().map(type_text).collect();
        if texts.iter().map(String::len).sum::<usize>() > TYPE_TEXT_BYTES {
            return Err("The types of the typed data are too long.");
        }
        let mut table = Self { types, hashes: vec![] };
        let references = table.references()?;
        let domain = table.index_of(DOMAIN_TYPE).ok_or("The typed data has no domain type.")?;
        check_domain(&types[domain].fields)?;
        let primary = table.index_of(primary_type).ok_or("The typed data lacks its primary type.")?;
        let used = reachable(primary, &references);
        if (0..types.len()).any(|index| index != domain && !used.contains(&index)) {
            return Err("The typed data has a type that it does not use.");
        }
        table.hashes = (0..types.len()).map(|index| hash_of(index, &references, &texts)).collect();
        Ok(table)
    }

    pub fn index_of(&self, name: &str) -> Option<usize> {
        self.types.binary_search_by(|known| known.name.as_str().cmp(name)).ok()
    }

    pub fn fields(&self, index: usize) -> &'a [Field] {
        &self.types[index].fields
    }

    pub fn type_hash(&self, index: usize) -> [u8; 32] {
        self.hashes[index]
    }

    /// `None` for a name that is no atom, no struct of this table and no array of one.
    pub fn kind<'t>(&self, type_name: &'t str) -> Option<Kind<'t>> {
        if let Some(open) = type_name.strip_suffix(']') {
            let (element, length) = open.rsplit_once('[')?;
            let length = if length.is_empty() { None } else { Some(number(length)?.try_into().ok()?) };
            return Some(Kind::Array { element, length });
        }
        Atom::named(type_name).map(Kind::Atom).or_else(|| self.index_of(type_name).map(Kind::Struct))
    }

    /// The structs that each struct's fields name, by index.
    fn references(&self) -> Result<Vec<BTreeSet<usize>>, Misfit> {
        let of = |known: &StructType| {
            let mut found = BTreeSet::new();
            for Field { type_name, .. } in &known.fields {
                let mut type_name = type_name.as_str();
                loop {
                    match self.kind(type_name).ok_or("The typed data uses an unknown type.")? {
                        Kind::Array { element, .. } => type_name = element,
                        Kind::Atom(_) => break,
                        Kind::Struct(index) => {
                            found.insert(index);
                            break;
                        }
                    }
                }
            }
            Ok(found)
        };
        self.types.iter().map(of).collect()
    }
}

fn check_names(known: &StructType) -> Result<(), Misfit> {
    if !is_identifier(&known.name) || is_reserved(&known.name) {
        return Err("A type of the typed data has a name that a struct cannot have.");
    }
    // Without this an array of it would take no tokens, however long.
    if known.fields.is_empty() {
        return Err("A type of the typed data has no fields.");
    }
    let names: BTreeSet<&str> = known.fields.iter().map(|field| field.name.as_str()).collect();
    if names.len() != known.fields.len() || !names.iter().all(|name| is_identifier(name)) {
        return Err("A type of the typed data has a repeated or invalid field name.");
    }
    Ok(())
}

fn is_identifier(name: &str) -> bool {
    let starts_well = name.bytes().next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_');
    starts_well && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn check_domain(fields: &[Field]) -> Result<(), Misfit> {
    let mut standard = DOMAIN_FIELDS.iter();
    let in_order = fields.iter().all(|field| standard.any(|known| *known == (field.name.as_str(), &field.type_name)));
    if !in_order {
        return Err("The domain of the typed data has other fields than EIP-712 knows, or in another order.");
    }
    Ok(())
}

/// `start` and everything that it refers to, directly or not.
fn reachable(start: usize, references: &[BTreeSet<usize>]) -> BTreeSet<usize> {
    let (mut found, mut waiting) = (BTreeSet::from([start]), vec![start]);
    while let Some(index) = waiting.pop() {
        waiting.extend(references[index].iter().filter(|next| found.insert(**next)));
    }
    found
}

/// `Name(type name,…)`
fn type_text(known: &StructType) -> String {
    let fields: Vec<String> = known.fields.iter().map(|field| format!("{} {}", field.type_name, field.name)).collect();
    format!("{}({})", known.name, fields.join(","))
}

/// typeHash: keccak256 of the type's own text, then those of all that it refers to, by name: the table's order.
fn hash_of(index: usize, references: &[BTreeSet<usize>], texts: &[String]) -> [u8; 32] {
    let mut hash = Keccak256::new().chain_update(&texts[index]);
    for other in reachable(index, references).into_iter().filter(|other| *other != index) {
        hash.update(&texts[other]);
    }
    hash.finalize().into()
}
