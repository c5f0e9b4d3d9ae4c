//! Checks that bytes are a Solana transaction message, legacy or version 0, from the first to the last, with Solana's
//! own rules (`sanitize`): nothing else can be signed under that name. Says who must sign it, and tells its
//! instructions apart; what they mean is read in `chains/solana.rs`.

use crate::limits::SOLANA_MESSAGE_BYTES;

pub type Misfit = &'static str;

const TRUNCATED: Misfit = "The Solana message ends too early.";
const VERSION_MARK: u8 = 0x80;
/// Accounts are addressed by one byte.
const ACCOUNTS: usize = 256;

pub struct Message<'a> {
    /// The keys that the message itself names; those from lookup tables are not among them.
    pub keys: &'a [[u8; 32]],
    /// How many of them must sign: the first ones, the payer's before all.
    pub signers: usize,
    pub instructions: Vec<Instruction<'a>>,
}

pub struct Instruction<'a> {
    pub program: [u8; 32],
    /// Indexes into the message's keys, and behind them those of the lookup tables.
    pub accounts: &'a [u8],
    pub data: &'a [u8],
}

/// The account keys whose signatures the message requires, the payer's first.
pub fn required_signers(message: &[u8]) -> Result<&[[u8; 32]], Misfit> {
    read(message).map(|message| &message.keys[..message.signers])
}

pub fn read(message: &[u8]) -> Result<Message<'_>, Misfit> {
    if message.len() > SOLANA_MESSAGE_BYTES {
        return Err("The Solana message is too long.");
    }
    let mut reader = Reader(message);
    let has_lookups = match *message.first().ok_or(TRUNCATED)? {
        VERSION_MARK => reader.byte()? == VERSION_MARK,
        first if first < VERSION_MARK => false,
        _ => return Err("The Solana message has an unknown version."),
    };
    let [signers, readonly_signers, readonly_others] =
        [reader.byte()?, reader.byte()?, reader.byte()?].map(usize::from);
    let keys = reader.keys()?;
    // The payer is a signer that can be written to.
    if signers + readonly_others > keys.len() || readonly_signers >= signers {
        return Err("The header of the Solana message does not fit its account keys.");
    }
    reader.take(32)?; // The recent blockhash.
    let (mut accounts_named, mut instructions) = (0, vec![]);
    for _ in 0..reader.length()? {
        // A program is among the message's own keys and is not the payer.
        let program = usize::from(reader.byte()?);
        if !(1..keys.len()).contains(&program) {
            return Err("An instruction of the Solana message names no program.");
        }
        let accounts = reader.short_bytes()?;
        accounts_named = accounts.iter().map(|index| usize::from(*index) + 1).fold(accounts_named, usize::max);
        instructions.push(Instruction { program: keys[program], accounts, data: reader.short_bytes()? });
    }
    let looked_up = if has_lookups { reader.lookups()? } else { 0 };
    let accounts = keys.len() + looked_up;
    if accounts > ACCOUNTS {
        return Err("The Solana message has too many accounts.");
    }
    if accounts_named > accounts {
        return Err("An instruction of the Solana message names no account.");
    }
    if !reader.0.is_empty() {
        return Err("The Solana message has bytes left over.");
    }
    Ok(Message { keys, signers, instructions })
}

/// What is left to read.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, size: usize) -> Result<&'a [u8], Misfit> {
        let (taken, rest) = self.0.split_at_checked(size).ok_or(TRUNCATED)?;
        self.0 = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8, Misfit> {
        Ok(self.take(1)?[0])
    }

    /// compact-u16: seven bits a byte, the lowest first, in as few bytes as possible.
    fn length(&mut self) -> Result<usize, Misfit> {
        const INVALID: Misfit = "A length of the Solana message is not a compact-u16.";
        let mut value = 0;
        for position in 0..3 {
            let byte = usize::from(self.byte()?);
            value |= (byte & 0x7f) << (7 * position);
            if byte < 0x80 {
                let padded = byte == 0 && position > 0;
                return if padded || value > usize::from(u16::MAX) { Err(INVALID) } else { Ok(value) };
            }
        }
        Err(INVALID)
    }

    fn short_bytes(&mut self) -> Result<&'a [u8], Misfit> {
        let size = self.length()?;
        self.take(size)
    }

    fn keys(&mut self) -> Result<&'a [[u8; 32]], Misfit> {
        let count = self.length()?;
        Ok(self.take(32 * count)?.as_chunks().0)
    }

    /// The address table lookups: how many accounts they add.
    fn lookups(&mut self) -> Result<usize, Misfit> {
        let mut looked_up = 0;
        for _ in 0..self.length()? {
            self.take(32)?; // The table's key.
            let added = self.short_bytes()?.len() + self.short_bytes()?.len();
            if added == 0 {
                return Err("An address table lookup of the Solana message adds no account.");
            }
            looked_up += added;
        }
        Ok(looked_up)
    }
}
