//! The browser of this machine.

use std::ffi::OsStr;
use std::process::{Command, Stdio};

use super::tell_error;

/// Opens the system's browser; where there is none, the address has been printed.
pub(super) fn open(address: impl AsRef<OsStr>) {
    let mut command = match std::env::consts::OS {
        "macos" => Command::new("open"),
        "windows" => Command::new("explorer"),
        _ => Command::new("xdg-open"),
    };
    let started =
        command.arg(address.as_ref()).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    match started {
        // it ends by itself and is not waited for
        Ok(mut child) => drop(std::thread::spawn(move || child.wait())),
        Err(error) => tell_error(format_args!("cannot open a browser: {error}")),
    }
}
