//! What every HTTP server of this program shares: connections and their bounds, ranges, validators.
//!
//! | Module | Holds |
//! |---|---|
//! | [`connection`] | one HTTP/1.1 connection, from its first request to its last |
//! | [`idle_timeout`] | a stream that fails when nothing is written for too long |
//! | [`checked_stream`] | finds heads that mean two things, and closes without losing the last response |
//! | [`descriptors`] | how many descriptors the process may have |
//! | [`forwarded`] | the address of a client behind proxies |
//! | [`listener`] | listening, and the connections that wait at the end |
//! | [`lockout`] | who has failed too often with passwords, and waits |
//! | [`peer`] | addresses of clients, and how many connections each has open |
//! | [`range`] | the part of a file that a request selects |
//! | [`unread`] | the rest of a body after an early response, so that its connection can go on |
//! | [`validator`] | whether the client has this version already |
//!
//! What a server answers, and to whom, is not decided here: `host`, the service and the development
//! server import from here.

#![cfg_attr(test, allow(clippy::print_stdout, reason = "tests may print"))]
#![cfg_attr(not(test), warn(clippy::string_slice))]

pub mod checked_stream;
pub mod connection;
pub mod descriptors;
pub mod forwarded;
mod framing;
pub mod idle_timeout;
pub mod listener;
pub mod lockout;
pub mod peer;
pub mod range;
pub mod unread;
pub mod validator;
