//! The queue at work, with exports that take no time: what children do is tested where they are.
