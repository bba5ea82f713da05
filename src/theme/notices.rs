//! The licences of what a bundle holds of others. Those of fonts lie beside the fonts.

use super::files::ThemeFile;
use crate::base::BundlePath;

const ICONS: &str = include_str!("../../templates/icons/NOTICE.md");
const TAILWIND: &str = include_str!("../../templates/vendor/licences/tailwindcss.txt");

/// `_offprint/NOTICES.txt`.
pub(super) fn file(utilities: bool) -> ThemeFile {
    let mut text = format!("This bundle was made with offprint. It holds works of others, under these licences. The licences of fonts lie beside them.\n\n{ICONS}");
    if utilities {
        text.push_str("\n# Style sheet of utilities\n\nMade with Tailwind CSS, https://tailwindcss.com.\n\n");
        text.push_str(TAILWIND);
    }
    ThemeFile { path: BundlePath::sanitize("_offprint/NOTICES.txt"), bytes: text.into_bytes() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_there_is_named() {
        let text = |utilities| String::from_utf8(file(utilities).bytes).unwrap();
        for name in ["ISC License", "CC BY 4.0", "Tabler"] {
            assert!(text(false).contains(name), "{name}");
        }
        assert!(!text(false).contains("Tailwind") && text(true).contains("Copyright (c) Tailwind Labs, Inc."));
    }
}
