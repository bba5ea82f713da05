//! What the configuration names of this machine: folders, files and programs. `--check` looks whether they are there; a
//! service that runs does not, because its machine may be another one, or get them later.

use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};
use url::Url;

use super::file::ServiceFile;
use super::place::{At, ConfigProblems};
use super::resolve_config_path;

/// Names certificates to trust in place of those of the system.
const CERTIFICATES_VARIABLE: &str = "SSL_CERT_FILE";

/// Reports what is not there, or cannot be used.
pub(super) fn check_machine(
    file: &ServiceFile,
    base: &Path,
    variable: &dyn Fn(&str) -> Option<String>,
    problems: &mut ConfigProblems<'_>,
) {
    let search_path = variable("PATH").unwrap_or_default();
    if let Some(at) = &file.server.data_dir {
        problems.check(at, data_folder(&resolve_config_path(base, at)));
    }
    if let Some(at) = file.audit.log.as_ref().filter(|log| log.value != "stdout") {
        problems.check(at, log_file(&resolve_config_path(base, at)));
    }
    if let Some(certificates) = file.store.url.as_ref().and_then(store_certificates) {
        problems.check(&certificates, readable(Path::new(&certificates.value)));
    }
    if let Some(path) = variable(CERTIFICATES_VARIABLE)
        && let Err(why) = readable(Path::new(&path))
    {
        problems.add_bytes(None, format_args!("{CERTIFICATES_VARIABLE}: {why}"));
    }
    if let Some(at) = &file.agent.command
        && let Some(program) = at.value.first().filter(|program| !program.is_empty())
    {
        problems.check(at, program_to_run(program, &search_path));
    }
    for project in &file.projects {
        let source = &project.source.value;
        if let Some(at) = &source.path {
            problems.check(at, source_folder(&resolve_config_path(base, at)));
        }
        if let Some(at) = &source.git {
            problems.check(at, repository(&at.value, base, &search_path));
        }
    }
}

/// The folder of all data: it is made if it is not there, but not the folders above, whose name may be misspelt.
fn data_folder(path: &Path) -> Result<(), String> {
    let shown = path.display();
    if path.exists() {
        if !path.is_dir() {
            return Err(format!("`{shown}` is not a folder: name one that the service has to itself"));
        }
        return writable(path);
    }
    match path.parent().filter(|above| !above.as_os_str().is_empty()) {
        Some(above) if !above.is_dir() => {
            Err(format!("the folder `{}` is not there: create it, or correct `data_dir`", above.display()))
        }
        Some(above) => writable(above),
        None => Ok(()),
    }
}

fn writable(folder: &Path) -> Result<(), String> {
    access(folder, Access::WRITE_OK | Access::EXEC_OK).map_err(|_| {
        format!(
            "this user cannot write into `{}`: change its owner, or run this as the user of the service",
            folder.display()
        )
    })
}

fn log_file(path: &Path) -> Result<(), String> {
    if path.is_dir() {
        return Err(format!("`{}` is a folder: name a file, or `stdout`", path.display()));
    }
    match path.parent().filter(|above| !above.as_os_str().is_empty()) {
        Some(above) if !above.is_dir() => Err(format!("the folder `{}` is not there: create it", above.display())),
        Some(above) if !path.exists() => writable(above),
        _ => Ok(()),
    }
}

/// The file with certificates that the URL of a database names.
fn store_certificates(url: &At<String>) -> Option<At<String>> {
    let parsed = Url::parse(&url.value).ok()?;
    let (_, path) = parsed.query_pairs().find(|(name, _)| name == "sslrootcert")?;
    Some(url.with(path.into_owned()))
}

fn readable(file: &Path) -> Result<(), String> {
    let shown = file.display();
    if !file.is_file() {
        return Err(format!("the file `{shown}` is not there: create it, or correct its path"));
    }
    access(file, Access::READ_OK).map_err(|_| format!("this user cannot read `{shown}`"))
}

fn source_folder(path: &Path) -> Result<(), String> {
    let shown = path.display();
    if !path.exists() {
        return Err(format!("`{shown}` is not there: name a documentation folder, or its docs.json"));
    }
    access(path, Access::READ_OK).map_err(|_| format!("this user cannot read `{shown}`"))
}

/// A repository of this machine, and the programs that fetch one without HTTPS.
fn repository(url: &str, base: &Path, search_path: &str) -> Result<(), String> {
    let is_ssh = url.starts_with("ssh://") || (!url.contains("://") && url.contains(':'));
    if is_ssh {
        return in_search_path("ssh", search_path).map(drop).ok_or_else(|| {
            "the program `ssh`, which fetches this repository, is not in `PATH`: install it, or use `https`".to_owned()
        });
    }
    let path = match url.split_once("://") {
        Some(("file", path)) => PathBuf::from(path),
        Some(_) => return Ok(()),
        None => base.join(url),
    };
    if !path.is_dir() {
        return Err(format!("the repository `{}` is not there: create it, or correct its path", path.display()));
    }
    in_search_path("git", search_path).map(drop).ok_or_else(|| {
        "the program `git`, which reads this repository, is not in `PATH`: install it, or use `https`".to_owned()
    })
}

/// A program by its full path, or in `PATH`.
fn program_to_run(program: &str, search_path: &str) -> Result<(), String> {
    let path = Path::new(program);
    if !program.contains('/') {
        return in_search_path(program, search_path).map(drop).ok_or_else(|| {
            format!("no folder of `PATH` has a program `{program}`: install it, or write its full path")
        });
    }
    if !path.is_absolute() {
        return Err(format!(
            "`{program}` is neither a full path nor a name in `PATH`: it is run in a folder of its own"
        ));
    }
    if !path.is_file() {
        return Err(format!("the program `{program}` is not there: install it, or correct its path"));
    }
    if is_executable(path) { Ok(()) } else { Err(format!("`{program}` is not executable: `chmod +x` makes it so")) }
}

fn in_search_path(program: &str, search_path: &str) -> Option<PathBuf> {
    std::env::split_paths(search_path).map(|folder| folder.join(program)).find(|path| is_executable(path))
}

/// Root may run what anybody may.
fn is_executable(path: &Path) -> bool {
    path.is_file() && access(path, Access::EXEC_OK).is_ok()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn folders_are_there_or_can_be_made() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("file"), "").unwrap();
        assert_eq!((data_folder(folder.path()), data_folder(&at("data"))), (Ok(()), Ok(())));
        assert!(data_folder(&at("file")).is_err_and(|why| why.contains("is not a folder")));
        assert!(data_folder(&at("none/data")).is_err_and(|why| why.contains("is not there: create it")));
        assert_eq!((log_file(&at("log")), log_file(&at("file"))), (Ok(()), Ok(())));
        assert!(log_file(folder.path()).is_err() && log_file(&at("none/log")).is_err());
    }

    #[test]
    fn programs_are_there_and_can_be_run() {
        let folder = tempfile::tempdir().unwrap();
        let (path, search) = (folder.path().join("agent"), folder.path().to_str().unwrap().to_owned());
        let named = path.to_str().unwrap();
        assert!(program_to_run(named, "").is_err_and(|why| why.contains("is not there")));
        fs::write(&path, "#!/bin/sh\n").unwrap();
        assert!(program_to_run(named, "").is_err_and(|why| why.contains("chmod +x")));
        assert!(program_to_run("agent", &search).is_err_and(|why| why.contains("no folder of `PATH`")));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!((program_to_run(named, ""), program_to_run("agent", &search)), (Ok(()), Ok(())));
        assert!(program_to_run(&search, "").is_err() && program_to_run("./agent", &search).is_err());
    }

    #[test]
    fn repositories_of_this_machine_are_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = std::env::var("PATH").unwrap();
        let check = |url: &str, path: &str| repository(url, folder.path(), path);
        assert_eq!(check("https://git.example/r.git", ""), Ok(()));
        for url in ["r.git", "/no/such/r.git", "file:///no/such/r.git"] {
            assert!(check(url, &path).is_err_and(|why| why.contains("is not there")), "{url}");
        }
        fs::create_dir(folder.path().join("r.git")).unwrap();
        assert!(check("r.git", "").is_err_and(|why| why.contains("`git`")));
        for url in ["git@git.example:r.git", "ssh://git@git.example/r.git"] {
            assert!(check(url, "").is_err_and(|why| why.contains("`ssh`")), "{url}");
        }
    }
}
