//! Encryption of connections to the database: rustls, as everywhere else in this program.

use std::future::Future;
use std::io;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt as _;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::Socket;
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream as Encrypted;

/// Encrypts connections.
#[derive(Clone)]
pub(super) struct Tls(Arc<ClientConfig>);

impl Tls {
    /// Verifies servers by the certificates of a file, or by those of the system.
    pub(super) fn new(certificates: Option<&Path>) -> Result<Self, String> {
        let failed = |error: &dyn std::fmt::Display| format!("connections cannot be encrypted: {error}");
        let builder = ClientConfig::builder_with_provider(base::tls::provider())
            .with_safe_default_protocol_versions()
            .map_err(|error| failed(&error))?;
        let builder = match certificates {
            None => builder.with_platform_verifier().map_err(|error| failed(&error))?,
            Some(path) => {
                let unread =
                    |error: &dyn std::fmt::Display| format!("`{}` has no certificates: {error}", path.display());
                let mut roots = RootCertStore::empty();
                for certificate in CertificateDer::pem_file_iter(path).map_err(|error| unread(&error))? {
                    let certificate = certificate.map_err(|error| unread(&error))?;
                    roots.add(certificate).map_err(|error| unread(&error))?;
                }
                if roots.is_empty() {
                    return Err(unread(&"it is empty"));
                }
                builder.with_root_certificates(roots)
            }
        };
        Ok(Self(Arc::new(builder.with_no_client_auth())))
    }
}

impl MakeTlsConnect<Socket> for Tls {
    type Stream = Stream;
    type TlsConnect = ToServer;
    type Error = rustls::pki_types::InvalidDnsNameError;

    fn make_tls_connect(&mut self, domain: &str) -> Result<ToServer, Self::Error> {
        let name = ServerName::try_from(domain)?.to_owned();
        Ok(ToServer { config: Arc::clone(&self.0), name })
    }
}

/// Encrypts a connection to one server.
pub(super) struct ToServer {
    config: Arc<ClientConfig>,
    name: ServerName<'static>,
}

impl TlsConnect<Socket> for ToServer {
    type Stream = Stream;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Stream>> + Send>>;

    fn connect(self, stream: Socket) -> Self::Future {
        Box::pin(async move { TlsConnector::from(self.config).connect(self.name, stream).await.map(Stream) })
    }
}

/// An encrypted connection.
pub(super) struct Stream(Encrypted<Socket>);

impl TlsStream for Stream {
    /// The server has proved who it is by its certificate.
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl AsyncRead for Stream {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(cx, buf)
    }
}

impl AsyncWrite for Stream {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(cx)
    }
}
