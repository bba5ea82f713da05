//! The rooms from [`fetch`] to [`crate::import`] under the paths that the storeys above name.

pub mod site;

pub use crate::fetch::{self, archive, git};
pub use crate::nav;
