//! Flags and environment to the option structs that others own.
