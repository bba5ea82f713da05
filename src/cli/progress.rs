//! What can be seen while an export runs: a bar, lines, or events for programs.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use serde::Serialize;

use base::Diagnostic;
use export::ExportEvent;

use super::{grouped, print, tell};

/// `--progress`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ProgressArg {
    /// A bar on a terminal, lines elsewhere
    Auto,
    /// A line every two seconds
    Plain,
    /// Events for programs, on standard output
    Json,
    /// Diagnostics only
    None,
}

/// Programs get at most ten events of progress a second, logs a line every two seconds.
const EVENT_INTERVAL: Duration = Duration::from_millis(100);
const LINE_INTERVAL: Duration = Duration::from_secs(2);
/// Diagnostics that are kept to be shown if the export fails before its report.
const MAX_BUFFERED: usize = 1000;

/// Takes the events of an export, from any thread.
pub(super) struct ProgressPrinter {
    shape: ProgressShape,
    state: Mutex<PrinterState>,
    /// An event could not be written.
    lost: AtomicBool,
}

enum ProgressShape {
    Bar(ProgressBar),
    Lines,
    Json,
    Nothing,
}

struct PrinterState {
    stage: &'static str,
    done: u64,
    shown: Option<Instant>,
    diagnostics: Vec<Diagnostic>,
}

/// An event as programs read it; the shapes are in the help of `export`.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
enum ProgressLine<'a> {
    Stage { name: &'a str, total: Option<u64> },
    Progress { done: u64, total: u64 },
    Diagnostic(&'a Diagnostic),
}

impl ProgressPrinter {
    pub(super) fn new(how: ProgressArg) -> Self {
        let shape = match how {
            ProgressArg::Auto if std::io::stderr().is_terminal() => ProgressShape::Bar(bar()),
            ProgressArg::Auto | ProgressArg::Plain => ProgressShape::Lines,
            ProgressArg::Json => ProgressShape::Json,
            ProgressArg::None => ProgressShape::Nothing,
        };
        Self {
            shape,
            state: Mutex::new(PrinterState { stage: "", done: 0, shown: None, diagnostics: Vec::new() }),
            lost: AtomicBool::new(false),
        }
    }

    /// Whether a program reads standard output.
    pub(super) fn is_json(&self) -> bool {
        matches!(self.shape, ProgressShape::Json)
    }

    /// Whether no summary is printed.
    pub(super) fn is_quiet(&self) -> bool {
        matches!(self.shape, ProgressShape::Nothing | ProgressShape::Json)
    }

    /// Shows an event, or does not if the one before it is too fresh.
    pub(super) fn event(&self, event: ExportEvent) {
        let mut state = self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        match event {
            ExportEvent::Stage { name, total } => self.stage(&mut state, name, total),
            ExportEvent::Pages { done, total } => self.pages(&mut state, done, total),
            ExportEvent::Diagnostic(diagnostic) => {
                if self.is_json() {
                    self.emit(&ProgressLine::Diagnostic(&diagnostic));
                } else if state.diagnostics.len() < MAX_BUFFERED {
                    state.diagnostics.push(diagnostic);
                }
            }
        }
    }

    fn stage(&self, state: &mut PrinterState, name: &'static str, total: Option<u64>) {
        (state.stage, state.done, state.shown) = (name, 0, None);
        match &self.shape {
            ProgressShape::Bar(bar) => {
                bar.set_style(progress_style(total.is_some()));
                bar.set_length(total.unwrap_or(0));
                bar.set_position(0);
                bar.reset_eta();
                bar.set_message(task(name));
            }
            ProgressShape::Lines => {
                tell(total.map_or(task(name).to_owned(), |total| format!("{}: 0 of {}", task(name), grouped(total))))
            }
            ProgressShape::Json => self.emit(&ProgressLine::Stage { name, total }),
            ProgressShape::Nothing => {}
        }
    }

    fn pages(&self, state: &mut PrinterState, done: u64, total: u64) {
        // threads may overtake each other
        if done <= state.done {
            return;
        }
        state.done = done;
        let interval = match &self.shape {
            ProgressShape::Bar(bar) => {
                bar.set_length(total);
                bar.set_position(done);
                return;
            }
            ProgressShape::Lines => LINE_INTERVAL,
            ProgressShape::Json => EVENT_INTERVAL,
            ProgressShape::Nothing => return,
        };
        let now = Instant::now();
        let since = *state.shown.get_or_insert(now);
        if done < total && now.duration_since(since) < interval {
            return;
        }
        state.shown = Some(now);
        if self.is_json() {
            self.emit(&ProgressLine::Progress { done, total });
        } else {
            tell(format_args!("{}: {} of {}", task(state.stage), grouped(done), grouped(total)));
        }
    }

    /// Writes an event. After a failed write no others follow: the failure has been reported, by the
    /// exit code too.
    fn emit(&self, line: &ProgressLine<'_>) {
        if !self.is_lost() && !emit_json_line(line) {
            self.lost.store(true, Ordering::Relaxed);
        }
    }

    /// Whether an event could not be written.
    pub(super) fn is_lost(&self) -> bool {
        self.lost.load(Ordering::Relaxed)
    }

    /// Clears the bar and hands over the diagnostics that came by.
    pub(super) fn end(self) -> Vec<Diagnostic> {
        if let ProgressShape::Bar(bar) = &self.shape {
            bar.finish_and_clear();
        }
        self.state.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner).diagnostics
    }
}

/// Writes one line of JSON to standard output; whether it could be written.
pub(super) fn emit_json_line(line: &impl Serialize) -> bool {
    serde_json::to_string(line).is_ok_and(print)
}

/// A stage as a reader of the output knows it.
fn task(stage: &'static str) -> &'static str {
    match stage {
        "load" => "Reading the source",
        "anchors" => "Collecting headings",
        "theme" => "Preparing the theme",
        "pages" => "Writing pages",
        "search" => "Writing the search index",
        "utilities" => "Writing style sheets",
        "side" => "Writing the site map",
        "assets" => "Copying pictures",
        "finish" => "Closing the bundle",
        _ => stage,
    }
}

fn bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
    bar.set_style(progress_style(false));
    bar.enable_steady_tick(EVENT_INTERVAL);
    bar
}

/// What a bar shows: `PAGES` if the steps can be counted, else `STAGE`.
const PAGES: &str = "{spinner} {msg:<24} {bar:32} {human_pos} of {human_len}, {rate} a second, {elapsed}";
const STAGE: &str = "{spinner} {msg:<24} {elapsed}";

fn progress_style(counted: bool) -> ProgressStyle {
    let style = ProgressStyle::with_template(if counted { PAGES } else { STAGE })
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    let rate = |state: &ProgressState, out: &mut dyn std::fmt::Write| {
        let _ = out.write_str(&grouped(state.per_sec() as u64));
    };
    style.with_key("rate", rate).progress_chars("━╸─").tick_chars("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏ ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_templates_are_well_formed() {
        assert!(ProgressStyle::with_template(PAGES).is_ok() && ProgressStyle::with_template(STAGE).is_ok());
        progress_style(true);
        progress_style(false);
    }

    #[test]
    fn events_have_the_documented_shapes() {
        let shape = |line: &ProgressLine<'_>| serde_json::to_string(line).unwrap();
        assert_eq!(
            shape(&ProgressLine::Stage { name: "pages", total: None }),
            r#"{"event":"stage","name":"pages","total":null}"#
        );
        assert_eq!(
            shape(&ProgressLine::Progress { done: 4, total: 12 }),
            r#"{"event":"progress","done":4,"total":12}"#
        );
        let diagnostic = Diagnostic::warning("broken-link", "no page").at("a.mdx", 3, 9);
        assert_eq!(
            shape(&ProgressLine::Diagnostic(&diagnostic)),
            r#"{"event":"diagnostic","code":"broken-link","severity":"warning","message":"no page","file":"a.mdx","line":3,"column":9}"#
        );
    }

    #[test]
    fn diagnostics_are_kept_for_a_failure_but_not_without_end() {
        let progress = ProgressPrinter::new(ProgressArg::None);
        for _ in 0..2 * MAX_BUFFERED {
            progress.event(ExportEvent::Diagnostic(Diagnostic::warning("x", "y")));
        }
        assert_eq!(progress.end().len(), MAX_BUFFERED);
    }
}
