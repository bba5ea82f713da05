//! Files with certificates and secrets. They are read again on request, and by themselves when they have
//! changed: not every operator can send a signal.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::ArcSwapOption;
use rustls::ServerConfig;

use super::credentials::{OperatorToken, SiteReaders};
use super::fingerprint::Fingerprint;
use super::{HostOptions, tls::read_tls_config};

/// What was read.
pub(super) struct ReadFiles {
    /// The certificates for connections, if these are encrypted.
    pub(super) certificates: ArcSwapOption<ServerConfig>,
    /// The token of operators of the server.
    pub(super) token: ArcSwapOption<OperatorToken>,
    /// Readers, by site.
    pub(super) readers: Vec<ArcSwapOption<SiteReaders>>,
    known: Mutex<Vec<FileGroup>>,
}

/// Files that are read together.
struct FileGroup {
    what: FilePurpose,
    paths: Vec<PathBuf>,
    /// How they looked when they were read last.
    fingerprints: Vec<Option<Fingerprint>>,
}

#[derive(Clone, Copy)]
enum FilePurpose {
    /// Chain and key.
    Certificates,
    Token,
    /// Of this site.
    Readers(usize),
}

impl ReadFiles {
    pub(super) fn new(options: &HostOptions) -> Self {
        let one = |what, path: &Path| FileGroup { what, paths: vec![path.to_owned()], fingerprints: Vec::new() };
        let tls = options.tls.as_ref().map(|(chain, key)| FileGroup {
            what: FilePurpose::Certificates,
            paths: vec![chain.clone(), key.clone()],
            fingerprints: Vec::new(),
        });
        let token = options.token.as_deref().map(|path| one(FilePurpose::Token, path));
        let readers = options
            .sites
            .iter()
            .enumerate()
            .filter_map(|(index, site)| Some(one(FilePurpose::Readers(index), site.readers.as_deref()?)));
        Self {
            certificates: ArcSwapOption::empty(),
            token: ArcSwapOption::empty(),
            readers: options.sites.iter().map(|_| ArcSwapOption::empty()).collect(),
            known: Mutex::new(tls.into_iter().chain(token).chain(readers).collect()),
        }
    }

    /// Reads all of them, or only what has changed; gives what is wrong. What cannot be read keeps its meaning.
    pub(super) fn read(&self, all: bool) -> Vec<String> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut wrong = Vec::new();
        for files in known.iter_mut() {
            let fingerprints: Vec<_> = files.paths.iter().map(|path| Fingerprint::at(path)).collect();
            if all || fingerprints != files.fingerprints {
                files.fingerprints = fingerprints;
                wrong.extend(self.read_one(files.what, &files.paths).err());
            }
        }
        wrong
    }

    fn read_one(&self, what: FilePurpose, paths: &[PathBuf]) -> Result<(), String> {
        match (what, paths) {
            (FilePurpose::Certificates, [chain, key]) => self.certificates.store(Some(read_tls_config(chain, key)?)),
            (FilePurpose::Token, [path]) => self.token.store(Some(Arc::new(OperatorToken::read(path)?))),
            (FilePurpose::Readers(index), [path]) => {
                let read = SiteReaders::read(path)?;
                if let Some(readers) = self.readers.get(index) {
                    readers.store(Some(Arc::new(read)));
                }
            }
            _ => {}
        }
        Ok(())
    }
}
