//! RLP, Ethereum's encoding, read strictly: one spelling for a value, nothing left over. No recursion; what is a list
//! is known by whoever reads.

/// The bytes are not exactly one transaction of a known type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unreadable;

/// What is left to read of a list.
pub struct Items<'a>(&'a [u8]);

enum Item<'a> {
    Bytes(&'a [u8]),
    List(&'a [u8]),
}

impl<'a> Items<'a> {
    /// All of `bytes` is one list.
    pub fn of_list(bytes: &'a [u8]) -> Result<Self, Unreadable> {
        let mut outer = Items(bytes);
        let inner = outer.list()?;
        outer.end()?;
        Ok(inner)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn end(&self) -> Result<(), Unreadable> {
        if self.0.is_empty() {
            Ok(())
        } else {
            Err(Unreadable)
        }
    }

    pub fn bytes(&mut self) -> Result<&'a [u8], Unreadable> {
        match self.item()? {
            Item::Bytes(bytes) => Ok(bytes),
            Item::List(_) => Err(Unreadable),
        }
    }

    pub fn list(&mut self) -> Result<Items<'a>, Unreadable> {
        match self.item()? {
            Item::List(content) => Ok(Items(content)),
            Item::Bytes(_) => Err(Unreadable),
        }
    }

    /// At most 256 bits, without leading zeros, right-aligned.
    pub fn word(&mut self) -> Result<[u8; 32], Unreadable> {
        let bytes = self.bytes()?;
        if bytes.len() > 32 || bytes.first() == Some(&0) {
            return Err(Unreadable);
        }
        let mut word = [0; 32];
        word[32 - bytes.len()..].copy_from_slice(bytes);
        Ok(word)
    }

    pub fn u64(&mut self) -> Result<u64, Unreadable> {
        let word = self.word()?;
        let (high, low) = word.split_at(24);
        if high != [0; 24] {
            return Err(Unreadable);
        }
        Ok(u64::from_be_bytes(low.try_into().map_err(|_| Unreadable)?))
    }

    fn item(&mut self) -> Result<Item<'a>, Unreadable> {
        let first = *self.0.first().ok_or(Unreadable)?;
        match first {
            0x00..=0x7f => Ok(Item::Bytes(self.take(1)?)),
            0x80..=0xb7 => {
                self.take(1)?;
                let bytes = self.take(usize::from(first - 0x80))?;
                // A small byte stands for itself.
                if matches!(bytes, [single] if *single < 0x80) {
                    return Err(Unreadable);
                }
                Ok(Item::Bytes(bytes))
            }
            0xb8..=0xbf => self.long(first - 0xb7).map(Item::Bytes),
            0xc0..=0xf7 => {
                self.take(1)?;
                self.take(usize::from(first - 0xc0)).map(Item::List)
            }
            0xf8..=0xff => self.long(first - 0xf7).map(Item::List),
        }
    }

    /// A length of its own, in `width` bytes: no leading zero, and none that would fit the short form.
    fn long(&mut self, width: u8) -> Result<&'a [u8], Unreadable> {
        self.take(1)?;
        let digits = self.take(usize::from(width))?;
        if digits.len() > 4 || digits.first() == Some(&0) {
            return Err(Unreadable);
        }
        let size = digits.iter().fold(0, |size, digit| size << 8 | usize::from(*digit));
        if size < 56 {
            return Err(Unreadable);
        }
        self.take(size)
    }

    fn take(&mut self, size: usize) -> Result<&'a [u8], Unreadable> {
        let (taken, rest) = self.0.split_at_checked(size).ok_or(Unreadable)?;
        self.0 = rest;
        Ok(taken)
    }
}
