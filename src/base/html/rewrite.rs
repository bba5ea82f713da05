//! HTML that lol_html reads or changes.

use lol_html::{HtmlRewriter, Settings};

/// Has the handlers of `settings` read `html`; whether that was possible to its end.
pub fn read_html(html: &[u8], settings: Settings<'_, '_>) -> bool {
    feed_parser(html, settings, &mut |_| {})
}

/// `html` as the handlers of `settings` change it, unless it cannot be read to its end.
pub fn rewrite_html(html: &[u8], settings: Settings<'_, '_>) -> Option<Vec<u8>> {
    let mut rewritten = Vec::with_capacity(html.len());
    feed_parser(html, settings, &mut |piece| rewritten.extend_from_slice(piece)).then_some(rewritten)
}

/// `sink` takes the result piece by piece. It is a `dyn` because the whole parser is compiled once for each type of
/// sink.
fn feed_parser(html: &[u8], settings: Settings<'_, '_>, sink: &mut dyn FnMut(&[u8])) -> bool {
    let mut rewriter = HtmlRewriter::new(settings, sink);
    rewriter.write(html).and_then(|()| rewriter.end()).is_ok()
}
