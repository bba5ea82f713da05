//! HTML that lol_html reads or changes.

use lol_html::{HtmlRewriter, Settings};

/// Has the handlers of `settings` read `html`; whether that was possible to its end.
pub fn read_html(html: &[u8], settings: Settings<'_, '_>) -> bool {
    rewrite_html(html, settings, &mut |_| {})
}

/// Has the handlers of `settings` change `html`; whether that was possible to its end. `sink` takes the result piece by
/// piece. It is a `dyn` because the whole parser is compiled once for each type of sink.
pub fn rewrite_html(html: &[u8], settings: Settings<'_, '_>, sink: &mut dyn FnMut(&[u8])) -> bool {
    let mut rewriter = HtmlRewriter::new(settings, sink);
    rewriter.write(html).and_then(|()| rewriter.end()).is_ok()
}
