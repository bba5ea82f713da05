//! Where page scripts run: an embedded QuickJS without any host objects. Each page has an engine of its own, so that no
//! page can see or change another's, all memory is given back, and what a page meets does not depend on which pages its
//! thread had before. What a page may use is bounded: work, time, memory, stack and output.

use std::rc::Rc;
use std::sync::LazyLock;
use std::time::Duration;

use rquickjs::context::intrinsic;
use rquickjs::loader::bundle::{Bundle, ScaBundleData};
use rquickjs::module::WriteOptions;
use rquickjs::{Context, Ctx, Function, Module, Object, Persistent, Runtime};

use base::limits;

use super::meter::{Meter, QUESTION, ScriptLimit};
use super::{address, compile};

/// What the scripts of one page may use.
#[derive(Clone, Copy, Debug)]
pub struct ScriptBudget {
    /// Units of work, each some ten nanoseconds; counted, not measured, so that every machine gives the same.
    pub work: u64,
    /// The end in any case, in processor time: more than any machine needs for the work, if the work is what it looks
    /// like.
    pub time: Duration,
    /// Bytes.
    pub memory: usize,
    /// Bytes.
    pub stack: usize,
}

impl Default for ScriptBudget {
    fn default() -> Self {
        Self { work: 40_000_000, time: Duration::from_millis(1_000), memory: 32 << 20, stack: 512 << 10 }
    }
}

impl ScriptBudget {
    /// That of a page whose own text has so many bytes.
    pub fn of_page(source_bytes: usize) -> Self {
        let short = Self::default();
        let grown = |bound: usize| limits::grown(bound, source_bytes, limits::MOST_GROWTH);
        Self {
            work: grown(short.work as usize) as u64,
            time: Duration::from_millis(grown(short.time.as_millis() as usize) as u64),
            memory: limits::grown(short.memory, source_bytes, limits::MOST_HELD_GROWTH),
            stack: short.stack,
        }
    }
}

type Intrinsics = (
    intrinsic::Eval,
    intrinsic::Date,
    intrinsic::RegExpCompiler,
    intrinsic::RegExp,
    intrinsic::Json,
    intrinsic::Proxy,
    intrinsic::MapSet,
    intrinsic::Promise,
);

/// The name of the module that makes a realm.
const REALM: &str = "realm";

/// No modules.
const NOTHING: ScaBundleData<&[u8]> = &[];

/// What is evaluated in each realm, compiled by the engine once.
static BYTECODE: LazyLock<Result<ScaBundleData<&[u8]>, String>> = LazyLock::new(|| {
    let parts = [
        include_str!("realm/bounds.js"),
        include_str!("realm/fixed.js"),
        include_str!("realm/platform.js"),
        include_str!("realm/react.js"),
        include_str!("realm/render.js"),
    ];
    let source = format!("export default (meter, address, moment) => {{\n{}\nreturn run;\n}};", parts.concat());
    let source = compile::minify_module(&source).unwrap_or(source); // short names are read faster
    let runtime = Runtime::new().map_err(|error| error.to_string())?;
    let context = Context::custom::<Intrinsics>(&runtime).map_err(|error| error.to_string())?;
    let options = WriteOptions { strip_source: true, strip_debug: true, ..WriteOptions::default() };
    let bytes = context
        .with(|context| Module::declare(context, REALM, source)?.write(options))
        .map_err(|error| error.to_string())?;
    let bytes: &'static [u8] = bytes.leak();
    Ok(&*vec![(REALM, bytes)].leak())
});

/// The realm of one page.
pub struct Sandbox {
    // in this order they are given back
    run: Persistent<Function<'static>>,
    context: Context,
    runtime: Runtime,
    meter: Rc<Meter>,
}

impl std::fmt::Debug for Sandbox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sandbox").field("meter", &self.meter).finish_non_exhaustive()
    }
}

impl Sandbox {
    /// A fresh realm. `moment`: the time of its clock, seconds since 1970.
    ///
    /// # Errors
    /// The engine does not start.
    pub fn new(budget: ScriptBudget, moment: u64) -> Result<Self, String> {
        let code = BYTECODE.as_ref().map_err(Clone::clone)?;
        let meter = Meter::new(budget.work, budget.time);
        let start = || -> rquickjs::Result<Self> {
            let runtime = Runtime::new()?;
            runtime.set_max_stack_size(budget.stack);
            // no collection while a page runs: cycles go with the engine. (QuickJS 0.16 collects while it throws that
            // memory is out, and crashes if an object was just then growing.)
            runtime.set_gc_threshold(usize::MAX);
            runtime.set_loader(Bundle(*code), Bundle(*code));
            let context = Context::custom::<Intrinsics>(&runtime)?;
            let run = context.with(|context| {
                let realm: Object<'_> = Module::import(&context, REALM)?.finish()?;
                let take = meter.function(&context)?;
                let addresses = Function::new(context.clone(), |operation: String, text: String, more: String| {
                    address::answer_url_call(&operation, &text, &more)
                })?;
                let run: Function<'_> =
                    realm.get::<_, Function<'_>>("default")?.call((take, addresses, moment as f64 * 1000.0))?;
                Ok::<_, rquickjs::Error>(Persistent::save(&context, run))
            })?;
            runtime.set_loader(Bundle(NOTHING), Bundle(NOTHING));
            runtime.set_memory_limit(budget.memory);
            let interrupt_meter = meter.clone();
            runtime.set_interrupt_handler(Some(Box::new(move || !interrupt_meter.take(QUESTION))));
            Ok(Self { run, context, runtime, meter: meter.clone() })
        };
        start().map_err(|error| format!("the JavaScript engine does not start: {error}"))
    }

    /// Evaluates a module: `code` is its factory, guarded; `names` and `stars` say what it is given. The result is
    /// JSON: statements that failed, as `[[names, reason, line], …]`.
    ///
    /// # Errors
    /// What the module threw, or which limit it met.
    pub fn load(&self, id: u32, code: &str, names: &str, stars: &str) -> Result<String, String> {
        self.with(|context, run| run.call(("load", id, context.eval::<Function<'_>, _>(code)?, names, stars)))
    }

    /// Renders a component of a module: the result as JSON.
    ///
    /// # Errors
    /// As for [`Self::load`].
    pub fn component(&self, id: u32, name: &str, props: &str, children: &str) -> Result<String, String> {
        self.with(|_, run| run.call(("component", id, name, props, children)))
    }

    /// The value of a module's name, as JSON.
    ///
    /// # Errors
    /// As for [`Self::load`].
    pub fn value(&self, id: u32, name: &str) -> Result<String, String> {
        self.with(|_, run| run.call(("value", id, name)))
    }

    /// The value of an expression, as JSON: `code` is its factory, guarded; `names` are the values of its free names.
    ///
    /// # Errors
    /// As for [`Self::load`].
    pub fn expression(&self, code: &str, names: &str) -> Result<String, String> {
        self.with(|context, run| run.call(("expression", context.eval::<Function<'_>, _>(code)?, names)))
    }

    /// Which limit the page's scripts met: nothing runs any more.
    pub fn limit(&self) -> Option<ScriptLimit> {
        self.meter.limit()
    }

    /// Work done so far, in units of the budget.
    pub fn work(&self, budget: &ScriptBudget) -> u64 {
        budget.work - self.meter.left()
    }

    /// Memory in use, bytes.
    pub fn memory(&self) -> usize {
        usize::try_from(self.runtime.memory_usage().malloc_size).unwrap_or_default()
    }

    fn with(
        &self,
        run: impl for<'js> FnOnce(&Ctx<'js>, Function<'js>) -> rquickjs::Result<String>,
    ) -> Result<String, String> {
        if let Some(limit) = self.limit() {
            return Err(limit.to_string());
        }
        let result = self.meter.timed(|| {
            self.context.with(|context| {
                let function = self.run.clone().restore(&context)?;
                run(&context, function).inspect_err(|_| {
                    context.catch(); // or the next call would find it
                })
            })
        });
        match (result, self.limit()) {
            (_, Some(limit)) => Err(limit.to_string()),
            (Ok(text), None) => match text.strip_prefix('!') {
                Some(reason) => Err(reason.to_owned()),
                None => Ok(text),
            },
            // with no memory left there is no message either
            (Err(rquickjs::Error::Exception), None) => Err("it took too much memory".to_owned()),
            (Err(error), None) => Err(error.to_string()),
        }
    }
}
