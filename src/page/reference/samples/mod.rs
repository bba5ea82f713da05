//! Samples of requests in programming languages.
