//! Archives as sources, over HTTP.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;

use offprint::service::job::child::{Cause, JobSource};

use super::{Job, Repository, SITE, by_command_line, git, write};

/// A server that has one file.
pub(super) fn serve(bytes: Vec<u8>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            let mut request = [0; 4096];
            let _ = stream.read(&mut request);
            let head = format!(
                "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nContent-Type: application/octet-stream\r\nConnection: close\r\n\r\n",
                bytes.len()
            );
            let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&bytes));
        }
    });
    address.to_string()
}

#[test]
fn archives_give_the_bytes_of_their_folder() {
    let repository = Repository::new();
    let plain = tempfile::tempdir().unwrap();
    write(plain.path(), &SITE);
    let expect = by_command_line(plain.path(), "v1", &[]);
    for format in ["zip", "tar.gz", "tar"] {
        let file =
            plain.path().join(format!("../{}.{format}", repository.path().file_name().unwrap().to_str().unwrap()));
        git(
            repository.path(),
            &[
                "archive",
                &format!("--format={format}"),
                "--prefix=acme-docs-3f2a/",
                "-o",
                file.to_str().unwrap(),
                "HEAD",
            ],
        );
        let server = serve(fs::read(&file).unwrap());
        fs::remove_file(&file).unwrap();
        let mut job = Job::new(JobSource::Archive {
            url: format!("http://{server}/archive/main.{format}?token=abc"),
            subdir: Some("docs".to_owned()),
        })
        .version("v1");
        job.work.allow_private = vec![server];
        let built = job.run().unwrap();
        assert!(fs::read(&built.archive).unwrap() == expect, "{format}: other bytes than the folder's");
        // the default version is that of the content
        job.work.version = None;
        job.work.folder = job.home.path().join("again");
        let folder = Job::new(JobSource::Folder { path: plain.path().to_owned() }).run().unwrap();
        assert_eq!(job.run().unwrap().version, folder.version, "{format}");
    }
}

#[test]
fn s08_archives_are_fetched_through_the_guard() {
    let server = serve(b"PK".to_vec());
    let archive = |url: String| Job::new(JobSource::Archive { url, subdir: None });
    archive(format!("http://{server}/a.zip?token=abc")).fails(Cause::Source, "cannot be fetched");
    archive("http://169.254.169.254/a.zip".to_owned()).fails(Cause::Source, "link-local");
    archive("file:///etc/passwd".to_owned()).fails(Cause::Source, "only http and https");
    let mut job = archive(format!("http://{server}/a.zip?token=s3cr3t"));
    job.work.allow_private = vec![server];
    let failure = job.fails(Cause::Source, "neither a zip nor a tar.gz");
    assert!(!format!("{failure:?}").contains("s3cr3t"), "{failure:?}");
    job.limits.fetch_bytes = 1;
    job.work.folder = job.home.path().join("again");
    job.fails(Cause::Source, "larger than");
}

#[test]
fn s08_an_allowance_for_the_source_is_none_for_what_its_pages_load() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let server = listener.local_addr().unwrap().to_string();
    listener.set_nonblocking(true).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let page = format!("![An image](http://{server}/secret.png)\n\n<img src=\"http://{server}/other.svg\" />\n");
    write(folder.path(), &SITE);
    write(folder.path(), &[("index.mdx", &page)]);
    let mut job = Job::new(JobSource::Folder { path: folder.path().to_owned() });
    job.work.allow_private = vec![server];
    job.run().unwrap();
    assert!(listener.accept().is_err(), "nothing of the page was asked for");
}
