//! Primitives that know nothing of nodes: random bytes, signatures, sealed channels and streams, buffers for secrets.

pub mod channel;
pub(crate) mod random;
pub mod seal;
pub mod sealed_stream;
pub(crate) mod secret_bytes;
pub mod signatures;
