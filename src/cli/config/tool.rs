//! `--from`, and what commands say of the documentation tools whose repositories are read.

use load::tool::Tool;

/// Checks the name of a documentation tool.
///
/// # Errors
/// A sentence that names those there are.
pub fn tool(text: &str) -> Result<&'static str, String> {
    import::tool_by_name(text).map(|tool| tool.name())
}

/// `--from`: the tool whose repository the source is.
#[derive(Clone, Debug, clap::Args)]
pub struct ToolFlag {
    /// Read the source as the repository of a documentation tool
    #[arg(long, value_name = "TOOL", value_parser = tool, long_help = long_help())]
    pub from: Option<&'static str>,
}

fn long_help() -> String {
    let names: Vec<&str> = ["mintlify"].into_iter().chain(import::readable_tools().map(Tool::name)).collect();
    format!(
        "Read the source as the repository of a documentation tool\n\n\
         By default its files say which: {}. `plain` reads any folder of Markdown as it is.",
        one_of(&names)
    )
}

/// The names of the tools for people, between commas.
pub(crate) fn tool_titles() -> String {
    import::readable_tools().map(Tool::title).collect::<Vec<_>>().join(", ")
}

/// The same, with `or` before the last one.
pub(crate) fn any_tool_title() -> String {
    one_of(&import::readable_tools().map(Tool::title).collect::<Vec<_>>())
}

fn one_of(words: &[&str]) -> String {
    match words.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => words.concat(),
    }
}
