//! The cryptography of encrypted connections: that of `ring`, which compiles in a fifth of the time of `aws-lc-rs`.

use std::sync::Arc;

use rustls::crypto::{CryptoProvider, ring};

/// What a connection of our own encrypts with.
pub fn provider() -> Arc<CryptoProvider> {
    Arc::new(ring::default_provider())
}

/// Makes it what the libraries that open connections by themselves use. To be called before such a client is built,
/// any number of times: building one without a provider panics.
pub fn install_provider() {
    // an error says that the process has one already
    let _ = ring::default_provider().install_default();
}
