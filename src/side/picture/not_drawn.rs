//! Files that icons and previews are not drawn from.

use base::Diagnostic;

/// Why a file is not drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotDrawn {
    /// It would come out wrong, or it is damaged or no picture.
    Unsupported,
    /// Drawing it could take longer than all else. The reason is a sentence without its end.
    Costly(&'static str),
}

impl NotDrawn {
    /// The word about a file that is copied, but not drawn; `None` where its author sees that for himself.
    pub(crate) fn diagnostic(self, path: &str) -> Option<Diagnostic> {
        let Self::Costly(reason) = self else { return None };
        let message = format!(
            "the drawing takes too much work: {reason}; it is copied as it is, and no icon or preview shows it"
        );
        let hint = "simplify it, with fewer filters, references and elements, or save it as a PNG";
        Some(Diagnostic::new("svg-costly", message).at(path, 0, 0).hint(hint))
    }
}
