//! The host of an address, as placeholders name it.

use base::cut::SliceText as _;
use base::html::escape_html_text;

/// The host of a URL without `www.`, HTML.
pub(crate) fn host_name(url: &str) -> String {
    let rest = url.split_once("://").map_or(url.trim_start_matches('/'), |(_, rest)| rest);
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let host = rest.slice(..end).rsplit('@').next().unwrap_or_default();
    escape_html_text(host.strip_prefix("www.").unwrap_or(host))
}
