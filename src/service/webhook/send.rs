//! One request to a receiver.

use std::sync::Arc;
use std::time::{Duration, Instant};

use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use tokio::time::timeout;

use crate::store::event::Attempt;
use crate::store::{Delivery, Time};
use crate::tenant::WebhookReceiver;
use fetch::{Client, DownloadFailure, DownloadLimits, FetchPolicy, ServerAddress, System};

use super::WebhookSettings;

/// How the client calls itself.
const AGENT: &str = concat!("offprint/", env!("CARGO_PKG_VERSION"));
/// Bytes of an answer that are read: what it says does not matter.
const ANSWER_BYTES: u64 = 16 << 10;

const ID: HeaderName = HeaderName::from_static("webhook-id");
const TIMESTAMP: HeaderName = HeaderName::from_static("webhook-timestamp");
const SIGNATURE: HeaderName = HeaderName::from_static("webhook-signature");

/// What may be requested: the open internet, and the servers that are named.
pub(super) fn policy(allow_private: &[ServerAddress], ports: &[u16]) -> FetchPolicy {
    FetchPolicy { allow_private: false, own: allow_private.to_vec(), ports: ports.to_vec() }
}

/// A client for receivers with these ports.
pub(super) fn webhook_client(settings: &WebhookSettings, ports: &[u16]) -> Result<Client, DownloadFailure> {
    let limits = DownloadLimits {
        bytes: ANSWER_BYTES,
        total: settings.timeout,
        head: settings.timeout,
        redirects: 0,
        ..DownloadLimits::default()
    };
    Client::new(policy(&settings.allow_private, ports), limits, Arc::new(System))
}

/// Sends a delivery. An answer of 200 to 299 has taken it.
pub(super) async fn send_delivery(
    client: &Client,
    webhook: &WebhookReceiver,
    delivery: &Delivery,
    limit: Duration,
) -> Attempt {
    let began = Instant::now();
    let sent = timeout(limit, send_delivery_once(client, webhook, delivery)).await;
    let (status, error) = match sent {
        Ok(Ok(status @ 200..=299)) => (Some(status), None),
        Ok(Ok(status @ 300..=399)) => {
            (Some(status), Some(format!("the answer is {status}: redirects are not followed")))
        }
        Ok(Ok(status)) => (Some(status), Some(format!("the answer is {status}"))),
        Ok(Err(refusal)) => (None, Some(refusal.to_string())),
        Err(_) => (None, Some("the answer takes too long".to_owned())),
    };
    let millis = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
    Attempt { at: Time::now(), millis, status, error }
}

async fn send_delivery_once(
    client: &Client,
    webhook: &WebhookReceiver,
    delivery: &Delivery,
) -> Result<u16, DownloadFailure> {
    let timestamp = Time::now().seconds();
    let signatures: Vec<String> =
        webhook.secrets.iter().map(|secret| secret.sign(&delivery.id, timestamp, &delivery.body)).collect();
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    for (name, value) in
        [(ID, delivery.id.clone()), (TIMESTAMP, timestamp.to_string()), (SIGNATURE, signatures.join(" "))]
    {
        // all of them are ASCII
        headers.extend(HeaderValue::try_from(value).ok().map(|value| (name, value)));
    }
    let body = delivery.body.clone().into_bytes();
    let mut answer = client.exchange(&webhook.url, AGENT, headers, Some(body)).await?;
    // so that the connection can be used again; an answer that is too long or broken is still one
    while let Ok(Some(_)) = answer.piece().await {}
    Ok(answer.status())
}
