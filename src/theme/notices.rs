//! The licences of what a bundle holds of others. Those of fonts lie beside the fonts.

use super::files::ThemeFile;
use crate::base::BundlePath;

const ICONS: &str = include_str!("../../templates/icons/NOTICE.md");
const PREACT: &str = include_str!("../../templates/vendor/licences/preact.txt");
const TAILWIND: &str = include_str!("../../templates/vendor/licences/tailwindcss.txt");

/// `_offprint/NOTICES.txt`.
pub(super) fn file(utilities: bool, islands: bool) -> ThemeFile {
    let mut text = format!("This bundle was made with offprint. It holds works of others, under these licences. The licences of fonts lie beside them.\n\n{ICONS}");
    if utilities {
        text.push_str("\n# Style sheet of utilities\n\nMade with Tailwind CSS, https://tailwindcss.com.\n\n");
        text.push_str(TAILWIND);
    }
    if islands {
        text.push_str("\n# Script of components\n\nIt holds preact, https://preactjs.com.\n\n");
        text.push_str(PREACT);
    }
    ThemeFile { path: BundlePath::sanitize("_offprint/NOTICES.txt"), bytes: text.into_bytes() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_there_is_named() {
        let text = |has| String::from_utf8(file(has, has).bytes).unwrap();
        for name in ["ISC License", "CC BY 4.0", "Tabler"] {
            assert!(text(false).contains(name), "{name}");
        }
        assert!(!text(false).contains("preact") && text(true).contains("Jason Miller"));
        assert!(!text(false).contains("Tailwind") && text(true).contains("Copyright (c) Tailwind Labs, Inc."));
    }
}
