//! Source text, line by line.

/// Source text that grows by indented lines.
pub(super) struct SampleCode {
    text: String,
    /// One step of indentation.
    unit: &'static str,
    depth: usize,
}

impl SampleCode {
    /// No lines yet; `unit` is one step of indentation.
    pub(super) fn new(unit: &'static str) -> Self {
        Self { text: String::new(), unit, depth: 0 }
    }

    /// Adds a line. Line breaks within it belong to literals: what follows them is not indented.
    pub(super) fn line(&mut self, line: impl AsRef<str>) {
        let line = line.as_ref();
        if !line.is_empty() {
            self.text.push_str(&self.unit.repeat(self.depth));
            self.text.push_str(line);
        }
        self.text.push('\n');
    }

    /// Adds an empty line.
    pub(super) fn blank(&mut self) {
        self.line("");
    }

    /// Adds a line, and indents those that follow.
    pub(super) fn open(&mut self, line: impl AsRef<str>) {
        self.line(line);
        self.depth += 1;
    }

    /// Ends an indented part with a line.
    pub(super) fn close(&mut self, line: impl AsRef<str>) {
        self.depth = self.depth.saturating_sub(1);
        self.line(line);
    }

    /// The text.
    pub(super) fn finish(self) -> String {
        self.text
    }
}

/// Indents all lines but the first and empty ones.
pub(super) fn hang(text: &str, indent: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            out.push('\n');
            if !line.is_empty() {
                out.push_str(indent);
            }
        }
        out.push_str(line);
    }
    out
}
