//! Processor time of the running thread: what a script takes, however busy the machine is.

use std::time::{Duration, Instant};

/// A span of time that runs only between [`ScriptClock::start`] and [`ScriptClock::stop`].
#[derive(Debug)]
pub(super) struct ScriptClock {
    left: Duration,
    started: Option<Started>,
}

#[derive(Debug)]
struct Started {
    /// The processor time of the thread when the span began.
    at: Duration,
    /// Before this the span cannot be over: no thread has more processor time than time passes.
    ask_at: Instant,
}

impl ScriptClock {
    pub(super) fn new(span: Duration) -> Self {
        Self { left: span, started: None }
    }

    pub(super) fn start(&mut self) {
        self.started = Some(Started { at: thread_time(), ask_at: Instant::now() + self.left });
    }

    pub(super) fn stop(&mut self) {
        if let Some(started) = self.started.take() {
            self.left = self.left.saturating_sub(thread_time().saturating_sub(started.at));
        }
    }

    /// Whether the span is over.
    pub(super) fn is_over(&mut self) -> bool {
        let Some(started) = &mut self.started else { return self.left.is_zero() };
        let now = Instant::now();
        if now < started.ask_at {
            return false;
        }
        let left = self.left.saturating_sub(thread_time().saturating_sub(started.at));
        started.ask_at = now + left;
        left.is_zero()
    }
}

#[cfg(any(target_os = "linux", target_os = "macos"))]
fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(u64::try_from(time.tv_sec).unwrap_or_default(), u32::try_from(time.tv_nsec).unwrap_or_default())
}

/// Where the system has no clock of a thread, the time that has passed.
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn thread_time() -> Duration {
    static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    START.elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_work_between_start_and_stop_counts() {
        let mut clock = ScriptClock::new(Duration::from_millis(30));
        clock.start();
        std::thread::sleep(Duration::from_millis(40));
        assert!(!clock.is_over() || cfg!(not(any(target_os = "linux", target_os = "macos"))));
        clock.stop();
        let mut rounds = 0_u64;
        clock.start();
        while !clock.is_over() {
            rounds += 1;
        }
        assert!(rounds > 0);
    }
}
