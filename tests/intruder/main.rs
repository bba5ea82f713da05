//! A renderer that a source has taken over, and what it gets: nothing.
//!
//! The program stands in for one. It confines itself as renderers do ([`confine_renderer`]) and makes one attempt on
//! the service, the machine or the network; each attempt is a process of its own. The same attempts are made without
//! confinement first, so that a refusal is known to be one.
//!
//! All of it is done as root, if the tests run as root, and as an ordinary user; with all layers, with each of them alone,
//! and with each of them masked in turn. Which layers hold an attempt by themselves is part of the table of attempts.
//!
//! It is an executable of its own, without the test harness: who confines itself may have one thread only.

#![allow(clippy::print_stdout, reason = "what it finds is its output")]

#[cfg(target_os = "linux")]
mod attempts;
#[cfg(target_os = "linux")]
mod confined_export;
#[cfg(target_os = "linux")]
mod raw;
#[cfg(target_os = "linux")]
mod users;
#[cfg(target_os = "linux")]
mod world;

#[cfg(target_os = "linux")]
fn main() -> std::process::ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["attempt", name, world, role, layers] => attempts::make(name, world, role, layers),
        ["check", program, folder] => world::check_all(program.as_ref(), folder.as_ref()),
        ["namespaces"] => users::enter_namespaces(),
        // it was started by an attempt
        ["nothing"] => std::process::ExitCode::SUCCESS,
        // arguments of the harness
        _ => users::check_as_each(),
    }
}

#[cfg(not(target_os = "linux"))]
fn main() {}
