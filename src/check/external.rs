//! Links to other hosts, requested one by one: a few at a time, two for a host, through the guarded client.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rustc_hash::FxHashMap;
use serde::Serialize;
use tokio::sync::Semaphore;
use url::Url;

use base::Diagnostic;
use fetch::{Client, DownloadFailure, DownloadLimits, FetchPolicy, System};

use super::OutsideLink;

/// How the requests call themselves.
const AGENT: &str = concat!("offprint/", env!("CARGO_PKG_VERSION"), " (link check)");

/// How links are requested.
#[derive(Clone, Copy, Debug)]
pub struct ExternalOptions {
    /// Addresses of this machine and of private networks may be requested too.
    pub allow_private: bool,
    /// Requests at a time.
    pub at_once: usize,
}

impl Default for ExternalOptions {
    fn default() -> Self {
        Self { allow_private: false, at_once: 16 }
    }
}

/// Requests to one host at a time.
const MAX_REQUESTS_PER_HOST: usize = 2;
/// Most retries of a request.
const MAX_LINK_RETRIES: u32 = 2;
/// Before the first of them; twice as long before the next.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// How all links fared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LinkSummary {
    /// Different addresses that were requested.
    pub asked: u64,
    /// There.
    pub alive: u64,
    /// Not there.
    pub dead: u64,
    /// Hosts that would not or could not say.
    pub unclear: u64,
    /// Not requested: private addresses.
    pub refused: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum LinkVerdict {
    Alive,
    Dead,
    Unclear,
    Refused,
}

/// Requests all links. A link whose target does not exist is an error, one without a clear answer a warning.
///
/// # Errors
/// The machine can make no requests at all.
pub fn check_external_links(
    links: &[OutsideLink],
    options: ExternalOptions,
    cancel: &AtomicBool,
) -> Result<(LinkSummary, Vec<Diagnostic>), String> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.map_err(|error| format!("cannot start requests: {error}"))?;
    // anchors of other hosts are not checked: an address is requested once
    let mut by_address: Vec<(Url, Vec<&OutsideLink>)> = Vec::new();
    let mut known: FxHashMap<Url, usize> = FxHashMap::default();
    for link in links {
        let absolute = if link.url.starts_with("//") { format!("https:{}", link.url) } else { link.url.clone() };
        let Ok(mut url) = Url::parse(&absolute) else { continue };
        url.set_fragment(None);
        if !matches!(url.scheme(), "http" | "https") {
            continue;
        }
        let index = *known.entry(url.clone()).or_insert_with(|| {
            by_address.push((url, Vec::new()));
            by_address.len() - 1
        });
        by_address[index].1.push(link);
    }
    let addresses: Vec<Url> = by_address.iter().map(|(url, _)| url.clone()).collect();
    // an option that allows private networks allows their ports too
    let ports = if options.allow_private { addresses.iter().filter_map(Url::port).collect() } else { Vec::new() };
    let policy = FetchPolicy { allow_private: options.allow_private, ports, ..FetchPolicy::default() };
    let client = Client::new(policy, DownloadLimits::default(), Arc::new(System))
        .map_err(|error| format!("cannot start requests: {error}"))?;
    let answers = runtime.block_on(ask_all(client, addresses, options, cancel));
    // without a network every name is unknown
    let is_online =
        answers.iter().any(|answer| answer.as_ref().map_or_else(|refusal| !refusal.is_unreached(), |()| true));
    let mut summary = LinkSummary::default();
    let mut findings = Vec::new();
    for ((url, links), answer) in by_address.iter().zip(answers) {
        summary.asked += 1;
        let shown = super::facts::display_checked_address(url.as_str());
        let why = answer.as_ref().err().map(DownloadFailure::to_string).unwrap_or_default();
        let (finding, hint) = match verdict(&answer, is_online) {
            LinkVerdict::Alive => {
                summary.alive += 1;
                continue;
            }
            LinkVerdict::Dead => {
                summary.dead += 1;
                (Diagnostic::error("dead-link", format!("`{shown}`: {why}")), "correct the address, or remove the link")
            }
            LinkVerdict::Unclear => {
                summary.unclear += 1;
                (Diagnostic::warning("unclear-link", format!("`{shown}`: {why}")), "open it in a browser")
            }
            LinkVerdict::Refused => {
                summary.refused += 1;
                (
                    Diagnostic::warning("private-link", format!("`{shown}` was not requested: {why}")),
                    "`--allow-private` includes private networks",
                )
            }
        };
        for link in links {
            let pages = if link.pages > 1 { format!("{hint} ({} pages have it)", link.pages) } else { hint.to_owned() };
            findings.push(finding.clone().at(link.file.as_str(), link.line, 0).hint(pages));
        }
    }
    Ok((summary, findings))
}

async fn ask_all(
    client: Client,
    addresses: Vec<Url>,
    options: ExternalOptions,
    cancel: &AtomicBool,
) -> Vec<Result<(), DownloadFailure>> {
    let all = Arc::new(Semaphore::new(options.at_once.max(1)));
    let mut hosts: FxHashMap<String, Arc<Semaphore>> = FxHashMap::default();
    let mut running = Vec::with_capacity(addresses.len());
    for url in addresses {
        let host = url.host_str().unwrap_or_default().to_owned();
        let host = Arc::clone(hosts.entry(host).or_insert_with(|| Arc::new(Semaphore::new(MAX_REQUESTS_PER_HOST))));
        let (client, all) = (client.clone(), Arc::clone(&all));
        running.push(tokio::spawn(async move {
            // first the place at the host, so that a slow one does not keep the others waiting
            let _of_host = host.acquire_owned().await.ok();
            let _of_all = all.acquire_owned().await.ok();
            ask(&client, &url).await
        }));
    }
    let mut answers = Vec::with_capacity(running.len());
    for task in running {
        if cancel.load(Ordering::Relaxed) {
            task.abort();
        }
        answers
            .push(task.await.unwrap_or_else(|_| Err(DownloadFailure::Broken("the request was canceled".to_owned()))));
    }
    answers
}

/// Repeats a request until there is a definite answer.
async fn ask(client: &Client, url: &Url) -> Result<(), DownloadFailure> {
    let mut pause = RETRY_DELAY;
    for _ in 0..MAX_LINK_RETRIES {
        match client.probe(url, AGENT).await {
            Err(refusal) if refusal.may_pass() => tokio::time::sleep(pause).await,
            answer => return answer,
        }
        pause *= 2;
    }
    client.probe(url, AGENT).await
}

fn verdict(answer: &Result<(), DownloadFailure>, is_online: bool) -> LinkVerdict {
    match answer {
        // a browser would go there
        Ok(()) | Err(DownloadFailure::Downgrade) => LinkVerdict::Alive,
        Err(DownloadFailure::Status(404 | 410) | DownloadFailure::Redirects(_) | DownloadFailure::Nowhere) => {
            LinkVerdict::Dead
        }
        Err(DownloadFailure::Name(_)) if is_online => LinkVerdict::Dead,
        Err(
            DownloadFailure::Scheme(_)
            | DownloadFailure::Userinfo
            | DownloadFailure::Port(_)
            | DownloadFailure::Address { .. },
        ) => LinkVerdict::Refused,
        Err(_) => LinkVerdict::Unclear,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(answer: Result<(), DownloadFailure>, online: LinkVerdict, offline: LinkVerdict) {
        assert_eq!((verdict(&answer, true), verdict(&answer, false)), (online, offline), "{answer:?}");
    }

    #[test]
    fn answers_are_judged() {
        check(Ok(()), LinkVerdict::Alive, LinkVerdict::Alive);
        check(Err(DownloadFailure::Status(404)), LinkVerdict::Dead, LinkVerdict::Dead);
        check(Err(DownloadFailure::Status(403)), LinkVerdict::Unclear, LinkVerdict::Unclear);
        check(Err(DownloadFailure::Name("a.b".to_owned())), LinkVerdict::Dead, LinkVerdict::Unclear);
        check(Err(DownloadFailure::Port(8080)), LinkVerdict::Refused, LinkVerdict::Refused);
    }
}
