//! What comes before the parser: an expression's own macros, and commands of KaTeX that the parser does not know, in terms of those it
//! does. Reads the source once; what macros give is read again, within a budget.

use super::commands::{INFIX, SAME, SHAPES, TEXTS, marked};

/// Largest text that macros may grow to, characters.
const LARGEST: usize = 64 << 10;
/// Most uses of macros.
const MOST_USES: usize = 2_000;
/// Deepest nesting of groups.
const DEEPEST: usize = 96;

/// Deepest nesting of math in text in math.
const DEEPEST_TEXT: usize = 4;

/// Characters that text may hold but that mean something to the parser.
const KEPT: &str = "{}$#%&\\_~^<>\"";

/// A character of text in a form that means nothing to the parser; `restored` undoes it.
fn kept(c: char) -> char {
    let index = KEPT.find(c).and_then(|index| u32::try_from(index).ok());
    index.and_then(|index| char::from_u32(0xe000 + index)).unwrap_or(c)
}

/// The character that `kept` stands for.
pub(super) fn restored(c: char) -> Option<char> {
    let index = u32::from(c).checked_sub(0xe000)?;
    KEPT.get(index as usize..)?.chars().next()
}

struct Macro {
    name: String,
    parameters: usize,
    body: String,
}

struct Expander {
    /// What is still to be read, last character first.
    rest: Vec<char>,
    out: String,
    macros: Vec<Macro>,
    uses: usize,
    /// For each open group: where its content starts in `out`, and the infix operator found in it.
    groups: Vec<(usize, Option<(usize, &'static str)>)>,
    /// Open environments, and whether a line is broken outside all of them.
    environments: usize,
    breaks: bool,
    /// How many texts this math stands in.
    depth: usize,
    display: bool,
}

/// The expression without macros and without commands that the parser lacks.
///
/// # Errors
/// What is wrong with it, in a few words.
pub(super) fn expand(tex: &str, display: bool) -> Result<String, String> {
    let mut expander = Expander { display, ..Expander::over(tex, 0) };
    expander.run()?;
    Ok(if expander.breaks { format!("\\begin{{gathered}}{}\\end{{gathered}}", expander.out) } else { expander.out })
}

impl Expander {
    fn over(tex: &str, depth: usize) -> Self {
        Self {
            rest: tex.chars().rev().collect(),
            out: String::with_capacity(tex.len() + 16),
            macros: Vec::new(),
            uses: 0,
            groups: vec![(0, None)],
            environments: 0,
            breaks: false,
            depth,
            display: false,
        }
    }

    fn run(&mut self) -> Result<(), String> {
        while let Some(c) = self.rest.pop() {
            match c {
                '\\' => self.command()?,
                '{' => {
                    self.out.push('{');
                    self.groups.push((self.out.len(), None));
                    if self.groups.len() > DEEPEST {
                        return Err("it is nested too deeply".to_owned());
                    }
                }
                '}' => {
                    if self.groups.len() < 2 {
                        return Err("a `}` closes nothing".to_owned());
                    }
                    self.end_group();
                    self.out.push('}');
                }
                '%' => while self.rest.pop().is_some_and(|c| c != '\n') {},
                c => self.out.push(c),
            }
            if self.out.len() > LARGEST || self.rest.len() > LARGEST {
                return Err("its macros grow too large".to_owned());
            }
        }
        if self.groups.len() > 1 {
            return Err("a `{` is not closed".to_owned());
        }
        self.end_group();
        Ok(())
    }

    fn end_group(&mut self) {
        if let Some((start, Some((at, command)))) = self.groups.pop() {
            let below = self.out.split_off(at);
            let above = self.out.split_off(start);
            self.out.push_str(&format!("{command}{{{above}}}{{{below}}}"));
        }
    }

    /// Puts text before what is still to be read.
    fn unread(&mut self, text: &str) {
        self.rest.extend(text.chars().rev());
    }

    fn command(&mut self) -> Result<(), String> {
        let name = self.name();
        if let Some(index) = self.macros.iter().rposition(|known| known.name == name) {
            return self.use_macro(index);
        }
        if let Ok(index) = SAME.binary_search_by_key(&name.as_str(), |same| same.0) {
            // `\smash[b]{…}`
            if name == "smash" {
                self.optional();
            }
            self.unread(SAME[index].1);
            return Ok(());
        }
        if let Ok(index) = SHAPES.binary_search_by_key(&name.as_str(), |shape| shape.0) {
            let (_, count, shape) = SHAPES[index];
            let body = marked(shape);
            return self.substitute(&body, count);
        }
        if let Some((_, command)) = INFIX.iter().find(|infix| infix.0 == name) {
            let at = self.out.len();
            if let Some((_, infix)) = self.groups.last_mut() {
                *infix = infix.or(Some((at, command)));
            }
            return Ok(());
        }
        if TEXTS.contains(&name.as_str()) {
            return self.text(&name);
        }
        match name.as_str() {
            "newcommand" | "renewcommand" | "providecommand" => self.new_command(),
            "def" | "gdef" | "edef" | "xdef" => self.define(),
            "DeclareMathOperator" => self.declare_operator(),
            "tag" => {
                let bare = self.star();
                let label = self.argument()?;
                self.unread(&if bare { format!("\\qquad\\text{{{label}}}") } else { format!("\\qquad\\text{{({label})}}") });
                Ok(())
            }
            "hspace" => {
                self.star();
                self.out.push_str("\\hspace");
                Ok(())
            }
            "mathchoice" => {
                let choices = [self.argument()?, self.argument()?, self.argument()?, self.argument()?];
                self.unread(&choices[usize::from(!self.display)]);
                Ok(())
            }
            "unicode" | "char" => self.character(),
            "verb" => self.verbatim(),
            "left" | "right" | "middle" => {
                self.out.push('\\');
                self.out.push_str(&name);
                self.angle();
                Ok(())
            }
            _ => {
                match name.as_str() {
                    "begin" => self.environments += 1,
                    "end" => self.environments = self.environments.saturating_sub(1),
                    "\\" => self.breaks |= self.environments == 0 && self.groups.len() == 1,
                    _ => {}
                }
                self.out.push('\\');
                self.out.push_str(&name);
                // a letter that follows must not become part of the name
                if name.ends_with(|c: char| c.is_ascii_alphabetic()) && self.rest.last().is_some_and(char::is_ascii_alphabetic) {
                    self.out.push(' ');
                }
                Ok(())
            }
        }
    }

    /// The name of a command, after its backslash; spaces after a name of letters belong to it.
    fn name(&mut self) -> String {
        let mut name = String::new();
        while let Some(c) = self.rest.pop_if(|c| c.is_ascii_alphabetic()) {
            name.push(c);
        }
        if name.is_empty() {
            name.extend(self.rest.pop());
        } else {
            self.spaces();
        }
        name
    }

    fn spaces(&mut self) {
        while self.rest.pop_if(|c| c.is_whitespace()).is_some() {}
    }

    fn star(&mut self) -> bool {
        self.rest.pop_if(|c| *c == '*').is_some()
    }

    /// An argument: what stands in braces (without them), a command, or one character.
    fn argument(&mut self) -> Result<String, String> {
        self.spaces();
        match self.rest.pop() {
            Some('{') => self.until_closed('{', '}'),
            Some('\\') => Ok(format!("\\{} ", self.name())),
            Some(c) => Ok(c.to_string()),
            None => Err("an argument is missing".to_owned()),
        }
    }

    /// `[…]`, if it stands here.
    fn optional(&mut self) -> Option<String> {
        self.spaces();
        self.rest.pop_if(|c| *c == '[')?;
        self.until_closed('[', ']').ok()
    }

    fn until_closed(&mut self, open: char, close: char) -> Result<String, String> {
        let mut out = String::new();
        let mut depth = 1;
        while let Some(c) = self.rest.pop() {
            if c == '\\' {
                out.push(c);
                out.extend(self.rest.pop());
                continue;
            }
            depth = if c == open {
                depth + 1
            } else if c == close {
                depth - 1
            } else {
                depth
            };
            if depth == 0 {
                return Ok(out);
            }
            out.push(c);
        }
        Err(format!("a `{open}` is not closed"))
    }

    /// Puts a macro's body, with its arguments read from here, before what is still to be read.
    fn substitute(&mut self, body: &str, parameters: usize) -> Result<(), String> {
        self.uses += 1;
        if self.uses > MOST_USES {
            return Err("its macros never end".to_owned());
        }
        let mut arguments = Vec::with_capacity(parameters);
        for _ in 0..parameters {
            arguments.push(self.argument()?);
        }
        let mut out = String::with_capacity(body.len());
        let mut pieces = body.split('#');
        out.push_str(pieces.next().unwrap_or_default());
        for piece in pieces {
            let number = piece.chars().next().and_then(|digit| digit.to_digit(10)).map_or(0, |digit| digit as usize);
            match arguments.get(number.wrapping_sub(1)) {
                Some(argument) => {
                    out.push_str(argument);
                    out.push_str(&piece[1..]);
                }
                None => {
                    out.push('#');
                    out.push_str(piece);
                }
            }
            if out.len() > LARGEST {
                return Err("its macros grow too large".to_owned());
            }
        }
        self.unread(&out);
        Ok(())
    }

    fn use_macro(&mut self, index: usize) -> Result<(), String> {
        let Macro { parameters, body, .. } = &self.macros[index];
        let (parameters, body) = (*parameters, body.clone());
        self.substitute(&body, parameters)
    }

    /// `\newcommand{\name}[2]{body}`.
    fn new_command(&mut self) -> Result<(), String> {
        self.star();
        let name = self.argument()?.trim().trim_start_matches('\\').to_owned();
        let parameters = self.optional().and_then(|count| count.trim().parse().ok()).unwrap_or(0);
        if self.optional().is_some() {
            return Err("a macro with an optional argument".to_owned());
        }
        let body = self.argument()?;
        self.add(name, parameters, body)
    }

    /// `\def\name#1#2{body}`.
    fn define(&mut self) -> Result<(), String> {
        self.spaces();
        self.rest.pop_if(|c| *c == '\\').ok_or("a definition without a name")?;
        let name = self.name();
        let mut parameters = 0;
        while let Some(c) = self.rest.pop_if(|c| *c != '{') {
            parameters += usize::from(c == '#');
        }
        let body = self.argument()?;
        self.add(name, parameters, body)
    }

    fn declare_operator(&mut self) -> Result<(), String> {
        let star = if self.star() { "*" } else { "" };
        let name = self.argument()?.trim().trim_start_matches('\\').to_owned();
        let body = self.argument()?;
        self.add(name, 0, format!("\\operatorname{star}{{{body}}}"))
    }

    fn add(&mut self, name: String, parameters: usize, body: String) -> Result<(), String> {
        if name.is_empty() || parameters > 9 || self.macros.len() > 200 {
            return Err("a definition that is not understood".to_owned());
        }
        self.macros.push(Macro { name, parameters, body });
        Ok(())
    }

    /// `\text{a $x$ \textbf{b}}`: the parser takes an argument of text as it stands, so it gets plain pieces; math and commands between
    /// them are expanded.
    fn text(&mut self, name: &str) -> Result<(), String> {
        let text = self.argument()?;
        if self.depth == DEEPEST_TEXT {
            return Err("it is nested too deeply".to_owned());
        }
        let mut inner = Self { macros: std::mem::take(&mut self.macros), uses: self.uses, ..Self::over(&text, self.depth + 1) };
        let mut plain = String::new();
        while let Some(c) = inner.rest.pop() {
            let math = match c {
                '{' | '}' => continue,
                '$' => inner.until('$'),
                '\\' => {
                    let command = inner.name();
                    match command.as_str() {
                        "" | " " | "\\" => {
                            plain.push(' ');
                            continue;
                        }
                        symbol if symbol.len() == 1 && KEPT.contains(symbol) => {
                            plain.extend(symbol.chars().map(kept));
                            continue;
                        }
                        other if TEXTS.contains(&other) => format!("\\{other}{{{}}}", inner.argument()?),
                        other => format!("\\{other} "),
                    }
                }
                c => {
                    plain.push(kept(c));
                    continue;
                }
            };
            inner.piece(name, &mut plain);
            let mut between = Self { macros: inner.macros, uses: inner.uses, ..Self::over(&math, self.depth + 1) };
            between.run()?;
            (inner.macros, inner.uses) = (between.macros, between.uses);
            inner.out.push_str(&format!("{{{}}}", between.out));
        }
        inner.piece(name, &mut plain);
        (self.macros, self.uses) = (inner.macros, inner.uses);
        self.out.push_str(&inner.out);
        Ok(())
    }

    /// Writes a piece of plain text.
    fn piece(&mut self, command: &str, plain: &mut String) {
        if !plain.is_empty() {
            self.out.push_str(&format!("\\{command}{{{plain}}}"));
            plain.clear();
        }
    }

    fn until(&mut self, end: char) -> String {
        let mut out = String::new();
        while let Some(c) = self.rest.pop().filter(|c| *c != end) {
            out.push(c);
        }
        out
    }

    /// `\unicode{x263a}`.
    fn character(&mut self) -> Result<(), String> {
        let code = self.argument()?;
        let code = code.trim();
        let number = match code.strip_prefix(['x', 'X', '"']) {
            Some(hex) => u32::from_str_radix(hex, 16).ok(),
            None => code.parse().ok(),
        };
        let c = number.and_then(char::from_u32).filter(|c| !c.is_control()).ok_or("a character that does not exist")?;
        self.piece("text", &mut kept(c).to_string());
        Ok(())
    }

    /// `\verb|…|`.
    fn verbatim(&mut self) -> Result<(), String> {
        let end = self.rest.pop().ok_or("`\\verb` without text")?;
        let mut plain: String = self.until(end).chars().map(kept).collect();
        self.piece("texttt", &mut plain);
        Ok(())
    }

    /// `\left<`: an angle, not a relation.
    fn angle(&mut self) {
        match self.rest.last() {
            Some('<') => {
                self.rest.pop();
                self.out.push_str("\\langle ");
            }
            Some('>') => {
                self.rest.pop();
                self.out.push_str("\\rangle ");
            }
            Some(c) if c.is_ascii_alphabetic() => self.out.push(' '),
            _ => {}
        }
    }
}
