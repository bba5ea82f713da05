//! The programming languages of API samples: one row for each, which every stage reads.
//!
//! A new language is a row here, and its function in `reference/samples`.

/// A language that samples are written in.
#[derive(Debug, PartialEq, Eq)]
pub struct SampleLanguage {
    /// Its name in a configuration.
    pub key: &'static str,
    /// Other names in small letters, and spellings that editors shall offer.
    pub aliases: &'static [&'static str],
    /// Its name for readers.
    pub label: &'static str,
    /// Its name for the highlighter.
    pub highlighter: &'static str,
    /// Whether it is shown where a site names no languages.
    pub is_default: bool,
    /// What writes it.
    pub writer: SampleWriter,
}

/// The function of `reference/samples` that writes a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is the name of its language or client")]
pub enum SampleWriter {
    CLibcurl,
    CppCpr,
    CSharpHttpClient,
    Curl,
    Dart,
    DotnetRestSharp,
    Go,
    Java,
    JavaScriptFetch,
    Kotlin,
    NodeFetch,
    Php,
    PowerShell,
    Python,
    Ruby,
    Rust,
    Swift,
    TypeScriptFetch,
}

const fn sample_language(
    key: &'static str,
    aliases: &'static [&'static str],
    label: &'static str,
    highlighter: &'static str,
    is_default: bool,
    writer: SampleWriter,
) -> SampleLanguage {
    SampleLanguage { key, aliases, label, highlighter, is_default, writer }
}

/// All of them; those that are shown where a site names none stand in the order in which they are shown.
pub static SAMPLE_LANGUAGES: [SampleLanguage; 18] = [
    sample_language("bash", &["curl", "sh", "shell"], "cURL", "bash", true, SampleWriter::Curl),
    sample_language("python", &["py"], "Python", "python", true, SampleWriter::Python),
    sample_language("javascript", &["js"], "JavaScript", "javascript", true, SampleWriter::JavaScriptFetch),
    sample_language("node", &["nodejs", "node.js"], "Node.js", "javascript", false, SampleWriter::NodeFetch),
    sample_language("php", &[], "PHP", "php", true, SampleWriter::Php),
    sample_language("go", &["golang"], "Go", "go", true, SampleWriter::Go),
    sample_language("java", &[], "Java", "java", true, SampleWriter::Java),
    sample_language("ruby", &["rb"], "Ruby", "ruby", true, SampleWriter::Ruby),
    sample_language("powershell", &[], "PowerShell", "powershell", false, SampleWriter::PowerShell),
    sample_language("swift", &[], "Swift", "swift", false, SampleWriter::Swift),
    sample_language("csharp", &["c#"], "C#", "csharp", false, SampleWriter::CSharpHttpClient),
    sample_language("dotnet", &[".net", ".NET", "dot-net"], ".NET", "csharp", false, SampleWriter::DotnetRestSharp),
    sample_language("typescript", &["ts"], "TypeScript", "typescript", false, SampleWriter::TypeScriptFetch),
    sample_language("c", &[], "C", "c", false, SampleWriter::CLibcurl),
    sample_language("c++", &["cpp"], "C++", "cpp", false, SampleWriter::CppCpr),
    sample_language("kotlin", &["kt"], "Kotlin", "kotlin", false, SampleWriter::Kotlin),
    sample_language("rust", &["rs"], "Rust", "rust", false, SampleWriter::Rust),
    sample_language("dart", &["flutter"], "Dart", "dart", false, SampleWriter::Dart),
];

impl SampleLanguage {
    /// The language of a key or an alias, in any case.
    pub fn from_name(name: &str) -> Option<&'static Self> {
        let name = name.trim().to_lowercase();
        SAMPLE_LANGUAGES.iter().find(|row| row.key == name || row.aliases.contains(&name.as_str()))
    }

    /// Those shown where a site names none, in this order.
    pub fn defaults() -> impl Iterator<Item = &'static Self> {
        SAMPLE_LANGUAGES.iter().filter(|row| row.is_default)
    }

    /// Every name of every language, as a configuration may have it.
    pub fn names() -> impl Iterator<Item = &'static str> {
        SAMPLE_LANGUAGES.iter().flat_map(|row| [row.key].into_iter().chain(row.aliases.iter().copied()))
    }
}
