//! What the guarded client refuses, without a network: `cargo run -p offprint-fetch --example guard`.

use std::error::Error;
use std::io::{Write as _, stdout};
use std::sync::Arc;

use offprint_fetch::{Client, DownloadLimits, FetchPolicy, System};
use url::Url;

fn main() -> Result<(), Box<dyn Error>> {
    let client = Client::new(FetchPolicy::default(), DownloadLimits::default(), Arc::new(System))?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    for address in [
        "http://127.0.0.1/",
        "http://[::ffff:10.0.0.1]/",
        "http://169.254.169.254/latest/meta-data/",
        "http://0x7f.1/",
        "https://user:word@example.com/",
        "https://example.com:8443/",
        "ftp://example.com/",
    ] {
        let refusal = runtime.block_on(client.get(&Url::parse(address)?, "example")).err();
        let refusal = refusal.ok_or_else(|| format!("{address} was requested"))?;
        writeln!(stdout(), "{address}: {refusal}")?;
    }
    let own = FetchPolicy { own: vec!["10.0.0.7:8080".parse()?], ..FetchPolicy::default() };
    assert!(own.check_url(&Url::parse("http://10.0.0.7:8080/")?).is_ok(), "a server that was named is requested");
    Ok(())
}
