//! The highlighter that all pages share.

use std::borrow::Cow;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use crate::base::{Diagnostic, html, limits};
use crate::site::config::CodeStyle;

use super::cache::{Known, LineCache};
use super::library::Library;
use super::palette::Palette;
use super::textmate::{BLOCK_WORK, GrammarId, Scopes, Shared, Span, StateId, States, Tokenizer, Tools};

/// What a highlighter is made of.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// `styling.codeblocks`.
    pub style: CodeStyle,
    /// Custom TextMate grammars: (source path, JSON text).
    pub languages: Vec<(String, String)>,
    /// Leave all code plain.
    pub off: bool,
}

/// Highlights code. Threads share the grammars, the states between lines, and the lines that were seen before; each takes a tokenizer of its
/// own for a block. Results depend on the language and the code alone.
pub struct Highlighter {
    off: bool,
    library: Library,
    palette: Palette,
    scopes: Scopes,
    states: States,
    lines: LineCache,
    /// What earlier blocks taught the tokenizers; one for each thread that works on a block.
    idle: Mutex<Vec<Tools>>,
}

impl Default for Highlighter {
    fn default() -> Self {
        Self::new(&Options::default()).0
    }
}

impl fmt::Debug for Highlighter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Highlighter").field("palette", &self.palette).finish_non_exhaustive()
    }
}

impl Highlighter {
    /// Makes a highlighter; what is wrong with themes and custom grammars comes back beside it.
    pub fn new(options: &Options) -> (Self, Vec<Diagnostic>) {
        let (palette, themes, mut diagnostics) = Palette::new(&options.style);
        let (library, refused) = Library::new(&options.languages);
        diagnostics.extend(refused);
        let scopes = Scopes::new(themes);
        let highlighter = Self { off: options.off, library, palette, scopes, states: States::default(), lines: LineCache::new(), idle: Mutex::default() };
        (highlighter, diagnostics)
    }

    /// The rules that colour highlighted code, for the stylesheet. They follow `code.css`.
    pub fn css(&self) -> String {
        self.palette.css().to_owned()
    }

    /// A language's name for people; `None` if it is plain text or unknown.
    pub fn label(&self, lang: &str) -> Option<&str> {
        self.library.find(lang).map(|id| self.library.label(id))
    }

    /// The HTML of code: elements never span lines, the text is the code's. Unknown languages, lines over 1 kB and blocks over 256 kB stay
    /// plain, and so does the rest of a block that costs too much.
    pub fn html<'a>(&self, lang: &str, code: &'a str) -> Cow<'a, str> {
        let start = self.library.find(lang).filter(|_| !self.off && code.len() <= limits::HIGHLIGHT_BLOCK_BYTES).and_then(|language| {
            let shared = self.shared();
            Some((language, self.states.initial(language, shared)?))
        });
        let Some((language, state)) = start else { return plain(code) };
        let mut block = Block { highlighter: self, language, state: Some(state), first: true, work: BLOCK_WORK, tokenizer: None };
        let mut out = String::with_capacity(code.len() * 3);
        let mut lines = code.split('\n');
        let mut done = 0;
        while let Some(line) = lines.next() {
            if done > 0 {
                out.push('\n');
            }
            if line.len() > limits::HIGHLIGHT_LINE_BYTES {
                html::push_text(&mut out, line);
            } else if !block.line(line, &mut out) {
                html::push_text(&mut out, &code[done..]);
                break;
            }
            done += line.len() + 1;
        }
        block.finish();
        out.into()
    }

    fn shared(&self) -> Shared<'_> {
        Shared { grammars: &self.library, scopes: &self.scopes, states: &self.states }
    }
}

fn plain(code: &str) -> Cow<'_, str> {
    if code.contains(['&', '<', '>']) { html::text(code).into() } else { code.into() }
}

/// A block on its way.
struct Block<'a> {
    highlighter: &'a Highlighter,
    language: GrammarId,
    /// `None`: only the tokenizer knows.
    state: Option<StateId>,
    first: bool,
    /// Work left. Known lines cost what they cost the first time, so that the same block always ends in the same place.
    work: u64,
    tokenizer: Option<Tokenizer>,
}

impl Block<'_> {
    /// Writes a line. False: the block costs too much, and nothing was written.
    fn line(&mut self, line: &str, out: &mut String) -> bool {
        let highlighter = self.highlighter;
        let start = out.len();
        let key = self.state.map(|state| highlighter.lines.key(state, self.first, line));
        let known = key.and_then(|key| highlighter.lines.write(key, out));
        if let Some(known) = known {
            self.state = Some(known.next);
            self.first = false;
            self.work = self.work.saturating_sub(u64::from(known.work));
            if self.work == 0 {
                out.truncate(start);
            }
            return self.work > 0;
        }
        let tokenizer = self.tokenizer.get_or_insert_with(|| {
            let idle = highlighter.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
            Tokenizer::new(idle.unwrap_or_default())
        });
        tokenizer.set_work(self.work);
        let Some((spans, next, left)) = tokenizer.line(highlighter.shared(), self.language, self.state, self.first, line) else { return false };
        write_spans(out, line, spans);
        if let (Some(key), Some(next), Ok(work)) = (key, next, u32::try_from(self.work - left)) {
            highlighter.lines.keep(key, &out[start..], Known { next, work });
        }
        (self.state, self.first, self.work) = (next, false, left);
        true
    }

    /// Keeps what the tokenizer learnt.
    fn finish(self) {
        if let Some(tokenizer) = self.tokenizer {
            self.highlighter.idle.lock().unwrap_or_else(PoisonError::into_inner).push(tokenizer.into_tools());
        }
    }
}

/// Writes the spans of a line. White space has no colour to show: it joins what is open.
fn write_spans(out: &mut String, line: &str, spans: &[Span]) {
    let mut from = 0;
    let mut written = 0;
    let mut open = None;
    for span in spans {
        let text = &line[from..span.end];
        let start = std::mem::replace(&mut from, span.end);
        if text.bytes().all(|byte| byte == b' ' || byte == b'\t') {
            continue;
        }
        if open != Some(span.looks) {
            if open.take().is_some() {
                out.push_str("</i>");
            }
            out.push_str(&line[written..start]);
            written = start;
            open = Palette::open(out, span.looks).then_some(span.looks);
        }
        html::push_text(out, &line[written..span.end]);
        written = span.end;
    }
    if open.is_some() {
        out.push_str("</i>");
    }
    out.push_str(&line[written..]);
}
