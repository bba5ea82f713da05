//! Certificates for connections: read from PEM files, and read again on a reload.

use std::path::Path;
use std::sync::Arc;

use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

use base::tls;

/// The set-up for new connections.
pub(super) fn read_tls_config(chain: &Path, key: &Path) -> Result<Arc<ServerConfig>, String> {
    let unusable =
        |path: &Path, why: &dyn std::fmt::Display| format!("`{}` cannot be used for TLS: {why}", path.display());
    let certificates = CertificateDer::pem_file_iter(chain)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|error| unusable(chain, &error))?;
    if certificates.is_empty() {
        return Err(unusable(chain, &"it holds no certificate"));
    }
    let secret = PrivateKeyDer::from_pem_file(key).map_err(|error| unusable(key, &error))?;
    let config = ServerConfig::builder_with_provider(tls::provider())
        .with_safe_default_protocol_versions()
        .map_err(|error| unusable(chain, &error))?;
    let mut config =
        config.with_no_client_auth().with_single_cert(certificates, secret).map_err(|error| unusable(chain, &error))?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}
