//! `offprint bench`.
use super::Exit;
use super::args::BenchArgs;
pub(super) fn run(_arguments: BenchArgs) -> Exit { Exit::Done }
