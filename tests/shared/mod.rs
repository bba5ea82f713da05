//! What more than one part of the tests needs.

#[expect(dead_code, reason = "the contract of the store uses the rest of it")]
pub(crate) mod postgres;
pub(crate) mod queued;
pub(crate) mod zips;
