//! What a script may still use, counted while it runs: the engine asks in its interrupt handler, and what takes long
//! without such a question is counted by `realm/bounds.js` before it is done.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use rquickjs::{Ctx, Exception, Function};

use super::clock::ScriptClock;
use super::guard;

/// Work between two questions of the engine, each after 10,000 calls, rounds of loops or steps of a regular expression.
pub(super) const QUESTION: u64 = 100_000;
/// Work that stands for a batch of ticks.
const TICKS: u64 = 100;

/// A limit that scripts met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScriptLimit {
    /// All work is used: the same on every machine.
    Work,
    /// The time is over, before the work was: how far the scripts came depends on the machine.
    Time,
    /// Text grew too long.
    Text,
}

impl std::fmt::Display for ScriptLimit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Work => "the scripts of this page took too many steps",
            Self::Time => "the scripts of this page took too long",
            Self::Text => "the scripts of this page make too much text",
        })
    }
}

/// Counts the work and the processor time of one engine.
#[derive(Debug)]
pub(super) struct Meter {
    left: Cell<u64>,
    clock: RefCell<ScriptClock>,
    met: Cell<Option<ScriptLimit>>,
}

impl Meter {
    pub(super) fn new(work: u64, time: Duration) -> Rc<Self> {
        Rc::new(Self { left: Cell::new(work), clock: RefCell::new(ScriptClock::new(time)), met: Cell::new(None) })
    }

    /// Gives back what was used, for a new call.
    pub(super) fn refill(&self, work: u64, time: Duration) {
        self.left.set(work);
        self.clock.replace(ScriptClock::new(time));
        self.met.set(None);
    }

    /// Takes work, and says whether there is some left.
    pub(super) fn take(&self, work: u64) -> bool {
        let left = self.left.get().saturating_sub(work);
        self.left.set(left);
        if self.met.get().is_none() {
            if left == 0 {
                self.met.set(Some(ScriptLimit::Work));
            } else if self.clock.borrow_mut().is_over() {
                self.met.set(Some(ScriptLimit::Time));
            }
        }
        self.met.get().is_none()
    }

    pub(super) fn left(&self) -> u64 {
        self.left.get()
    }

    /// Which limit was met: nothing runs any more.
    pub(super) fn limit(&self) -> Option<ScriptLimit> {
        self.met.get()
    }

    /// Runs something while the clock runs.
    pub(super) fn timed<T>(&self, run: impl FnOnce() -> T) -> T {
        self.clock.borrow_mut().start();
        let result = run();
        self.clock.borrow_mut().stop();
        result
    }

    /// The function `meter` of `realm/bounds.js`.
    pub(super) fn function<'js>(self: &Rc<Self>, context: &Ctx<'js>) -> rquickjs::Result<Function<'js>> {
        let meter = Rc::clone(self);
        Function::new(context.clone(), move |context: Ctx<'_>, units: f64| {
            if units < 0.0 {
                meter.met.set(meter.met.get().or(Some(ScriptLimit::Text)));
            }
            match meter.take(TICKS + units.max(0.0) as u64) {
                true => Ok(guard::BATCH),
                false => Err(Exception::throw_internal(&context, "the scripts of this page met a limit")),
            }
        })
    }
}
