//! The command line: arguments to options, a call, what people and programs see, an exit code. The only place that prints.
