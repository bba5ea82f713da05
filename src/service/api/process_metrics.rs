//! What the system counts of this process, under the names that Prometheus gives it, and which program it is.

use std::fmt::Write as _;
use std::fs;

/// Clock ticks of a second as `/proc` counts them: Linux has this value on all of its machines.
const TICKS_PER_SECOND: f64 = 100.0;

/// One metric: its name, its type, what it is, and its value.
type Metric = (&'static str, &'static str, &'static str, Option<f64>);

/// The lines. What the system does not say is left out.
pub(super) fn process_metrics() -> String {
    let mut out = format!(
        "# HELP offprint_build_info The program.\n# TYPE offprint_build_info gauge\noffprint_build_info{{version=\"{}\"}} 1\n",
        env!("CARGO_PKG_VERSION")
    );
    let read = |name: &str| fs::read_to_string(format!("/proc/self/{name}")).unwrap_or_default();
    let (stat, limits) = (Stat::parse(&read("stat")), read("limits"));
    let descriptors = fs::read_dir("/proc/self/fd").ok().map(|entries| entries.count() as f64);
    let metrics: [Metric; 7] = [
        (
            "process_cpu_seconds_total",
            "counter",
            "Time of the processor, seconds.",
            stat.as_ref().map(|stat| stat.cpu_seconds),
        ),
        (
            "process_start_time_seconds",
            "gauge",
            "When it began, seconds since 1970.",
            stat.as_ref().and_then(Stat::began),
        ),
        ("process_resident_memory_bytes", "gauge", "Memory that it holds.", resident_bytes(&read("status"))),
        (
            "process_virtual_memory_bytes",
            "gauge",
            "Addresses that it has mapped.",
            stat.as_ref().map(|stat| stat.virtual_bytes),
        ),
        ("process_threads", "gauge", "Its threads.", stat.as_ref().map(|stat| stat.threads)),
        ("process_open_fds", "gauge", "Files and connections that are open.", descriptors),
        ("process_max_fds", "gauge", "How many of them may be.", open_files_limit(&limits)),
    ];
    for (name, kind, about, value) in metrics {
        if let Some(value) = value {
            let _ = writeln!(out, "# HELP {name} {about}\n# TYPE {name} {kind}\n{name} {value}");
        }
    }
    out
}

/// Numbers of `/proc/self/stat`.
struct Stat {
    cpu_seconds: f64,
    threads: f64,
    /// Since the system began.
    began_seconds: f64,
    virtual_bytes: f64,
}

impl Stat {
    fn parse(text: &str) -> Option<Self> {
        // the name of the program, in parentheses, may hold anything
        let (_, rest) = text.rsplit_once(") ")?;
        let fields: Vec<f64> = rest.split(' ').map(|field| field.trim().parse().unwrap_or_default()).collect();
        // the state is the third field of the manual, and the first one here
        let field = |number: usize| fields.get(number - 3).copied();
        Some(Self {
            cpu_seconds: (field(14)? + field(15)?) / TICKS_PER_SECOND,
            threads: field(20)?,
            began_seconds: field(22)? / TICKS_PER_SECOND,
            virtual_bytes: field(23)?,
        })
    }

    fn began(&self) -> Option<f64> {
        let text = fs::read_to_string("/proc/stat").ok()?;
        let booted: f64 = text.lines().find_map(|line| line.strip_prefix("btime "))?.trim().parse().ok()?;
        Some(booted + self.began_seconds)
    }
}

fn resident_bytes(status: &str) -> Option<f64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: f64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kilobytes * 1024.0)
}

fn open_files_limit(limits: &str) -> Option<f64> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_may_have_any_name() {
        let stat = Stat::parse("7 (a ) b (c) S 1 7 7 0 -1 4 9 0 0 0 150 50 0 0 20 0 12 0 400 1048576 99 1").unwrap();
        assert_eq!(
            (stat.cpu_seconds, stat.threads, stat.began_seconds, stat.virtual_bytes),
            (2.0, 12.0, 4.0, 1_048_576.0)
        );
        assert!(Stat::parse("").is_none() && Stat::parse("7 (x) S 1").is_none());
    }

    #[test]
    fn sizes_are_bytes() {
        assert_eq!(resident_bytes("Name:\tx\nVmRSS:\t    2 kB\n"), Some(2048.0));
        assert_eq!(
            open_files_limit("Limit Soft Hard\nMax open files            1024                 4096 files\n"),
            Some(1024.0)
        );
        assert_eq!(
            open_files_limit("Max open files            unlimited            unlimited            files\n"),
            None
        );
    }
}
