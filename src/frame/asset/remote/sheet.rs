//! Style sheets from elsewhere: what they load is fetched as well, and they load it from the bundle. Sheets that import
//! each other are followed a few levels down; a circle is cut where it closes.

use std::sync::Arc;

use url::Url;

use super::Remote;
use super::cache::hex_digest;
use super::slot::{AddressSlot, FetchedAsset, RemoteSheet, remote_file_path};
use super::sniff::CSS;
use crate::asset::{CssTarget, rewrite_css};
use base::bundle_path::BundlePath;
use base::source_text::decode_text;
use base::{LoadKind, limits};

/// Most sheets that one imports, all levels together.
const MAX_IMPORTED_SHEETS: usize = 100;
/// Largest text that sheets grow to, all levels together, bytes.
const MOST_BYTES: usize = 32 << 20;

/// Sheets being rewritten.
#[derive(Default)]
struct SheetWork {
    files: Vec<(BundlePath, String)>,
    loads: Vec<Arc<AddressSlot>>,
    pending: Vec<Arc<AddressSlot>>,
    bytes: usize,
}

/// A sheet with all that it loads, or the slots that are not decided yet.
pub(super) fn finish_sheet(
    remote: &Remote,
    slot: &AddressSlot,
    asset: &FetchedAsset,
) -> Result<RemoteSheet, Vec<Arc<AddressSlot>>> {
    let mut work = SheetWork::default();
    let path = rewrite_remote_sheet(remote, slot, asset, &mut vec![slot.address.clone()], &mut work);
    if work.pending.is_empty() {
        Ok(RemoteSheet { path, files: work.files, loads: work.loads })
    } else {
        Err(work.pending)
    }
}

fn rewrite_remote_sheet(
    remote: &Remote,
    slot: &AddressSlot,
    asset: &FetchedAsset,
    chain: &mut Vec<String>,
    work: &mut SheetWork,
) -> BundlePath {
    let base = asset.base.as_deref().and_then(|base| Url::parse(base).ok()).or_else(|| slot.url.clone());
    let bytes = asset.bytes(&remote.cache).unwrap_or_default();
    work.bytes += bytes.len();
    let css = rewrite_css(&decode_text(&bytes).0, |address, load| {
        let is_data = address.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("data:"));
        if address.is_empty() || address.starts_with('#') || is_data {
            return CssTarget::Keep;
        }
        let Some(url) = base.as_ref().and_then(|base| base.join(address).ok()) else { return CssTarget::Drop };
        let fragment = url.fragment().map(|fragment| format!("#{fragment}")).unwrap_or_default();
        let nested = remote.slot(url.as_str(), load);
        let closes =
            load == LoadKind::Sheet && (chain.contains(&nested.address) || chain.len() >= limits::REMOTE_SHEET_DEPTH);
        if closes || work.files.len() >= MAX_IMPORTED_SHEETS || work.bytes > MOST_BYTES {
            return CssTarget::Drop;
        }
        let Some(outcome) = remote.outcome(&nested) else {
            work.pending.push(nested);
            return CssTarget::Drop;
        };
        work.loads.push(Arc::clone(&nested));
        let Ok(nested_asset) = outcome else { return CssTarget::Drop };
        let path = if load == LoadKind::Sheet {
            chain.push(nested.address.clone());
            let path = rewrite_remote_sheet(remote, &nested, nested_asset, chain, work);
            chain.pop();
            path
        } else {
            nested_asset.path.clone()
        };
        // all of them stand in one folder
        let name = path.as_str().rsplit('/').next().unwrap_or_default();
        CssTarget::Inside(format!("{name}{fragment}"))
    });
    let path = remote_file_path(&hex_digest(css.as_bytes()), CSS);
    work.files.push((path.clone(), css));
    path
}
