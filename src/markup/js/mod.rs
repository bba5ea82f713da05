//! JavaScript without Node: what authors write is compiled (`compile`), instrumented to check its limits (`guard`) and
//! run in a sandbox (`sandbox`), whose realm is made by the scripts of `realm/`. This layer knows text and JSON
//! (`json`) only; `expand` knows what they mean. Vendored scripts are tools of the program (`tool`), and so is what runs
//! the configurations of other documentation tools (`config`).

mod address;
mod clock;
pub mod compile;
mod config;
mod depth;
mod guard;
pub mod json;
mod lazy_imports;
pub mod live;
mod meter;
mod module_syntax;
mod names;
mod sandbox;
pub mod statements;
mod syntax_error;
pub mod tool;

pub use config::ConfigEngine;
pub use meter::ScriptLimit;
pub use sandbox::{Sandbox, ScriptBudget};
