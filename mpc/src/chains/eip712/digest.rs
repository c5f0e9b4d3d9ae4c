//! EIP-712 typed data: the flat form in which it travels, and its digest. The node computes the digest from the
//! content, so whatever here does not fit its types is refused rather than hashed. Decoding is free of recursion; the
//! walk over the tokens goes no deeper than `TYPED_DATA_DEPTH`.

use super::atom::Atom;
use super::type_table::{Kind, TypeTable};
use super::types::{Misfit, Token, TypedData, DOMAIN_TYPE};
use crate::limits::TYPED_DATA_DEPTH;
use sha3::{Digest, Keccak256};

/// keccak256(0x1901 ‖ hashStruct(domain) ‖ hashStruct(message)), without the last part when the primary type is
/// `EIP712Domain`. Everything is checked on the way.
pub fn digest(data: &TypedData) -> Result<[u8; 32], Misfit> {
    let table = TypeTable::check(&data.types, &data.primary_type)?;
    let hash = Keccak256::new().chain_update([0x19, 0x01]).chain_update(hash_whole(&table, DOMAIN_TYPE, &data.domain)?);
    if data.primary_type != DOMAIN_TYPE {
        return Ok(hash.chain_update(hash_whole(&table, &data.primary_type, &data.message)?).finalize().into());
    }
    if !data.message.is_empty() {
        return Err("The typed data has a message besides its domain.");
    }
    Ok(hash.finalize().into())
}

fn hash_whole(table: &TypeTable, name: &str, tokens: &[Token]) -> Result<[u8; 32], Misfit> {
    let index = table.index_of(name).ok_or("The typed data lacks a type.")?;
    let mut walk = Walk { table, tokens: tokens.iter() };
    let hash = walk.hash_struct(index, 1)?;
    match walk.tokens.next() {
        Some(_) => Err("The typed data has values left over."),
        None => Ok(hash),
    }
}

struct Walk<'a> {
    table: &'a TypeTable<'a>,
    tokens: std::slice::Iter<'a, Token>,
}

impl<'a> Walk<'a> {
    /// hashStruct. `depth` counts the structs and arrays that enclose a value, this one included. Every struct has a
    /// field and every array a count, so a step always takes a token or goes deeper.
    fn hash_struct(&mut self, index: usize, depth: usize) -> Result<[u8; 32], Misfit> {
        check_depth(depth)?;
        let table = self.table;
        let mut hash = Keccak256::new().chain_update(table.type_hash(index));
        for field in table.fields(index) {
            hash.update(self.encode(&field.type_name, depth)?);
        }
        Ok(hash.finalize().into())
    }

    /// The 32 bytes that a value contributes to what encloses it.
    fn encode(&mut self, type_name: &str, depth: usize) -> Result<[u8; 32], Misfit> {
        match self.table.kind(type_name).ok_or("The typed data uses an unknown type.")? {
            Kind::Struct(index) => self.hash_struct(index, depth + 1),
            Kind::Array { element, length } => self.hash_array(element, length, depth + 1),
            Kind::Atom(atom) => self.encode_atom(atom),
        }
    }

    fn hash_array(&mut self, element: &str, length: Option<u32>, depth: usize) -> Result<[u8; 32], Misfit> {
        check_depth(depth)?;
        let Token::Count(count) = *self.next()? else { return Err(MISMATCH) };
        if length.is_some_and(|length| length != count) {
            return Err("An array of the typed data has another length than its type.");
        }
        let mut hash = Keccak256::new();
        for _ in 0..count {
            hash.update(self.encode(element, depth)?);
        }
        Ok(hash.finalize().into())
    }

    fn encode_atom(&mut self, atom: Atom) -> Result<[u8; 32], Misfit> {
        match (atom, self.next()?) {
            (Atom::Bytes, Token::Bytes(bytes)) => Ok(Keccak256::digest(bytes).into()),
            (Atom::Text, Token::Text(text)) => Ok(Keccak256::digest(text).into()),
            (atom, Token::Word(word)) if atom.holds(word) => Ok(*word),
            (atom, Token::Word(_)) if atom.is_word() => Err("A value of the typed data is out of its type's range."),
            _ => Err(MISMATCH),
        }
    }

    fn next(&mut self) -> Result<&'a Token, Misfit> {
        self.tokens.next().ok_or("The typed data has too few values.")
    }
}

const MISMATCH: Misfit = "A value of the typed data has another form than its type.";

fn check_depth(depth: usize) -> Result<(), Misfit> {
    if depth > TYPED_DATA_DEPTH {
        return Err("The typed data is nested too deeply.");
    }
    Ok(())
}
