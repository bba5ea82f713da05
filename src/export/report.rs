//! How long the stages take. The only clock of an export; it reaches the report, never the bundle.

use std::time::Instant;

use super::Stage;

/// Measures stages that follow each other.
#[derive(Debug, Default)]
pub(super) struct Clock {
    stages: Vec<Stage>,
    started: Option<Instant>,
}

impl Clock {
    /// Ends the stage that runs and starts the next.
    pub(super) fn start(&mut self, name: &'static str) {
        self.stop();
        self.stages.push(Stage { name, ..Stage::default() });
        self.started = Some(Instant::now());
    }

    /// Adds what the threads of the current stage spent on its parts, as stages of their own without elapsed time.
    pub(super) fn busy(&mut self, parts: Vec<(&'static str, u64)>) {
        self.stop();
        for (name, busy_us) in parts {
            self.stages.push(Stage { name, busy_us: Some(busy_us), ..Stage::default() });
        }
    }

    /// Ends the last stage.
    pub(super) fn finish(mut self) -> Vec<Stage> {
        self.stop();
        self.stages
    }

    fn stop(&mut self) {
        if let (Some(started), Some(stage)) = (self.started.take(), self.stages.last_mut()) {
            stage.wall_ms = started.elapsed().as_secs_f64() * 1000.0;
        }
    }
}
