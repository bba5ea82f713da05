//! Downloads that their caller controls: the head of an answer first, then its body piece by piece. For what is large
//! enough to be resumed, and for what takes more than one request.

use reqwest::header::{ACCEPT_ENCODING, CONTENT_ENCODING, HeaderMap, HeaderValue};
use reqwest::{Method, Response};
use tokio::time::timeout;
use url::Url;

use super::{Client, DownloadFailure, host_of, refusal};

/// A download that has begun.
#[derive(Debug)]
pub struct Download {
    url: Url,
    answer: Response,
    idle: std::time::Duration,
    /// Bytes that may still come.
    left: u64,
    limit: u64,
}

impl Client {
    /// Requests `url` without following redirects: with POST if there is a `body`, with GET otherwise. A redirect
    /// is given as it is, so that no other server gets what stands in `more`, credentials for one. The bytes come as
    /// they are: no coding is requested.
    ///
    /// # Errors
    /// There is no answer, or one that must not be read.
    pub async fn exchange(
        &self,
        url: &Url,
        agent: &str,
        mut more: HeaderMap,
        body: Option<Vec<u8>>,
    ) -> Result<Download, DownloadFailure> {
        more.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        self.policy.check_url(url)?;
        let method = if body.is_some() { Method::POST } else { Method::GET };
        let answer = self.ask_with(method, url, agent, more, body).await?;
        self.begin(url.clone(), answer)
    }

    fn begin(&self, url: Url, answer: Response) -> Result<Download, DownloadFailure> {
        let coding = answer.headers().get(CONTENT_ENCODING).and_then(|coding| coding.to_str().ok()).unwrap_or_default();
        if !matches!(coding, "" | "identity") {
            return Err(DownloadFailure::Encoding(coding.chars().take(40).collect()));
        }
        Ok(Download { url, answer, idle: self.limits.idle, left: self.limits.bytes, limit: self.limits.bytes })
    }
}

impl Download {
    /// The status of the answer.
    pub fn status(&self) -> u16 {
        self.answer.status().as_u16()
    }

    /// Its headers.
    pub fn headers(&self) -> &HeaderMap {
        self.answer.headers()
    }

    /// The next bytes of its body; nothing at its end.
    ///
    /// # Errors
    /// The body broke off, stands still, or is larger than may be.
    pub async fn piece(&mut self) -> Result<Option<impl AsRef<[u8]> + use<>>, DownloadFailure> {
        let piece =
            timeout(self.idle, self.answer.chunk()).await.map_err(|_| DownloadFailure::Slow(host_of(&self.url)))?;
        let Some(piece) = piece.map_err(|error| refusal(&error, &self.url))? else { return Ok(None) };
        self.left = self.left.checked_sub(piece.len() as u64).ok_or(DownloadFailure::TooLarge(self.limit))?;
        Ok(Some(piece))
    }
}
