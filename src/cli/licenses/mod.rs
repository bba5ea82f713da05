//! `offprint --licenses`: what others have written of the program, and under which licenses.

use frame::theme::content_licenses;
use markup::slug::TRANSLITERATION_LICENSE;
use render::code::THIRD_PARTY;

use super::{Exit, print_answer};

/// The crates that are linked, with the texts of their licenses; `tests/suite/licenses.rs` writes it.
const CRATES: &str = include_str!("crates.txt");

const HEAD: &str = "\
offprint is under the MIT license or the Apache License 2.0, at your option. The program holds work of others: crates, and
what it puts into bundles (fonts, icons, grammars, scripts). Their licenses follow.

Statically linked programs, as in the packages and the image, also hold the Rust standard library (MIT or Apache-2.0,
https://github.com/rust-lang/rust) and the GNU C library (LGPL-2.1-or-later, https://sourceware.org/glibc), unmodified. To
link the program with another version of it, build it from the source: `cargo build --profile dist --locked`.";

/// Prints the notices.
pub(super) fn print_licenses() -> Exit {
    let rule = "=".repeat(100);
    let parts = [
        HEAD,
        CRATES,
        &content_licenses(),
        "Grammars and themes of code",
        THIRD_PARTY,
        "Table of letters and their replacements in anchors",
        TRANSLITERATION_LICENSE,
    ];
    print_answer(parts.map(str::trim).join(&format!("\n\n{rule}\n\n")), Exit::Done)
}
