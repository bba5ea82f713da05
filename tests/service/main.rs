//! The HTTP service over real HTTP.
