//! TeX math to MathML, when the site is exported: browsers draw it themselves, with any font and no script.
//!
//! `katex` reads the expression, `core` and `table` put what it writes in terms that browsers know, `tree` holds the
//! elements meanwhile and lets nothing else pass. Results are kept in `Formulas`, for all pages and threads.

mod cache;
mod core;
mod katex;
mod letters;
mod table;
mod tree;

use base::cut::SliceText as _;
use base::{Diagnostic, Place};

use super::Renderer;

pub use cache::Formulas;
pub use katex::MathError;

/// Longest expression that is read, bytes.
const MAX_TEX_BYTES: usize = 16 << 10;
/// Most MathML that an expression may grow to, bytes.
const MAX_MARKUP_BYTES: usize = 1 << 20;

/// Writes an expression: MathML, or its source as code and a warning if it cannot be read.
pub fn write_formula(r: &mut Renderer<'_>, tex: &str, display: bool, place: Place) {
    let (tag, kind) =
        if display { ("div", " class=\"math math-display\" tabindex=\"0\"") } else { ("span", " class=\"math\"") };
    match r.kit.formulas.mathml(tex.trim(), display).as_ref() {
        Ok(mathml) => {
            for part in ["<", tag, kind, " data-component=\"Math\">", mathml, "</", tag, ">"] {
                r.out.push_str(part);
            }
        }
        Err(problem) => {
            write_tex_source(r, tex, display);
            let shown: String = tex.trim().chars().take(60).collect();
            let hint = "it is shown as text; use the commands of KaTeX, or escape a `$` that is not math as `\\$`";
            let message = format!(
                "the formula `{shown}` cannot be read: {}{}",
                problem.reason,
                where_it_is(tex.trim(), problem.at)
            );
            r.warn(place, Diagnostic::new("math-failed", message).hint(hint));
        }
    }
}

/// What cannot be drawn, for readers. In a sentence it often was no math but text with dollars in it, so it reads as
/// that.
fn write_tex_source(r: &mut Renderer<'_>, tex: &str, display: bool) {
    if display {
        r.out.push_str("<div class=\"math\" data-component=\"Math\"><code class=\"math-error\">");
        r.text(tex.trim());
        r.out.push_str("</code></div>");
    } else {
        r.out.push_str("<span class=\"math\" data-component=\"Math\">");
        r.text(&unescape(&format!("${tex}$")));
        r.out.push_str("</span>");
    }
}

/// Markdown text without the backslashes that only protect the character after them.
fn unescape(text: &str) -> String {
    let mut chars = text.chars().peekable();
    let mut out = String::with_capacity(text.len());
    while let Some(c) = chars.next() {
        if c != '\\' || !chars.peek().is_some_and(char::is_ascii_punctuation) {
            out.push(c);
        } else {
            out.extend(chars.next());
        }
    }
    out
}

/// What stands before a mistake, so that it can be found.
fn where_it_is(tex: &str, at: Option<usize>) -> String {
    let Some(before) = at.and_then(|at| tex.get(..at)).filter(|before| !before.is_empty()) else {
        return String::new();
    };
    let from = before.char_indices().rev().nth(15).map_or(0, |(from, _)| from);
    format!(" (after `{}`)", before.slice(from..))
}

/// The MathML of an expression: one `<math>` element, well-formed.
///
/// # Errors
/// What is wrong with it.
pub fn to_mathml(tex: &str, display: bool) -> Result<String, MathError> {
    if tex.len() > MAX_TEX_BYTES {
        return Err(MathError::because(format!("it is longer than {} kB", MAX_TEX_BYTES >> 10)));
    }
    let markup = katex::mathml(tex.trim(), display)?;
    if markup.len() > MAX_MARKUP_BYTES {
        return Err(MathError::because("it is too large"));
    }
    let tree = tree::parse_math_markup(&markup).ok_or_else(|| MathError::because("it is nested too deeply"))?;
    let mut out = String::with_capacity(markup.len());
    core::for_browsers(tree, display).write(&mut out);
    Ok(out)
}

#[cfg(test)]
mod tests;
