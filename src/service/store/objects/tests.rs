//! One contract for both places; the bucket is one of a real server of the S3 protocol that runs inside of the test.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use hyper_util::rt::TokioIo;
use s3s::auth::SimpleAuth;
use s3s::service::S3ServiceBuilder;
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;

use super::{ObjectCache, ObjectError, Objects};
use base::hex;

/// A server of the S3 protocol; ends with the runtime of the test.
async fn server(root: &Path) -> String {
    fs::create_dir_all(root.join("archives")).unwrap();
    let mut service = S3ServiceBuilder::new(s3s_fs::FileSystem::new(root).unwrap());
    service.set_auth(SimpleAuth::from_single("an-id", "a-secret"));
    let service = service.build();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let service = service.clone();
            tokio::spawn(hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service));
        }
    });
    format!("http://{address}")
}

fn bucket(endpoint: &str, secret: &str) -> Objects {
    let variables = [
        ("AWS_ENDPOINT", endpoint),
        ("AWS_ALLOW_HTTP", "true"),
        ("AWS_REGION", "us-east-1"),
        ("AWS_ACCESS_KEY_ID", "an-id"),
        ("AWS_SECRET_ACCESS_KEY", secret),
        ("PATH", "/bin"),
    ];
    Objects::bucket("s3://archives/of/acme", variables.map(|(name, value)| (name.to_owned(), value.to_owned())))
        .unwrap()
}

/// A file of so many bytes, and its digest.
fn file(folder: &Path, bytes: usize) -> (PathBuf, String) {
    let content: Vec<u8> = (0..bytes).map(|at| (at * 31 % 251) as u8).collect();
    let path = folder.join(format!("{bytes}.bin"));
    fs::write(&path, &content).unwrap();
    (path, hex::to_hex(&Sha256::digest(&content)))
}

/// What any place does.
async fn keeps_archives(objects: &Objects) {
    let own = tempfile::tempdir().unwrap();
    let (small, small_key) = file(own.path(), 1_000);
    // more than one part of an upload
    let (large, large_key) = file(own.path(), 20 << 20);
    assert_eq!(objects.size(&small_key).await.unwrap(), None);
    assert!(matches!(objects.fetch(&small_key, &own.path().join("none")).await, Err(ObjectError::Missing(_))));
    objects.delete(&small_key).await.unwrap();
    for (path, key) in [(&small, &small_key), (&large, &large_key), (&small, &small_key)] {
        objects.put(key, path).await.unwrap();
        assert_eq!(objects.size(key).await.unwrap(), Some(fs::metadata(path).unwrap().len()));
    }
    let copy = own.path().join("copy");
    objects.fetch(&large_key, &copy).await.unwrap();
    assert_eq!(fs::read(&copy).unwrap(), fs::read(&large).unwrap());
    // what was put is no longer tied to the file that it came from
    fs::write(&small, "changed").unwrap();
    assert_eq!(objects.size(&small_key).await.unwrap(), Some(1_000));

    let mut keys = [small_key.clone(), large_key.clone()];
    keys.sort();
    let listed = objects.list().await.unwrap();
    assert_eq!(listed.iter().map(|object| object.key.as_str()).collect::<Vec<_>>(), keys);
    assert!(listed.iter().all(|object| object.since > 1_600_000_000 && object.size >= 1_000));
    objects.delete(&large_key).await.unwrap();
    objects.delete(&large_key).await.unwrap();
    assert_eq!(objects.list().await.unwrap().len(), 1);

    for bad in ["", "abc", "../../etc/passwd", &small_key.to_uppercase(), &format!("{small_key}/")] {
        assert!(matches!(objects.put(bad, &large).await, Err(ObjectError::Key(_))), "{bad}");
        assert!(matches!(objects.delete(bad).await, Err(ObjectError::Key(_))), "{bad}");
        assert!(
            objects.open(bad).is_err()
                && objects.size(bad).await.is_err()
                && objects.presign(bad, "x", Duration::from_secs(1)).await.is_err(),
            "{bad}"
        );
    }
    let gone = own.path().join("gone");
    assert!(objects.put(&large_key, &gone).await.is_err());
    assert_eq!(objects.size(&large_key).await.unwrap(), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_keeps_archives() {
    let root = tempfile::tempdir().unwrap();
    let objects = Objects::folder(&root.path().join("a/b")).unwrap();
    keeps_archives(&objects).await;
    let key = objects.list().await.unwrap().remove(0).key;
    let path = objects.open(&key).unwrap().unwrap();
    assert_eq!(fs::metadata(&path).unwrap().len(), 1_000);
    assert_eq!(objects.presign(&key, "a.zip", Duration::from_secs(60)).await.unwrap(), None);
    // what a killed process left goes, what is there stays
    let left = path.with_extension("1-1.unfinished");
    fs::write(&left, "half").unwrap();
    fs::write(root.path().join("a/b/notes.txt"), "not ours").unwrap();
    let again = Objects::folder(&root.path().join("a/b")).unwrap();
    assert!(!left.exists() && path.exists() && root.path().join("a/b/notes.txt").exists());
    assert_eq!(again.list().await.unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bucket_keeps_archives() {
    let root = tempfile::tempdir().unwrap();
    let endpoint = server(root.path()).await;
    let objects = bucket(&endpoint, "a-secret");
    keeps_archives(&objects).await;
    let key = objects.list().await.unwrap().remove(0).key;
    assert_eq!(objects.open(&key).unwrap(), None);
    assert!(root.path().join("archives/of/acme").join(format!("{key}.zip")).is_file());
}

#[tokio::test(flavor = "multi_thread")]
async fn whether_a_bucket_can_be_used_is_seen() {
    let root = tempfile::tempdir().unwrap();
    let endpoint = server(root.path()).await;
    bucket(&endpoint, "a-secret").probe().await.unwrap();
    let wrong = bucket(&endpoint, "another-secret").probe().await.unwrap_err();
    assert!(wrong.to_string().contains("the object storage cannot be reached"), "{wrong}");
    fs::remove_dir_all(root.path().join("archives")).unwrap();
    bucket(&endpoint, "a-secret").probe().await.unwrap_err();
    Objects::folder(&root.path().join("a")).unwrap().probe().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn links_of_a_bucket_end_and_cannot_be_changed() {
    let (root, own) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let endpoint = server(root.path()).await;
    let objects = bucket(&endpoint, "a-secret");
    let (path, key) = file(own.path(), 5_000);
    objects.put(&key, &path).await.unwrap();
    let link = objects.presign(&key, "docs.acme.example-v1.zip", Duration::from_secs(60)).await.unwrap().unwrap();
    assert!(
        link.len() <= 1024 && link.chars().all(|c| c.is_ascii_alphanumeric() || "._~:/?&=%-".contains(c)),
        "{link}"
    );

    base::tls::install_provider();
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let get = |link: String| {
        let request = client.get(link);
        async move { request.send().await.unwrap() }
    };
    let answer = get(link.clone()).await;
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.headers()["content-disposition"], "attachment; filename=\"docs.acme.example-v1.zip\"");
    assert_eq!(answer.headers()["content-type"], "application/zip");
    assert_eq!(answer.bytes().await.unwrap(), fs::read(&path).unwrap());
    let range = client.get(&link).header("range", "bytes=10-19").send().await.unwrap();
    assert_eq!(
        (range.status().as_u16(), range.bytes().await.unwrap().to_vec()),
        (206, fs::read(&path).unwrap()[10..20].to_vec())
    );

    let other_key = key.replace(&key[..1], if key.starts_with('0') { "1" } else { "0" });
    for changed in [
        link.replace("X-Amz-Expires=60", "X-Amz-Expires=600"),
        link.replace(&key, &other_key),
        link.replace("v1.zip", "v2.zip"),
        link.split("&X-Amz-Signature=").next().unwrap().to_owned(),
        link.split('?').next().unwrap().to_owned(),
        format!("{}{}", &link[..link.len() - 1], if link.ends_with('0') { '1' } else { '0' }),
    ] {
        assert_ne!(changed, link);
        assert_eq!(get(changed.clone()).await.status(), 403, "{changed}");
    }
    assert_eq!(client.delete(&link).send().await.unwrap().status(), 403);
    let short = objects.presign(&key, "a.zip", Duration::from_secs(1)).await.unwrap().unwrap();
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert_eq!(get(short).await.status(), 403);
    let long = objects.presign(&key, "a\r\nx: \"y.zip", Duration::from_secs(u64::MAX)).await.unwrap().unwrap();
    assert!(long.contains("X-Amz-Expires=604800") && long.contains("a__x___y.zip"), "{long}");
}

#[tokio::test(flavor = "multi_thread")]
async fn failures_of_a_bucket_are_told_without_secrets() {
    let (root, own) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let endpoint = server(root.path()).await;
    let (path, key) = file(own.path(), 10);
    let objects = bucket(&endpoint, "another-secret");
    for error in [
        objects.put(&key, &path).await.unwrap_err(),
        objects.list().await.unwrap_err(),
        objects.size(&key).await.unwrap_err(),
    ] {
        // the code of the store is no secret
        let message = format!("{error} {error:?} {objects:?}").replace("SignatureDoesNotMatch", "");
        assert!(!message.contains("another-secret") && !message.contains("Signature"), "{message}");
    }
    for url in ["", "archives", "https://x/y", "s3://", "s3:///x", "s3://a@b/c", "s3://b/c?d"] {
        assert!(matches!(Objects::bucket(url, []), Err(ObjectError::Settings(_))), "{url}");
    }
}

#[test]
fn a_folder_that_cannot_be_is_an_error() {
    let own: TempDir = tempfile::tempdir().unwrap();
    fs::write(own.path().join("file"), "x").unwrap();
    assert!(Objects::folder(&own.path().join("file/below")).is_err());
}

/// A bucket with archives of so many bytes each, and their keys.
async fn filled(root: &Path, sizes: &[usize]) -> (Objects, Vec<String>) {
    let (objects, own) = (bucket(&server(root).await, "a-secret"), tempfile::tempdir().unwrap());
    let mut keys = Vec::new();
    for bytes in sizes {
        let (path, key) = file(own.path(), *bytes);
        objects.put(&key, &path).await.unwrap();
        keys.push(key);
    }
    (objects, keys)
}

#[tokio::test]
async fn copies_are_bounded_and_the_least_recently_used_go_first() {
    let (root, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (objects, keys) = filled(root.path(), &[1_000, 1_001, 1_002, 9_000]).await;
    let cache = ObjectCache::open(folder.path(), 2_500).unwrap();
    let copy = async |at: usize| cache.copy(&objects, &keys[at], 1_000).await.unwrap();
    let cached = || {
        let named = |at: &usize| folder.path().join(format!("{}.zip", keys[*at])).is_file();
        (0..keys.len()).filter(named).collect::<Vec<_>>()
    };
    for at in [0, 1, 0, 2] {
        assert!(copy(at).await.is_file());
    }
    assert_eq!(cached(), [0, 2]);
    // one that is larger than all is alone
    cache.copy(&objects, &keys[3], 9_000).await.unwrap();
    assert_eq!(cached(), [3]);
    // the next process goes on with what there is, as far as it may
    copy(0).await;
    drop(cache);
    fs::write(folder.path().join("copy_half"), "half").unwrap();
    let cache = ObjectCache::open(folder.path(), 500).unwrap();
    assert_eq!((cached(), fs::read_dir(folder.path()).unwrap().count()), (vec![], 0));
    drop(cache);
}

#[tokio::test]
async fn copies_are_what_their_digest_says() {
    let (root, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (objects, keys) = filled(root.path(), &[1_000, 1_001]).await;
    let cache = ObjectCache::open(folder.path(), 1 << 20).unwrap();
    let path = cache.copy(&objects, &keys[0], 1_000).await.unwrap();
    let whole = fs::read(&path).unwrap();
    // a copy that was damaged between two processes is made again
    fs::write(&path, "damaged").unwrap();
    let cache = ObjectCache::open(folder.path(), 1 << 20).unwrap();
    assert_eq!(fs::read(cache.copy(&objects, &keys[0], 1_000).await.unwrap()).unwrap(), whole);
    // what the store returns in place of an archive is refused
    let own = tempfile::tempdir().unwrap();
    fs::write(own.path().join("other"), "another archive").unwrap();
    objects.put(&keys[1], &own.path().join("other")).await.unwrap();
    assert!(matches!(cache.copy(&objects, &keys[1], 1_001).await, Err(ObjectError::Damaged(_))));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    assert!(matches!(cache.copy(&objects, &"0".repeat(64), 1).await, Err(ObjectError::Missing(_))));
}

#[tokio::test]
async fn requests_for_one_archive_share_a_download() {
    let (root, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (objects, keys) = filled(root.path(), &[3 << 20]).await;
    let cache = ObjectCache::open(folder.path(), 1 << 30).unwrap();
    let copies = futures_util::future::join_all((0..20).map(|_| cache.copy(&objects, &keys[0], 3 << 20))).await;
    assert!(copies.into_iter().all(|copy| copy.is_ok_and(|path| path.is_file())));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}
