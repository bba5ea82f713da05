//! `offprint serve --demo`: one organization, one project, everything in a temporary folder, and the commands to try.

use std::fs;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};

use base::hex::to_hex;

use service::api::{self, Api};
use service::tenant;

use super::super::scratch::Scratch;
use super::super::tell;

/// What the service listens on, if the port is free.
const PORT: u16 = 8080;
/// The documentation in a checkout of our own repository.
const FIXTURE: &str = "fixtures/docs";
const DOMAIN: &str = "docs.demo.example";

/// The configuration of the demo.
pub(super) struct Demo {
    folder: Scratch,
    key: String,
    source: PathBuf,
}

impl Demo {
    /// Writes one. `source` is a docs folder; else the fixture is shown, or the pages about the interface.
    pub(super) fn create(source: Option<&Path>) -> Result<Self, String> {
        let folder = Scratch::create("demo").map_err(|error| format!("cannot create a temporary folder: {error}"))?;
        let failed = |error: std::io::Error| format!("cannot write the configuration: {error}");
        let source = match source {
            Some(source) => source.to_owned(),
            None if Path::new(FIXTURE).join("docs.json").is_file() => PathBuf::from(FIXTURE),
            None => {
                let source = folder.0.join("source");
                for (path, content) in api::reference_pages(&format!("http://127.0.0.1:{PORT}")) {
                    let file = source.join(path);
                    file.parent()
                        .map_or(Ok(()), fs::create_dir_all)
                        .and_then(|()| fs::write(&file, content))
                        .map_err(failed)?;
                }
                source
            }
        };
        let source = import::find_source_root(&source)?;
        let source = fs::canonicalize(&source)
            .map_err(|error| format!("cannot read the source `{}`: {error}", source.display()))?;
        let (key, hash) = tenant::generate().map_err(|_| "the system has no random numbers".to_owned())?;
        // the port is only looked at: if it is taken meanwhile, the start fails with a message
        let port = if TcpListener::bind(("127.0.0.1", PORT)).is_ok() { PORT } else { 0 };
        let path = toml::Value::from(source.to_str().ok_or("the path of the source is not UTF-8")?);
        let text = format!(
            "[server]\nlisten = \"127.0.0.1:{port}\"\ndata_dir = \"data\"\n\n[[organizations]]\nid = \"demo\"\nplan = {{ static_export = true, preview = true }}\n\n\
             [[organizations.keys]]\nid = \"demo\"\nhash = \"{}\"\n\n[[projects]]\nid = \"docs\"\norganization = \"demo\"\ndomain = \"{DOMAIN}\"\nsource = {{ path = {path} }}\n",
            to_hex(&hash)
        );
        fs::write(folder.0.join("offprint.toml"), text).map_err(failed)?;
        Ok(Self { folder, key, source })
    }

    /// The configuration.
    pub(super) fn file(&self) -> PathBuf {
        self.folder.0.join("offprint.toml")
    }

    /// Prints commands to try.
    pub(super) fn tell(&self, api: &Api, address: SocketAddr) {
        let _ = api;
        let (key, source, file) = (&self.key, self.source.display(), self.file());
        tell(format_args!(
            "\
offprint serves {source} at http://{address}, and its own interface at http://{address}/docs/

Try, in another terminal:

  KEY={key}
  BASE=http://{address}

  # start an export, and see how it stands
  JOB=$(curl -sS $BASE/v1/static-export/jobs -H \"Authorization: Bearer $KEY\" \\
    -H 'Content-Type: application/json' -d '{{\"domain\":\"{DOMAIN}\"}}' | sed 's/.*\"jobId\":\"\\([^\"]*\\).*/\\1/')
  curl -sS -N $BASE/v1/static-export/jobs/$JOB/events -H \"Authorization: Bearer $KEY\"

  # a link to the bundle, and the bundle
  curl -sS -X POST $BASE/v1/static-export/jobs/$JOB/bundle -H \"Authorization: Bearer $KEY\" | tee bundle.json
  curl -sS -o site.zip \"$(sed 's/.*\"bundleUrl\":\"\\([^\"]*\\).*/\\1/' bundle.json)\"
  offprint verify site.zip

  # the same site as production
  curl -sS -X POST $BASE/v1/project/update/docs -H \"Authorization: Bearer $KEY\"
  curl -sS -H 'Host: {DOMAIN}' $BASE/ | head

The configuration is {}. All data is removed at Ctrl-C.",
            file.display()
        ));
    }
}
