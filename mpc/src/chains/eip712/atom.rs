//! The atomic types of EIP-712: their names, and which words are values of them. There is one word for a value, so that
//! nobody can sign, say, an address with something hidden in its upper bytes.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Atom {
    Address,
    Bool,
    /// Its width in bytes, as in the next two.
    Uint(usize),
    Int(usize),
    FixedBytes(usize),
    Bytes,
    Text,
}

impl Atom {
    /// `None` also for Solidity's short forms `uint` and `int`, which EIP-712 does not have.
    pub fn named(name: &str) -> Option<Self> {
        let atom = match name {
            "address" => Atom::Address,
            "bool" => Atom::Bool,
            "bytes" => Atom::Bytes,
            "string" => Atom::Text,
            _ => {
                if let Some(bits) = name.strip_prefix("uint") {
                    Atom::Uint(whole_bytes(bits)?)
                } else if let Some(bits) = name.strip_prefix("int") {
                    Atom::Int(whole_bytes(bits)?)
                } else {
                    Atom::FixedBytes(number(name.strip_prefix("bytes")?).filter(|size| (1..=32).contains(size))?)
                }
            }
        };
        Some(atom)
    }

    pub fn is_word(self) -> bool {
        !matches!(self, Atom::Bytes | Atom::Text)
    }

    /// Whether the word is a value of this type in the ABI's encoding.
    pub fn holds(self, word: &[u8; 32]) -> bool {
        let all = |bytes: &[u8], filler: u8| bytes.iter().all(|byte| *byte == filler);
        match self {
            Atom::Address => all(&word[..12], 0),
            Atom::Bool => all(&word[..31], 0) && word[31] <= 1,
            Atom::Uint(size) => all(&word[..32 - size], 0),
            Atom::Int(size) => all(&word[..32 - size], if word[32 - size] >= 0x80 { 0xff } else { 0 }),
            Atom::FixedBytes(size) => all(&word[size..], 0),
            Atom::Bytes | Atom::Text => false,
        }
    }
}

/// What a struct may not be called: an atom's name, or one that would read like a variant of it.
pub fn is_reserved(name: &str) -> bool {
    ["address", "bool", "string"].contains(&name)
        || ["bytes", "uint", "int"].iter().any(|prefix| name.starts_with(prefix))
}

/// A number as Solidity writes it: decimal, positive, no leading zero.
pub fn number(digits: &str) -> Option<usize> {
    let written = !digits.starts_with('0') && digits.bytes().all(|byte| byte.is_ascii_digit());
    if !written || digits.len() > 9 {
        return None;
    }
    digits.parse().ok()
}

fn whole_bytes(bits: &str) -> Option<usize> {
    number(bits).filter(|bits| *bits <= 256 && bits % 8 == 0).map(|bits| bits / 8)
}
