//! Names to addresses: resolved once for each connection, and every answer is judged before any is dialed. A name
//! whose answers are mixed is refused as a whole, so no second answer can bring in what the first hid.

use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;

use reqwest::dns;

use super::DownloadFailure;
use super::policy::FetchPolicy;

/// The addresses of a host, at some time.
pub type Answers = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send>>;

/// Finds the addresses of a name. The system's resolver in earnest, a table in tests.
pub trait Resolve: Send + Sync + 'static {
    /// All addresses of a name.
    fn resolve(&self, host: &str) -> Answers;
}

/// The resolver of the system.
#[derive(Clone, Copy, Debug, Default)]
pub struct System;

impl Resolve for System {
    fn resolve(&self, host: &str) -> Answers {
        let host = host.to_owned();
        Box::pin(
            async move { Ok(tokio::net::lookup_host((host.as_str(), 0)).await?.map(|address| address.ip()).collect()) },
        )
    }
}

/// The resolver of the HTTP client: it returns only checked addresses.
pub(super) struct Guard {
    pub(super) policy: Arc<FetchPolicy>,
    pub(super) resolver: Arc<dyn Resolve>,
}

impl dns::Resolve for Guard {
    fn resolve(&self, name: dns::Name) -> dns::Resolving {
        let answers = self.resolver.resolve(name.as_str());
        let policy = Arc::clone(&self.policy);
        Box::pin(async move {
            let host = name.as_str();
            let addresses = answers.await.map_err(|_| DownloadFailure::Name(host.to_owned()))?;
            if addresses.is_empty() {
                return Err(DownloadFailure::Name(host.to_owned()).into());
            }
            for address in &addresses {
                policy.check_address(host, None, *address)?;
            }
            // port 0: the client puts in the URL's
            let addresses: dns::Addrs = Box::new(addresses.into_iter().map(|address| SocketAddr::new(address, 0)));
            Ok(addresses)
        })
    }
}
