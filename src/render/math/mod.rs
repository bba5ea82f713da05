//! TeX math to MathML, when the site is exported: browsers draw it themselves, with any font and no script.

mod commands;
mod expand;
mod finish;

use std::panic::{AssertUnwindSafe, catch_unwind};

use pulldown_latex::config::{DisplayMode, RenderConfig};
use pulldown_latex::{Event, Parser, ParserError, Storage, mathml};

use crate::base::{Diagnostic, Place, html};

use super::Renderer;

/// Longest expression that is read, bytes.
const LONGEST: usize = 16 << 10;
/// Most pieces that an expression may have; more is no formula.
const MOST_EVENTS: usize = 20_000;
/// Deepest nesting of groups.
const DEEPEST: usize = 96;

/// Writes an expression: MathML, or its source as code and a warning if it cannot be read.
pub fn write(r: &mut Renderer<'_>, tex: &str, display: bool, place: Place) {
    let (tag, kind) = if display { ("div", " class=\"math math-display\" tabindex=\"0\"") } else { ("span", " class=\"math\"") };
    match to_mathml(tex, display) {
        Ok(mathml) => {
            for part in ["<", tag, kind, " data-component=\"Math\">", &mathml, "</", tag, ">"] {
                r.out.push_str(part);
            }
        }
        Err(problem) => {
            for part in ["<", tag, " class=\"math\" data-component=\"Math\"><code class=\"math-error\">"] {
                r.out.push_str(part);
            }
            r.text(tex.trim());
            for part in ["</code></", tag, ">"] {
                r.out.push_str(part);
            }
            let shown: String = tex.trim().chars().take(60).collect();
            let hint = "it is shown as text; write it with the commands of KaTeX, or escape a `$` that is no math as `\\$`";
            r.warn(place, Diagnostic::warning("math-failed", format!("the formula `{shown}` cannot be read: {problem}")).hint(hint));
        }
    }
}

/// The MathML of an expression: one `<math>` element, well-formed.
///
/// # Errors
/// What is wrong with it, in a few words.
pub fn to_mathml(tex: &str, display: bool) -> Result<String, String> {
    if tex.len() > LONGEST {
        return Err(format!("it is longer than {} kB", LONGEST >> 10));
    }
    let tex = expand::expand(tex.trim(), display)?;
    catch_unwind(AssertUnwindSafe(|| convert(&tex, display))).unwrap_or_else(|_| Err("it is not understood".to_owned()))
}

fn convert(tex: &str, display: bool) -> Result<String, String> {
    let storage = Storage::new();
    let mut events = Vec::new();
    let mut depth = 0_usize;
    for event in Parser::new(tex, &storage) {
        let event = event.map_err(|error| reason(&error))?;
        match event {
            Event::Begin(_) => depth += 1,
            Event::End => depth = depth.saturating_sub(1),
            _ => {}
        }
        if events.len() == MOST_EVENTS || depth > DEEPEST {
            return Err("it is too large".to_owned());
        }
        events.push(Ok::<_, ParserError>(event));
    }
    let mode = if display { DisplayMode::Block } else { DisplayMode::Inline };
    let mut out = String::with_capacity(tex.len() * 8);
    mathml::push_mathml(&mut out, events.into_iter(), RenderConfig { display_mode: mode, ..RenderConfig::default() })
        .map_err(|error| error.to_string())?;
    finish::finish(&finish::repaired(out)).ok_or_else(|| "it is not understood".to_owned())
}

/// The first line of a parser's message, without its preamble.
fn reason(error: &ParserError) -> String {
    let message = error.to_string();
    let line = message.lines().next().unwrap_or_default();
    html::text(line.trim_start_matches("parsing error: ")).replace("unkown", "unknown")
}

#[cfg(test)]
mod tests;
