//! What a transaction may pay in fees at most where the policy file sets no `fee_max`: the caps that the API has by
//! default (domain/withdrawals/fee-caps.ts). `vectors/fee-caps.json` holds both together.

use super::values::Amount;

/// In lamports: 0.1 SOL.
pub const SOLANA: Amount = Amount(100_000_000);
/// In satoshis: 0.01 BTC.
pub const BITCOIN: Amount = Amount(1_000_000);

const WEI_PER_COIN: u128 = 1_000_000_000_000_000_000;
const TENTH: u128 = WEI_PER_COIN / 10;

/// Mainnets, rollups and testnets whose fees are paid in ether.
const ETHER: [u64; 33] = [
    1, 10, 130, 169, 288, 300, 324, 480, 1301, 1868, 4801, 8453, 31337, 34443, 42161, 42170, 57073, 59141, 59144,
    60808, 81457, 84532, 167000, 421614, 534351, 534352, 560048, 747474, 763373, 7777777, 11155111, 11155420,
    1313161554,
];

/// Of a chain that is not listed: of its own currency, as the API takes it. A transaction that names no chain is valid
/// on each, so the smallest cap counts.
pub fn evm(chain_id: Option<u64>) -> Amount {
    Amount(match chain_id {
        None | Some(56 | 97 | 204) => TENTH,
        Some(137 | 80002) => 50 * WEI_PER_COIN,
        Some(43113 | 43114) => 2 * WEI_PER_COIN,
        Some(id) if ETHER.contains(&id) => TENTH,
        Some(_) => 10 * WEI_PER_COIN,
    })
}
