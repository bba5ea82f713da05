//! Samples: a request as source text of programming languages.
//!
//! [`write_sample`] writes what a developer of the language would: its usual HTTP client, its own literals for JSON,
//! and every value escaped for the literal that it stands in.

mod c;
mod code;
mod curl;
mod dart;
mod dotnet;
mod fetch;
mod go;
mod java;
mod kotlin;
mod literal;
mod native;
mod parts;
mod php;
mod powershell;
mod python;
mod ruby;
mod rust;
mod swift;
#[cfg(test)]
mod tests;

use super::request::SampleRequest;

/// A language, as the table has it.
struct LanguageRow {
    /// Its name in a configuration.
    key: &'static str,
    /// Other names, in lower case.
    aliases: &'static [&'static str],
    /// Its name for readers.
    label: &'static str,
    /// Its name for the highlighter.
    highlighter: &'static str,
    /// Whether it is shown where a site names no languages.
    default: bool,
    write: fn(&SampleRequest) -> String,
}

const fn language_row(
    key: &'static str,
    aliases: &'static [&'static str],
    label: &'static str,
    highlighter: &'static str,
    default: bool,
    write: fn(&SampleRequest) -> String,
) -> LanguageRow {
    LanguageRow { key, aliases, label, highlighter, default, write }
}

const LANGUAGES: [LanguageRow; 18] = [
    language_row("bash", &["curl", "sh", "shell"], "cURL", "bash", true, curl::curl_sample),
    language_row("python", &["py"], "Python", "python", true, python::python_sample),
    language_row("javascript", &["js"], "JavaScript", "javascript", true, fetch::javascript),
    language_row("node", &["nodejs", "node.js"], "Node.js", "javascript", false, fetch::node),
    language_row("php", &[], "PHP", "php", true, php::php_sample),
    language_row("go", &["golang"], "Go", "go", true, go::go_sample),
    language_row("java", &[], "Java", "java", true, java::java_sample),
    language_row("ruby", &["rb"], "Ruby", "ruby", true, ruby::ruby_sample),
    language_row("powershell", &[], "PowerShell", "powershell", false, powershell::powershell_sample),
    language_row("swift", &[], "Swift", "swift", false, swift::swift_sample),
    language_row("csharp", &["c#"], "C#", "csharp", false, dotnet::http_client),
    language_row("dotnet", &[".net", "dot-net"], ".NET", "csharp", false, dotnet::rest_sharp),
    language_row("typescript", &["ts"], "TypeScript", "typescript", false, fetch::typescript),
    language_row("c", &[], "C", "c", false, c::libcurl),
    language_row("c++", &["cpp"], "C++", "cpp", false, c::cpr),
    language_row("kotlin", &["kt"], "Kotlin", "kotlin", false, kotlin::kotlin_sample),
    language_row("rust", &["rs"], "Rust", "rust", false, rust::rust_sample),
    language_row("dart", &["flutter"], "Dart", "dart", false, dart::dart_sample),
];

/// A language that samples are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SampleLanguage(usize);

impl SampleLanguage {
    /// All languages.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        (0..LANGUAGES.len()).map(Self)
    }

    /// Those shown where a site names none, in this order.
    pub(crate) fn defaults() -> impl Iterator<Item = Self> {
        Self::all().filter(|language| language.row().default)
    }

    /// The language of a key or an alias, in any case.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        let name = name.trim().to_lowercase();
        LANGUAGES.iter().position(|row| row.key == name || row.aliases.contains(&name.as_str())).map(Self)
    }

    fn row(self) -> &'static LanguageRow {
        &LANGUAGES[self.0]
    }

    /// Its name in a configuration.
    #[cfg(test)]
    pub(crate) fn key(self) -> &'static str {
        self.row().key
    }

    /// Its name for readers.
    pub(crate) fn label(self) -> &'static str {
        self.row().label
    }

    /// Its name for the highlighter.
    pub(crate) fn highlighter(self) -> &'static str {
        self.row().highlighter
    }
}

/// The source text that sends a request, without a line end at its end.
pub(crate) fn write_sample(language: SampleLanguage, request: &SampleRequest) -> String {
    // several languages keep headers in a map: repeated ones are joined as HTTP allows
    let mut joined = request.clone();
    joined.headers.clear();
    for (name, value) in &request.headers {
        match joined.headers.iter_mut().find(|(known, _)| known.eq_ignore_ascii_case(name)) {
            Some((_, values)) => *values = format!("{values}, {value}"),
            None => joined.headers.push((name.clone(), value.clone())),
        }
    }
    let mut text = (language.row().write)(&joined);
    text.truncate(text.trim_end_matches('\n').len());
    text
}
