//! Vendored scripts as tools: an engine that loads one script and calls one function of it with strings. The scripts
//! are part of the program, but what they are given is not: memory, stack and steps are bounded, and a script sees
//! nothing but its arguments.

use std::rc::Rc;
use std::time::Duration;

use rquickjs::context::intrinsic;
use rquickjs::function::Args;
use rquickjs::{CatchResultExt, CaughtError, Context, Ctx, Function, Runtime, promise::MaybePromise};

use super::meter::{Meter, QUESTION};

/// What the language itself has, without `Date`, `performance` and timers: equal arguments give equal results.
type LanguageGlobals = (
    intrinsic::Eval,
    intrinsic::RegExpCompiler,
    intrinsic::RegExp,
    intrinsic::Json,
    intrinsic::MapSet,
    intrinsic::Proxy,
    intrinsic::TypedArrays,
    intrinsic::Promise,
    intrinsic::WeakRef,
);

/// The end of a call in any case, in milliseconds of processor time for each round: ten times what a round takes.
const ROUND_MILLIS: u64 = 10;

/// Stack of the engine, bytes: half of what the smallest thread that calls it has.
const STACK_BYTES: usize = 1 << 20;

/// A vendored script.
#[derive(Clone, Copy, Debug)]
pub struct VendoredScript {
    /// Its name in messages.
    pub name: &'static str,
    /// Its text: it defines one function of strings as a property of `globalThis`. It finds the function `meter` there,
    /// which takes work as in `realm/bounds.js`.
    pub source: &'static str,
    /// The name of that function.
    pub function: &'static str,
    /// Most memory that the engine may take, bytes.
    pub memory: usize,
    /// Most work of a call, in rounds of 10,000 steps of the engine; a round takes about a millisecond.
    pub rounds: u32,
}

impl VendoredScript {
    fn work(&self) -> u64 {
        u64::from(self.rounds.max(1)) * QUESTION
    }

    fn time(&self) -> Duration {
        Duration::from_millis(u64::from(self.rounds.max(1)) * ROUND_MILLIS)
    }
}

/// A script, loaded and ready. Belongs to its thread.
pub struct LoadedScript {
    context: Context,
    script: VendoredScript,
    /// The meter of the call that runs.
    meter: Rc<Meter>,
}

/// Why a call gave nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScriptFailure {
    /// The script says so.
    #[error("{0}")]
    Thrown(String),
    /// The bounds are reached. The tool's state is unknown: it must not be called again.
    #[error("it takes too long or too much memory")]
    Exhausted,
}

impl LoadedScript {
    /// Starts an engine and loads the script.
    ///
    /// # Errors
    /// No memory, or the script does not load.
    pub fn start(script: VendoredScript) -> Result<Self, ScriptFailure> {
        let broken = |error: rquickjs::Error| ScriptFailure::Thrown(format!("{}: {error}", script.name));
        let runtime = Runtime::new().map_err(broken)?;
        runtime.set_memory_limit(script.memory);
        runtime.set_max_stack_size(STACK_BYTES);
        let meter = Meter::new(u64::MAX, script.time());
        let left = Rc::clone(&meter);
        runtime.set_interrupt_handler(Some(Box::new(move || !left.take(QUESTION))));
        let context = Context::custom::<LanguageGlobals>(&runtime).map_err(broken)?;
        let tool = Self { context, script, meter };
        tool.context.with(|ctx| {
            let meter = tool.meter.function(&ctx).and_then(|meter| ctx.globals().set("meter", meter));
            meter.catch(&ctx).map_err(|error| tool.failure(&error))?;
            ctx.eval::<(), _>("delete Math.random").catch(&ctx).map_err(|error| tool.failure(&error))?;
            ctx.eval::<(), _>(script.source).catch(&ctx).map_err(|error| tool.failure(&error))
        })?;
        Ok(tool)
    }

    /// Calls the script's function; if it gives a promise, what that comes to.
    ///
    /// # Errors
    /// The script throws, or a bound is reached.
    pub fn call(&self, arguments: &[&str]) -> Result<String, ScriptFailure> {
        self.meter.refill(self.script.work(), self.script.time());
        let run =
            || self.context.with(|ctx| self.run(&ctx, arguments).catch(&ctx).map_err(|error| self.failure(&error)));
        let result = self.meter.timed(run);
        // a script that goes on after its end, and gives something
        if self.meter.limit().is_some() { Err(ScriptFailure::Exhausted) } else { result }
    }

    fn run(&self, ctx: &Ctx<'_>, arguments: &[&str]) -> rquickjs::Result<String> {
        let function: Function<'_> = ctx.globals().get(self.script.function)?;
        let mut args = Args::new(ctx.clone(), arguments.len());
        args.push_args(arguments.iter().copied())?;
        function.call_arg::<MaybePromise<'_>>(args)?.finish()
    }

    fn failure(&self, error: &CaughtError<'_>) -> ScriptFailure {
        let message = match error {
            _ if self.meter.limit().is_some() => return ScriptFailure::Exhausted,
            // the engine runs out of memory with `null`, where there is none left for an error
            CaughtError::Value(value) if value.is_null() => return ScriptFailure::Exhausted,
            CaughtError::Exception(exception) => exception.message().unwrap_or_default(),
            CaughtError::Error(rquickjs::Error::WouldBlock) => "it would wait for ever".to_owned(),
            other => other.to_string(),
        };
        if message == "out of memory" { ScriptFailure::Exhausted } else { ScriptFailure::Thrown(message) }
    }
}

impl std::fmt::Debug for LoadedScript {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LoadedScript").field("script", &self.script.name).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(source: &'static str, argument: &str, expect: Result<&str, ScriptFailure>) {
        let script = VendoredScript { name: "test", source, function: "f", memory: 8 << 20, rounds: 20 };
        let tool = LoadedScript::start(script).unwrap();
        // a second time: what a call leaves behind means nothing
        for _ in 0..2 {
            let result = tool.call(&[argument]);
            assert_eq!(
                result.as_deref().map_err(Clone::clone),
                expect.as_ref().map(|text| *text).map_err(Clone::clone),
                "{source}"
            );
            if result == Err(ScriptFailure::Exhausted) {
                break;
            }
        }
    }

    fn thrown(message: &str) -> Result<&'static str, ScriptFailure> {
        Err(ScriptFailure::Thrown(message.to_owned()))
    }

    #[test]
    fn a_function_of_strings_is_called() {
        check("globalThis.f = (a) => a + '!'", "é\u{1f600}", Ok("é\u{1f600}!"));
        check("globalThis.f = async (a) => { await 0; return a.toUpperCase() }", "x", Ok("X"));
    }

    #[test]
    fn what_goes_wrong_is_a_result() {
        check("globalThis.f = () => { throw new Error('no') }", "", thrown("no"));
        check("globalThis.f = async () => { throw new TypeError('later') }", "", thrown("later"));
        check("globalThis.f = () => nothing", "", thrown("nothing is not defined"));
        check("globalThis.f = () => f()", "", thrown("Maximum call stack size exceeded"));
        check("globalThis.f = () => { for (;;); }", "", Err(ScriptFailure::Exhausted));
        check("globalThis.f = () => { try { for (;;); } finally { return 'x' } }", "", Err(ScriptFailure::Exhausted));
        check(
            "globalThis.f = () => { const all = []; for (;;) all.push('x'.repeat(1e6) + all.length) }",
            "",
            Err(ScriptFailure::Exhausted),
        );
        check("globalThis.f = () => new Promise(() => {})", "", thrown("it would wait for ever"));
        check("globalThis.f = () => /(a*)*b/.test('a'.repeat(40))", "", Err(ScriptFailure::Exhausted));
        let script = VendoredScript { name: "test", source: "let", function: "f", memory: 8 << 20, rounds: 20 };
        assert!(matches!(LoadedScript::start(script), Err(ScriptFailure::Thrown(_))));
    }

    #[test]
    fn nothing_of_the_outside_is_there() {
        for name in [
            "Date",
            "performance",
            "setTimeout",
            "fetch",
            "require",
            "process",
            "std",
            "os",
            "console",
            "print",
            "Math.random",
        ] {
            let source: &'static str =
                Box::leak(format!("globalThis.f = () => String(typeof {name})").into_boxed_str());
            check(source, "", Ok("undefined"));
        }
    }
}
