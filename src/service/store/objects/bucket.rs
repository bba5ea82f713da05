//! Archives in a bucket of an S3-compatible store: `<prefix>/<digest>.zip`. The store signs the links.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use futures_util::TryStreamExt as _;
use object_store::aws::{AmazonS3, AmazonS3Builder, AmazonS3ConfigKey};
use object_store::path::Path as Place;
use object_store::signer::{Method, SignedUrlOptions, Signer as _};
use object_store::{
    Attribute, Attributes, ClientOptions, ObjectStore as _, ObjectStoreExt as _, PutMultipartOptions, PutOptions,
    RetryConfig, WriteMultipart,
};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::time::timeout;
use url::Url;

use base::tls;

use super::bucket_error::bucket_error;
use super::{ObjectError, StoredObject, checked, object_store_error};

/// Bytes of an archive that are in memory at a time while it is sent; S3's parts are at least 5 MiB.
const PART_BYTES: usize = 8 << 20;
/// Parts that are under way at a time.
const MAX_CONCURRENT_PARTS: usize = 2;
/// How long a connection may take, and how long the store may say nothing or take no bytes: a part of an archive has to
/// be there in that time.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
const SILENCE: Duration = Duration::from_secs(20);
/// How often a request is repeated, and until when: work that waits for longer is put back into the queue.
const MAX_BUCKET_RETRIES: usize = 3;
const RETRY_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a look may take, and the credentials for a signature.
const PROBE_TIMEOUT: Duration = Duration::from_secs(3);
const SIGN_TIMEOUT: Duration = Duration::from_secs(10);
/// Comes after every digest, of which no letter is beyond `f`.
const BEYOND: &str = "zzzz";
/// Words for a failure.
const NOT_TAKEN: &str = "the object storage did not accept the archive";
const UNREACHABLE: &str = "the object storage cannot be reached";
const UNSIGNED: &str = "the object storage cannot sign";

/// A bucket, or a part of one.
#[derive(Clone)]
pub struct Bucket {
    store: Arc<AmazonS3>,
    prefix: Place,
}

impl std::fmt::Debug for Bucket {
    /// Without the store, which knows secrets.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Bucket(…/{})", self.prefix)
    }
}

impl Bucket {
    /// Takes a bucket by its URL, `s3://bucket/prefix`, and what variables of the environment say about its store.
    ///
    /// # Errors
    /// The URL is no such URL, or the variables do not fit together.
    pub fn open(url: &str, variables: impl IntoIterator<Item = (String, String)>) -> Result<Self, ObjectError> {
        let wrong = || ObjectError::Settings("its URL is not of the form `s3://bucket/prefix`".to_owned());
        let parsed = Url::parse(url)
            .ok()
            .filter(|url| {
                url.scheme() == "s3" && url.query().is_none() && url.fragment().is_none() && url.username().is_empty()
            })
            .ok_or_else(wrong)?;
        let bucket = parsed.host_str().filter(|bucket| !bucket.is_empty()).ok_or_else(wrong)?;
        let prefix = Place::from_url_path(parsed.path().trim_matches('/')).map_err(|_| wrong())?;
        tls::install_provider();
        let times = ClientOptions::new()
            .with_connect_timeout(CONNECT_TIMEOUT)
            .with_read_timeout(SILENCE)
            // an archive takes as long as it takes
            .with_timeout_disabled();
        let retry =
            RetryConfig { max_retries: MAX_BUCKET_RETRIES, retry_timeout: RETRY_TIMEOUT, ..RetryConfig::default() };
        let mut builder = AmazonS3Builder::new().with_client_options(times).with_retry(retry);
        for (name, value) in variables {
            if let Some(key) =
                name.strip_prefix("AWS_").and_then(|_| name.to_ascii_lowercase().parse::<AmazonS3ConfigKey>().ok())
            {
                builder = builder.with_config(key, value);
            }
        }
        let store =
            builder.with_bucket_name(bucket).build().map_err(|error| ObjectError::Settings(error.to_string()))?;
        Ok(Self { store: Arc::new(store), prefix })
    }

    /// Asks for what comes after all archives: one small answer, which only the bucket itself can give.
    pub(super) async fn probe(&self) -> Result<(), ObjectError> {
        let beyond = self.prefix.clone().join(BEYOND);
        let mut found = self.store.list_with_offset(self.root(), &beyond);
        match timeout(PROBE_TIMEOUT, found.try_next()).await {
            Ok(answered) => answered.map(drop).map_err(|error| bucket_error(UNREACHABLE, &error)),
            Err(_) => Err(silent(UNREACHABLE, PROBE_TIMEOUT)),
        }
    }

    /// Keeps a file, and looks whether all of it is there: what answers may be something else than the store.
    pub(super) async fn put(&self, key: &str, file: &Path) -> Result<(), ObjectError> {
        let length = tokio::fs::metadata(file).await.map_err(object_store_error("cannot read the archive"))?.len();
        self.send(key, file).await?;
        match self.size(key).await? {
            Some(size) if size == length => Ok(()),
            _ => Err(ObjectError::Failed {
                context: NOT_TAKEN.to_owned(),
                cause: "it is not there afterwards".to_owned(),
            }),
        }
    }

    async fn send(&self, key: &str, file: &Path) -> Result<(), ObjectError> {
        let unread = || object_store_error("cannot read the archive");
        let mut file = tokio::fs::File::open(file).await.map_err(unread())?;
        let attributes = Attributes::from_iter([(Attribute::ContentType, "application/zip")]);
        let mut part = vec![0; PART_BYTES];
        let mut length = fill_part(&mut file, &mut part).await.map_err(unread())?;
        if length < PART_BYTES {
            part.truncate(length);
            let options = PutOptions { attributes, ..PutOptions::default() };
            return self
                .store
                .put_opts(&self.place(key), part.into(), options)
                .await
                .map(drop)
                .map_err(|error| bucket_error(NOT_TAKEN, &error));
        }
        let options = PutMultipartOptions { attributes, ..PutMultipartOptions::default() };
        let upload = self
            .store
            .put_multipart_opts(&self.place(key), options)
            .await
            .map_err(|error| bucket_error(NOT_TAKEN, &error))?;
        let mut upload = WriteMultipart::new_with_chunk_size(upload, PART_BYTES);
        while length > 0 {
            upload.write(&part[..length]);
            let sent =
                upload.wait_for_capacity(MAX_CONCURRENT_PARTS).await.map_err(|error| bucket_error(NOT_TAKEN, &error));
            let read = match sent {
                Ok(()) => fill_part(&mut file, &mut part).await.map_err(unread()),
                Err(error) => Err(error),
            };
            match read {
                Ok(read) => length = read,
                Err(error) => {
                    // parts that were sent are of no use; the store's own rules remove what this leaves
                    let _ = upload.abort().await;
                    return Err(error);
                }
            }
        }
        upload.finish().await.map(drop).map_err(|error| bucket_error(NOT_TAKEN, &error))
    }

    pub(super) async fn size(&self, key: &str) -> Result<Option<u64>, ObjectError> {
        match self.store.head(&self.place(key)).await {
            Ok(about) => Ok(Some(about.size)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(bucket_error(UNREACHABLE, &error)),
        }
    }

    pub(super) async fn fetch(&self, key: &str, target: &Path) -> Result<(), ObjectError> {
        let answer = self.store.get(&self.place(key)).await.map_err(|error| match error {
            object_store::Error::NotFound { .. } => ObjectError::Missing(key.to_owned()),
            error => bucket_error("the object storage did not return the archive", &error),
        })?;
        let mut pieces = answer.into_stream();
        let mut file =
            tokio::fs::File::create_new(target).await.map_err(object_store_error("cannot copy an archive"))?;
        while let Some(piece) = pieces
            .try_next()
            .await
            .map_err(|error| bucket_error("the object storage did not return the archive", &error))?
        {
            file.write_all(&piece).await.map_err(object_store_error("cannot copy an archive"))?;
        }
        file.sync_all().await.map_err(object_store_error("cannot copy an archive"))
    }

    pub(super) async fn presign(&self, key: &str, name: &str, life: Duration) -> Result<String, ObjectError> {
        // only what may stand between quotes without escapes: the name comes from a host name and a label
        let name: String = name
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-') { c } else { '_' })
            .collect();
        let shown = [
            ("response-content-disposition", format!("attachment; filename=\"{name}\"")),
            ("response-content-type", "application/zip".to_owned()),
        ];
        let options = SignedUrlOptions::new().with_query(shown);
        let place = self.place(key);
        match timeout(SIGN_TIMEOUT, self.store.signed_url_opts(Method::GET, &place, life, &options)).await {
            Ok(signed) => signed.map(String::from).map_err(|error| bucket_error(UNSIGNED, &error)),
            Err(_) => Err(silent(UNSIGNED, SIGN_TIMEOUT)),
        }
    }

    pub(super) async fn delete(&self, key: &str) -> Result<(), ObjectError> {
        match self.store.delete(&self.place(key)).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(bucket_error("the object storage did not remove the archive", &error)),
        }
    }

    pub(super) async fn list(&self) -> Result<Vec<StoredObject>, ObjectError> {
        let found: Vec<_> = self
            .store
            .list(self.root())
            .try_collect()
            .await
            .map_err(|error| bucket_error("the object storage cannot be listed", &error))?;
        let object = |about: object_store::ObjectMeta| {
            let key = about.location.filename()?.strip_suffix(".zip")?.to_owned();
            let is_ours = checked(&key).is_ok() && about.location == self.place(&key);
            is_ours.then_some(StoredObject {
                key,
                size: about.size,
                since: u64::try_from(about.last_modified.timestamp()).unwrap_or(0),
            })
        };
        Ok(found.into_iter().filter_map(object).collect())
    }

    /// What lies before all archives, if anything.
    fn root(&self) -> Option<&Place> {
        (!self.prefix.as_ref().is_empty()).then_some(&self.prefix)
    }

    fn place(&self, key: &str) -> Place {
        self.prefix.clone().join(format!("{key}.zip"))
    }
}

/// Reads until a part is full or the file ends; returns how much there is.
async fn fill_part(file: &mut tokio::fs::File, part: &mut [u8]) -> std::io::Result<usize> {
    let mut length = 0;
    while length < part.len() {
        match file.read(&mut part[length..]).await? {
            0 => break,
            read => length += read,
        }
    }
    Ok(length)
}

fn silent(context: &str, time: Duration) -> ObjectError {
    ObjectError::Failed { context: context.to_owned(), cause: format!("no answer within {} s", time.as_secs()) }
}
