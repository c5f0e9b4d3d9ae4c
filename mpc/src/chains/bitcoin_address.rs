//! Bitcoin addresses, of any network of Bitcoin, as the scripts that pay to them.

use bech32::{hrp, segwit};
use sha2::{Digest, Sha256};

/// `None` for what is no address. A witness program of a later version than taproot is none: nobody knows who may spend
/// it.
pub fn script_of(address: &str) -> Option<Vec<u8>> {
    if let Ok((network, version, program)) = segwit::decode(address) {
        if ![hrp::BC, hrp::TB, hrp::BCRT].contains(&network) {
            return None;
        }
        let opcode = match version.to_u8() {
            0 => 0x00,
            1 => 0x51,
            _ => return None,
        };
        return Some([&[opcode, program.len() as u8], program.as_slice()].concat());
    }
    let decoded = bs58::decode(address).into_vec().ok()?;
    let (payload, checksum) = decoded.split_last_chunk::<4>()?;
    let hash = Sha256::digest(Sha256::digest(payload));
    if hash[..4] != *checksum {
        return None;
    }
    let (version, hash) = payload.split_first()?;
    let hash: &[u8; 20] = hash.try_into().ok()?;
    // Of keys and of scripts, on the main network and on those for tests.
    match version {
        0x00 | 0x6f => Some([&[0x76, 0xa9, 0x14], hash.as_slice(), &[0x88, 0xac]].concat()),
        0x05 | 0xc4 => Some([&[0xa9, 0x14], hash.as_slice(), &[0x87]].concat()),
        _ => None,
    }
}
