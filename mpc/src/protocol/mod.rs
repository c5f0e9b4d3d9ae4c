//! The protocols as state machines: generation, signing, refresh and repair on both curves.

mod dkls_generate;
mod dkls_messages;
mod dkls_refresh;
mod dkls_sign;
mod frost_generate;
mod frost_messages;
mod frost_refresh;
mod frost_sign;
mod public_points;
mod repair;
mod session;
mod state_machine;
#[cfg(test)]
mod vectors;

pub use session::*;
pub use state_machine::*;
