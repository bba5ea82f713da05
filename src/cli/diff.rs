//! `offprint diff`.

use std::path::PathBuf;

use serde::Serialize;

use bundle::diff::{Difference, PageDifference, diff};
use bundle::reader::BundleReader;

use super::trust::AnswerArg;
use super::{Exit, answer_json, grouped, harmless, no_answer, plural, print_answer};

pub(super) const ABOUT: &str = "\
List the pages that were added, changed and removed between two bundles.

Compares the digests in the manifests; both bundles are archives or folders. Pages in which only names of shared files \
differ (they contain digests) are counted separately.";

pub(super) const NOTES: &str = "\
Examples:
  offprint diff old.zip new.zip
  offprint diff old.zip new.zip --format json | jq -r '.pages.added[].file'

Exit codes:
  0  the same files
  1  different
  2  one of the two is not a usable bundle";

/// `offprint diff`.
#[derive(Debug, clap::Args)]
pub(super) struct DiffArgs {
    /// The earlier bundle
    pub(super) old: PathBuf,
    /// The later bundle
    pub(super) new: PathBuf,
    /// Output format
    #[arg(short, long, value_name = "FORMAT", default_value = "text", hide_default_value = true)]
    pub(super) format: AnswerArg,
}

/// Other files that are named to people; the rest are counted.
const MAX_SHOWN_FILES: usize = 20;

/// What `--format json` prints.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct DiffReply<'a> {
    #[serde(flatten)]
    difference: &'a Difference,
    exit_code: u8,
}

/// Compares two bundles and says what differs.
pub(super) fn run_diff(arguments: &DiffArgs) -> Exit {
    let open = |path: &std::path::Path| BundleReader::open(path).map_err(|error| error.of(path));
    let compared = open(&arguments.old).and_then(|old| diff(&old, &open(&arguments.new)?));
    let difference = match compared {
        Ok(difference) => difference,
        Err(message) => return no_answer(arguments.format == AnswerArg::Json, &message, Exit::Unusable),
    };
    let exit = if difference.is_empty() { Exit::Done } else { Exit::Errors };
    match arguments.format {
        AnswerArg::Text => print_answer(format_difference(&difference), exit),
        AnswerArg::Json => answer_json(&DiffReply { difference: &difference, exit_code: exit as u8 }, exit),
    }
}

fn format_difference(difference: &Difference) -> String {
    let Difference { pages, only_shared_names, files } = difference;
    if difference.is_empty() {
        return "the same files".to_owned();
    }
    let count = |list: usize, what: &str| format!("{} {what}", grouped(list as u64));
    let summary = |added: usize, changed: usize, removed: usize| {
        [count(added, "added"), count(changed, "changed"), count(removed, "removed")].join(", ")
    };
    let mut lines = vec![format!("pages: {}", summary(pages.added.len(), pages.changed.len(), pages.removed.len()))];
    for (mark, pages) in [('+', &pages.added), ('~', &pages.changed), ('-', &pages.removed)] {
        lines.extend(pages.iter().map(|page| format_page_line(mark, page)));
    }
    if !only_shared_names.is_empty() {
        let number = plural(only_shared_names.len() as u64, "page");
        lines.push(format!("  {number} more changed only in the names of shared files"));
    }
    lines.push(format!("other files: {}", summary(files.added.len(), files.changed.len(), files.removed.len())));
    let marked = [('+', &files.added), ('~', &files.changed), ('-', &files.removed)];
    let all: Vec<String> =
        marked.iter().flat_map(|(mark, names)| names.iter().map(move |name| format!("{mark} {name}"))).collect();
    lines.extend(all.iter().take(MAX_SHOWN_FILES).cloned());
    if let Some(more) = all.len().checked_sub(MAX_SHOWN_FILES).filter(|more| *more > 0) {
        lines.push(format!("  and {}; `--format json` lists all", plural(more as u64, "more file")));
    }
    lines.iter().map(|line| harmless(line)).collect::<Vec<_>>().join("\n")
}

fn format_page_line(mark: char, page: &PageDifference) -> String {
    if page.title.is_empty() {
        format!("{mark} {}", page.file)
    } else {
        format!("{mark} {} ({})", page.file, page.title)
    }
}
