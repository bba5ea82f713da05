//! What more than one part of the tests needs.

pub(crate) mod postgres;
pub(crate) mod zips;
