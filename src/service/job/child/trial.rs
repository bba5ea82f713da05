//! Which layers of confinement this machine has: tried out, once at the start, by a renderer that renders nothing.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use confine::{FileSystemView, Isolation, Layers};

use super::line::{ProcessBounds, ProcessLine, RendererSetup};
use super::{MachineLimits, RENDERER};

/// Finds how far renderers can be confined on this machine. `folder` is not there yet, and gone in the end.
///
/// # Errors
/// A sentence: there is less than is required, or a process cannot be started.
pub fn find_layers(limits: &MachineLimits, isolation: Isolation, folder: &Path) -> Result<Layers, String> {
    if isolation == Isolation::Off {
        return Ok(Layers::NONE);
    }
    let found = try_all(limits, folder);
    let _ = fs::remove_dir_all(folder);
    let layers = found.map_err(|error| format!("whether jobs can be confined cannot be found: {error}"))?;
    if isolation == Isolation::Require && !layers.suffices() {
        let lacks = layers.lacks().join("; ");
        return Err(format!("`isolation = \"require\"`, and jobs cannot be confined on this machine: {lacks}"));
    }
    Ok(layers)
}

/// All layers at once, which is the rule; else each alone.
fn try_all(limits: &MachineLimits, folder: &Path) -> io::Result<Layers> {
    if let Some(landlock) = try_layers(limits, Layers::ALL, folder)? {
        return Ok(Layers { landlock, ..Layers::ALL });
    }
    let namespaces = try_layers(limits, Layers { namespaces: true, ..Layers::NONE }, folder)?.is_some();
    let mut landlock = 0;
    // any version is better than none, and the newest the best
    for version in (1..=Layers::ALL.landlock).rev() {
        landlock = try_layers(limits, Layers { landlock: version, ..Layers::NONE }, folder)?.unwrap_or(0);
        if landlock > 0 {
            break;
        }
    }
    let system_calls = try_layers(limits, Layers { system_calls: true, ..Layers::NONE }, folder)?.is_some();
    Ok(Layers { namespaces, landlock, system_calls })
}

/// Whether a renderer can have these layers; the version of Landlock.
fn try_layers(limits: &MachineLimits, layers: Layers, folder: &Path) -> io::Result<Option<u32>> {
    let names = ["read", "write", "root"].map(|name| folder.join(name));
    names.iter().try_for_each(fs::create_dir_all)?;
    let folder = folder.canonicalize()?;
    let [read, write, root] = ["read", "write", "root"].map(|name| folder.join(name));
    let setup = RendererSetup {
        view: FileSystemView { read: vec![read], write: vec![write], root },
        layers,
        bounds: ProcessBounds::of(limits),
        is_trial: true,
    };
    let mut command = Command::new(&limits.program);
    command.args(["job", RENDERER]).env_clear();
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    if let Some(mut input) = child.stdin.take() {
        let mut text = serde_json::to_vec(&setup)?;
        text.push(b'\n');
        // one that cannot read it says so by its end
        let _ = input.write_all(&text);
    }
    let output = child.wait_with_output()?;
    let line = output.stdout.split(|byte| *byte == b'\n').next().unwrap_or_default();
    Ok(match serde_json::from_slice(line) {
        Ok(ProcessLine::Confined { landlock }) if output.status.success() => Some(landlock),
        Ok(ProcessLine::Failed { message, .. }) => {
            tracing::debug!(message, "a layer of confinement is not to be had");
            None
        }
        _ => None,
    })
}
