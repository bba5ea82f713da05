//! KaTeX, in the embedded engine: TeX to its MathML. One engine per thread, started by the first expression.

use std::cell::RefCell;

use markup::js::tool::{LoadedScript, ScriptFailure, VendoredScript};

const SCRIPT: VendoredScript = VendoredScript {
    name: "katex",
    source: const { templates::text("vendor/katex.js") },
    function: "katex",
    memory: 128 << 20,
    rounds: 2_000,
};

thread_local! {
    static TOOL: RefCell<Option<LoadedScript>> = const { RefCell::new(None) };
}

/// What is wrong with an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MathError {
    /// In a few words.
    pub reason: String,
    /// Bytes before the mistake, where that is known.
    pub at: Option<usize>,
}

impl MathError {
    pub(super) fn because(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), at: None }
    }
}

/// The MathML of an expression as KaTeX writes it: one `<math>`.
pub(super) fn mathml(tex: &str, display: bool) -> Result<String, MathError> {
    let result = TOOL.with_borrow_mut(|slot| {
        let tool = match slot.take() {
            Some(tool) => tool,
            None => LoadedScript::start(SCRIPT)?,
        };
        let result = tool.call(&[tex, if display { "block" } else { "inline" }]);
        // after a failure of the engine a new one is started, so that no expression depends on another
        if result.is_ok() {
            *slot = Some(tool);
        }
        result
    });
    let answer = match result {
        Ok(answer) => answer,
        Err(ScriptFailure::Thrown(message)) if message.contains("stack") => {
            return Err(MathError::because("it is nested too deeply"));
        }
        Err(failure) => return Err(MathError::because(failure.to_string())),
    };
    if answer.starts_with('<') {
        return Ok(answer);
    }
    let (at, reason) = answer.split_once(':').unwrap_or(("", answer.as_str()));
    Err(MathError { reason: reason.to_owned(), at: at.parse().ok().map(|units| bytes_before(tex, units)) })
}

/// UTF-16 units, as bytes of the text.
fn bytes_before(text: &str, units: usize) -> usize {
    let mut seen = 0;
    for (at, c) in text.char_indices() {
        if seen >= units {
            return at;
        }
        seen += c.len_utf16();
    }
    text.len()
}
