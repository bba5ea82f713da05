//! Where page scripts run: an embedded QuickJS without any host objects. One runtime for each thread, started when a page
//! first needs it; a fresh realm for each page, so that no page can see or change another's. What a page may use is
//! bounded: steps, time, memory, stack and output.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use rquickjs::context::intrinsic;
use rquickjs::{CatchResultExt, CaughtError, Context, Ctx, Function, Object, Runtime};

/// What the scripts of one page may use.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Times that the engine asks whether to go on: each stands for some ten thousand calls and loop rounds, on every machine.
    pub steps: u32,
    /// The end in any case. Larger than any machine needs for the steps, so that results do not depend on it.
    pub time: Duration,
    /// Bytes.
    pub memory: usize,
    /// Bytes.
    pub stack: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Self { steps: 2_000, time: Duration::from_millis(1_500), memory: 32 << 20, stack: 1 << 20 }
    }
}

type Intrinsics =
    (intrinsic::Eval, intrinsic::Date, intrinsic::RegExpCompiler, intrinsic::RegExp, intrinsic::Json, intrinsic::Proxy, intrinsic::MapSet, intrinsic::Promise);

/// The prelude, without its comments.
static PRELUDE: LazyLock<String> = LazyLock::new(|| {
    let source = include_str!("prelude.js");
    super::compile::minify(source).unwrap_or_else(|| source.to_owned())
});

/// What a thread's runtime counts while a script runs.
#[derive(Debug)]
struct Meter {
    steps: Cell<u32>,
    until: Cell<Instant>,
    spent: Cell<bool>,
}

thread_local! {
    static ENGINE: RefCell<Option<(Runtime, Rc<Meter>)>> = const { RefCell::new(None) };
}

/// This thread's runtime.
fn engine() -> Option<(Runtime, Rc<Meter>)> {
    ENGINE.with_borrow_mut(|engine| {
        if engine.is_none() {
            let runtime = Runtime::new().ok()?;
            let meter = Rc::new(Meter { steps: Cell::new(0), until: Cell::new(Instant::now()), spent: Cell::new(false) });
            let watched = meter.clone();
            runtime.set_interrupt_handler(Some(Box::new(move || {
                watched.steps.set(watched.steps.get().saturating_sub(1));
                let over = watched.steps.get() == 0 || Instant::now() > watched.until.get();
                watched.spent.set(watched.spent.get() || over);
                over
            })));
            *engine = Some((runtime, meter));
        }
        engine.clone()
    })
}

/// The realm of one page.
pub struct Sandbox {
    context: Context,
    meter: Rc<Meter>,
    budget: Budget,
}

impl std::fmt::Debug for Sandbox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sandbox").field("budget", &self.budget).finish_non_exhaustive()
    }
}

impl Sandbox {
    /// A fresh realm with the prelude in it.
    ///
    /// # Errors
    /// The engine does not start.
    pub fn new(budget: Budget) -> Result<Self, String> {
        let (runtime, meter) = engine().ok_or("the JavaScript engine does not start")?;
        runtime.set_memory_limit(budget.memory);
        runtime.set_max_stack_size(budget.stack);
        meter.steps.set(budget.steps);
        meter.until.set(Instant::now() + budget.time);
        meter.spent.set(false);
        let context = Context::custom::<Intrinsics>(&runtime).map_err(|error| error.to_string())?;
        let sandbox = Self { context, meter, budget };
        sandbox.with(|context| context.eval::<(), _>(PRELUDE.as_str()))?;
        Ok(sandbox)
    }

    /// Calls `$op.load` with a module's factory.
    ///
    /// # Errors
    /// What the module threw, or which limit it met.
    pub fn load(&self, id: u32, code: &str, names: &str, stars: &str) -> Result<(), String> {
        self.with(|context| {
            let factory: Function<'_> = context.eval(code)?;
            operation(&context, "load")?.call((id, factory, names, stars))
        })
    }

    /// Calls `$op.component`: the result as JSON.
    ///
    /// # Errors
    /// As for [`Self::load`].
    pub fn component(&self, id: u32, name: &str, props: &str, children: &str) -> Result<String, String> {
        self.with(|context| operation(&context, "component")?.call((id, name, props, children)))
    }

    /// Calls `$op.value`: the result as JSON.
    ///
    /// # Errors
    /// As for [`Self::load`].
    pub fn value(&self, id: u32, name: &str) -> Result<String, String> {
        self.with(|context| operation(&context, "value")?.call((id, name)))
    }

    /// Calls `$op.expression` with an expression's factory: the result as JSON.
    ///
    /// # Errors
    /// As for [`Self::load`].
    pub fn expression(&self, code: &str, names: &str) -> Result<String, String> {
        self.with(|context| {
            let factory: Function<'_> = context.eval(code)?;
            operation(&context, "expression")?.call((factory, names))
        })
    }

    fn with<T>(&self, run: impl for<'js> FnOnce(Ctx<'js>) -> rquickjs::Result<T>) -> Result<T, String> {
        if self.meter.spent.get() {
            return Err(self.limit());
        }
        self.context.with(|context| run(context.clone()).catch(&context).map_err(|error| self.reason(&error)))
    }

    fn limit(&self) -> String {
        "the scripts of this page took too many steps".to_owned()
    }

    fn reason(&self, error: &CaughtError<'_>) -> String {
        if self.meter.spent.get() {
            return self.limit();
        }
        let text = match error {
            CaughtError::Exception(exception) => {
                let name: Option<String> = exception.as_object().get("name").ok();
                let message = exception.message().unwrap_or_default();
                match name.filter(|name| name != "Error" && name != "InternalError") {
                    Some(name) => format!("{name}: {message}"),
                    None => message,
                }
            }
            // with no memory left there is no error object either
            CaughtError::Value(value) if value.is_null() => "it took too much memory".to_owned(),
            CaughtError::Value(value) => value.as_string().and_then(|text| text.to_string().ok()).map_or_else(|| "it threw a value".to_owned(), |text| format!("it threw {text:?}")),
            CaughtError::Error(error) => error.to_string(),
        };
        let line = text.lines().next().unwrap_or_default();
        line.chars().take(200).collect()
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        // what the page left behind is in cycles: modules and their functions
        self.meter.spent.set(false);
        self.meter.steps.set(u32::MAX);
    }
}

fn operation<'js>(context: &Ctx<'js>, name: &str) -> rquickjs::Result<Function<'js>> {
    context.globals().get::<_, Object<'js>>("$op")?.get(name)
}
