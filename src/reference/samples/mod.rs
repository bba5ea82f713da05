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

use site::sample_language::{SampleLanguage, SampleWriter};

use super::request::SampleRequest;

/// The source text that sends a request, without a line end at its end.
pub(crate) fn write_sample(language: &SampleLanguage, request: &SampleRequest) -> String {
    // several languages keep headers in a map: repeated ones are joined as HTTP allows
    let mut joined = request.clone();
    joined.headers.clear();
    for (name, value) in &request.headers {
        match joined.headers.iter_mut().find(|(known, _)| known.eq_ignore_ascii_case(name)) {
            Some((_, values)) => *values = format!("{values}, {value}"),
            None => joined.headers.push((name.clone(), value.clone())),
        }
    }
    let write = match language.writer {
        SampleWriter::CLibcurl => c::libcurl,
        SampleWriter::CppCpr => c::cpr,
        SampleWriter::CSharpHttpClient => dotnet::http_client,
        SampleWriter::Curl => curl::curl_sample,
        SampleWriter::Dart => dart::dart_sample,
        SampleWriter::DotnetRestSharp => dotnet::rest_sharp,
        SampleWriter::Go => go::go_sample,
        SampleWriter::Java => java::java_sample,
        SampleWriter::JavaScriptFetch => fetch::javascript,
        SampleWriter::Kotlin => kotlin::kotlin_sample,
        SampleWriter::NodeFetch => fetch::node,
        SampleWriter::Php => php::php_sample,
        SampleWriter::PowerShell => powershell::powershell_sample,
        SampleWriter::Python => python::python_sample,
        SampleWriter::Ruby => ruby::ruby_sample,
        SampleWriter::Rust => rust::rust_sample,
        SampleWriter::Swift => swift::swift_sample,
        SampleWriter::TypeScriptFetch => fetch::typescript,
    };
    let mut text = write(&joined);
    text.truncate(text.trim_end_matches('\n').len());
    text
}
