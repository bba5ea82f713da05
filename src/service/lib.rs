//! `offprint serve`: export jobs, preview deployments and agent jobs behind an HTTP API.
//!
//! | Module | Holds |
//! |---|---|
//! | [`tenant`] | organizations, their plans, keys and projects |
//! | [`store`] | jobs, deployments and answers given once; bundles in storage |
//! | [`job`] | the work itself, each job in a process of its own |
//! | [`audit`] | who did what, for those who have to know |
//! | [`webhook`] | receivers of an organization are told of ends of its work |
//! | [`api`] | requests, the checks they pass, and answers |

#![cfg_attr(test, allow(clippy::print_stdout, reason = "tests may print"))]
#![cfg_attr(not(test), warn(clippy::string_slice))]

pub mod api;
pub mod audit;
pub mod job;
pub mod store;
pub mod tenant;
pub mod webhook;
