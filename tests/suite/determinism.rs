//! Equal sources give equal bytes, whatever the number of threads and whatever the environment.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use tempfile::TempDir;

use crate::suite::site::{fixture, offprint};

/// The archive of a folder, exported with these arguments and environment.
fn archive(source: &Path, args: &[&str], environment: &[(&str, &str)]) -> Vec<u8> {
    let work = TempDir::with_prefix("offprint-zip-").expect("a temporary folder");
    let out = work.path().join("site.zip");
    let output = offprint()
        .arg("export")
        .arg(source)
        .arg("-o")
        .arg(&out)
        .args(["--progress", "none"])
        .args(args)
        .envs(environment.iter().copied())
        .output()
        .expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    fs::read(&out).expect("an archive")
}

#[track_caller]
fn check(name: &str) {
    let source = fixture(name);
    let first = archive(&source, &["--jobs", "1"], &[]);
    assert!(first.len() > 1000, "an archive with something in it");
    for (args, environment) in [
        (&["--jobs", "1"][..], &[][..]),
        (
            &["--jobs", "7"],
            &[("TZ", "Asia/Tokyo"), ("LANG", "tr_TR.UTF-8"), ("USER", "somebody"), ("SOURCE_DATE_EPOCH", "86400")],
        ),
        (&[], &[("RUST_LOG", "debug")]),
    ] {
        assert!(archive(&source, args, environment) == first, "{name}: {args:?} {environment:?} gives other bytes");
    }
}

#[test]
fn docs() {
    check("docs");
}

#[test]
fn plain_folder() {
    check("plain");
}

#[test]
fn every_kind_of_navigation() {
    check("navigation");
}

#[test]
fn hostile_content() {
    check("hostile");
}

#[test]
fn the_place_of_the_source_does_not_matter() {
    // out of the repository, whose commit the manifest names
    let copies = ["other place ü #1 100% ", "place"].map(|name| {
        let work = TempDir::with_prefix(name).expect("a temporary folder");
        for entry in walkdir::WalkDir::new(fixture("docs")).into_iter().filter_map(Result::ok) {
            let to =
                work.path().join("docs").join(entry.path().strip_prefix(fixture("docs")).expect("below the fixture"));
            if entry.file_type().is_dir() {
                fs::create_dir_all(to).expect("a folder");
            } else {
                assert!(fs::copy(entry.path(), &to).is_ok());
                let age = if name == "place" { Duration::from_secs(900_000_000) } else { Duration::ZERO };
                let file = fs::File::options().append(true).open(to).expect("a file");
                file.set_modified(SystemTime::now() - age).expect("a time");
            }
        }
        work
    });
    let [one, other] = copies.each_ref().map(|work| archive(&work.path().join("docs"), &[], &[]));
    assert!(one == other, "the name or age of the folder reached the archive");
}

#[test]
fn folder_and_archive_hold_the_same_files() {
    let archive = archive(&fixture("docs"), &[], &[]);
    let mut zip = zip::ZipArchive::new(std::io::Cursor::new(archive)).expect("a zip archive");
    let folder = crate::suite::site::Exported::of(&fixture("docs"), &["--offline"]);
    assert_eq!(zip.len(), folder.files.len());
    for index in 0..zip.len() {
        let mut entry = zip.by_index(index).expect("an entry");
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut entry, &mut bytes).expect("its bytes");
        let name = entry.name().expect("a name in UTF-8").into_owned();
        assert!(folder.files.get(&name) == Some(&bytes), "{name} differs");
    }
}
