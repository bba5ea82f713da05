//! JavaScript without Node: what authors write is compiled (`compile`) and run in a sandbox (`sandbox`). This layer knows
//! text and JSON only; `expand` knows what they mean. Vendored scripts are tools of the program (`tool`).

pub mod compile;
mod sandbox;
pub mod tool;

pub use sandbox::{Budget, Sandbox};
