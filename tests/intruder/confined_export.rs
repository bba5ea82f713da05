//! `offprint export --confine`, watched from outside: the process that reads the source is in a namespace of its own.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Pages of the site: enough for the process to be seen.
const PAGES: usize = 300;
/// How often it is started, in case it ends between two looks.
const ATTEMPTS: usize = 5;

/// Whether an export that is confined has the map of one user, which only a user namespace of its own has. Nothing if
/// the export fails.
pub(super) fn has_namespace(program: &Path, folder: &Path) -> Result<bool, String> {
    let source = folder.join("site");
    fs::create_dir_all(&source).map_err(|error| error.to_string())?;
    for page in 0..PAGES {
        let text = format!("# Page {page}\n\n{}", "Some words of a page. ".repeat(200));
        fs::write(source.join(format!("page-{page}.md")), text).map_err(|error| error.to_string())?;
    }
    let own = fs::read_to_string("/proc/self/uid_map").map_err(|error| error.to_string())?;
    for attempt in 0..ATTEMPTS {
        let output = folder.join(format!("site-{attempt}.zip"));
        let mut command = Command::new(program);
        command.arg("export").arg(&source).args(["--offline", "--confine", "-o"]).arg(&output);
        let mut export = command
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("the export does not start: {error}"))?;
        let mut has_namespace = false;
        let status = loop {
            if let Some(status) = export.try_wait().map_err(|error| error.to_string())? {
                break status;
            }
            has_namespace |= started_by(export.id()).iter().any(|process| {
                let about = |file: &str| fs::read_to_string(format!("/proc/{process}/{file}")).unwrap_or_default();
                // the trial before it is not meant
                about("cmdline").contains("--confined") && !["", own.trim()].contains(&about("uid_map").trim())
            });
            std::thread::sleep(Duration::from_millis(1));
        };
        if !status.success() || !output.is_file() {
            return Err(format!("the export has failed: {status}"));
        }
        if has_namespace {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The processes that any thread of a process has started.
fn started_by(process: u32) -> Vec<String> {
    let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let children = threads.map(|thread| fs::read_to_string(thread.path().join("children")).unwrap_or_default());
    children.flat_map(|text| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>()).collect()
}
