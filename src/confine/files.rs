//! Landlock: which files a process may open, whatever its user may.

use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, BitFlags, LandlockStatus, PathBeneath, PathFd, Ruleset, RulesetAttr as _,
    RulesetCreated, RulesetCreatedAttr as _, RulesetError, RulesetStatus, Scope, make_bitflags,
};

use super::{FileSystemView, Programs};

/// What names of servers are looked up with, and what their certificates are checked against.
const LOOK_UP: &[&str] = &[
    "/etc/resolv.conf",
    "/etc/hosts",
    "/etc/host.conf",
    "/etc/nsswitch.conf",
    "/etc/gai.conf",
    "/etc/services",
    "/etc/protocols",
    // certificates and settings, never the private keys beside them
    "/etc/ssl/certs",
    "/etc/ssl/cert.pem",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/openssl.cnf",
    "/etc/pki/ca-trust",
    "/etc/pki/tls/certs",
    "/etc/pki/tls/cert.pem",
    "/etc/pki/tls/openssl.cnf",
    "/etc/pki/tls/ct_log_list.cnf",
    "/etc/pki/tls/openssl.d",
    "/etc/ca-certificates",
    "/etc/crypto-policies",
    "/etc/localtime",
    "/etc/ld.so.cache",
    "/run/systemd/resolve",
    "/usr/share/ca-certificates",
    "/usr/local/share/ca-certificates",
    "/usr/share/zoneinfo",
    "/usr/lib",
    "/usr/lib64",
    "/lib",
    "/lib64",
    "/dev/null",
    "/dev/urandom",
    "/proc/self",
    "/proc/sys/vm/overcommit_memory",
    "/sys/devices/system/cpu",
];

/// What programs of the system need beside: `ssh`, and `git` of this machine's repositories.
const PROGRAMS: &[&str] = &[
    "/usr",
    "/bin",
    "/sbin",
    "/opt",
    "/nix/store",
    "/etc/passwd",
    "/etc/group",
    // not the keys of this machine
    "/etc/ssh/ssh_config",
    "/etc/ssh/ssh_config.d",
    "/etc/ssh/ssh_known_hosts",
    "/etc/ssh/ssh_known_hosts2",
    "/etc/alternatives",
    // one that it may not read ends `git`
    "/etc/gitconfig",
];

/// Reading, and nothing else.
fn reading() -> BitFlags<AccessFs> {
    make_bitflags!(AccessFs::{ReadFile | ReadDir})
}

/// Reading and writing files and folders: no device, pipe, socket, link or program.
fn writing(version: ABI) -> BitFlags<AccessFs> {
    let more = make_bitflags!(AccessFs::{WriteFile | Truncate | RemoveFile | RemoveDir | MakeReg | MakeDir | Refer});
    // what is not handled cannot be allowed
    (reading() | more) & AccessFs::from_all(version)
}

/// The version of Landlock that a process is to have.
fn abi(version: u32) -> ABI {
    ABI::from(i32::try_from(version).unwrap_or(i32::MAX))
}

/// Rules that refuse all that a version of Landlock knows of the file system and of other processes, and what `net`
/// adds. A kernel with an older version handles what it knows of that.
fn refuse_all(version: ABI, net: BitFlags<AccessNet>) -> Result<RulesetCreated, RulesetError> {
    let net = net & AccessNet::from_all(version);
    let rules = Ruleset::default().handle_access(AccessFs::from_all(version))?;
    let rules = if net.is_empty() { rules } else { rules.handle_access(net)? };
    let scope = Scope::from_all(version);
    if scope.is_empty() { rules.create() } else { rules.scope(scope)?.create() }
}

fn allow(rules: RulesetCreated, paths: &[PathBuf], rights: BitFlags<AccessFs>) -> Result<RulesetCreated, RulesetError> {
    paths.iter().try_fold(rules, |rules, path| match PathFd::new(path) {
        Ok(file) => rules.add_rule(PathBeneath::new(file, rights)),
        // what is not there needs no right
        Err(_) => Ok(rules),
    })
}

/// Puts rules into effect; returns the version of Landlock that they have.
fn enforce(rules: RulesetCreated) -> Result<u32, RulesetError> {
    let status = rules.restrict_self()?;
    match status.landlock {
        LandlockStatus::Available { effective_abi, .. } if status.ruleset != RulesetStatus::NotEnforced => {
            Ok(effective_abi as u32)
        }
        _ => Ok(0),
    }
}

/// Only the view, no TCP, and nothing to do with other processes, as far as a version of Landlock knows of these.
pub(super) fn restrict_renderer(view: &FileSystemView, version: u32) -> Result<u32, RulesetError> {
    let version = abi(version);
    let rules = refuse_all(version, AccessNet::from_all(version))?;
    enforce(allow(allow(rules, &view.read, reading())?, &view.write, writing(version))?)
}

/// Writing to the view alone, no listening, and nothing to do with processes that it has not started since.
pub(super) fn restrict_fetcher(view: &FileSystemView, version: u32, programs: Programs) -> Result<u32, RulesetError> {
    let version = abi(version);
    let rules = refuse_all(version, AccessNet::BindTcp.into())?;
    let rules = allow(rules, &view.read, reading())?;
    let rules = allow(rules, &view.write, writing(version))?;
    let rules = allow(rules, &paths_and_targets(LOOK_UP), reading())?;
    let rules = match programs {
        Programs::None => rules,
        Programs::Any => {
            let running = reading() | AccessFs::Execute;
            let rules = allow(rules, &paths_and_targets(PROGRAMS), running)?;
            let rules = allow(rules, &paths_and_targets(&["/usr/lib", "/lib", "/lib64", "/usr/lib64"]), running)?;
            // what programs throw away
            allow(rules, &paths_and_targets(&["/dev/null"]), reading() | AccessFs::WriteFile)?
        }
    };
    enforce(rules)
}

/// Paths, each with what it leads to if it is a link.
fn paths_and_targets(paths: &[&str]) -> Vec<PathBuf> {
    paths.iter().map(|path| PathBuf::from(*path)).chain(paths.iter().filter_map(|path| resolve_link(path))).collect()
}

fn resolve_link(path: &str) -> Option<PathBuf> {
    let path = Path::new(path);
    path.is_symlink().then(|| path.canonicalize().ok()).flatten()
}
