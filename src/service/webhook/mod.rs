//! Webhooks by the specification Standard Webhooks: receivers of an organization are told of ends of its work, at least
//! once.
//!
//! 1. The ledger writes an event with the end of each piece of work. Here each becomes one delivery for every receiver
//!    that wants it, with the text that is sent.
//! 2. Deliveries that are due are taken under a lease, so that of several nodes one sends. One whose node dies is due
//!    again when the lease ends.
//! 3. `send` signs a delivery and sends it, guarded as every request to addresses that others name: private networks are
//!    refused unless the operator names the server, redirects are not followed, time and answer are bounded.
//! 4. What is not taken is tried again, later and later (`backoff`), for three days. A receiver that takes nothing for
//!    days, or says that it is gone, is disabled until its organization enables it.

mod backoff;
mod send;

use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::job::Service;
use crate::store::event::{Attempt, TryVerdict};
use crate::store::{Delivery, EventSubject, Receiver, StoreError, Time, WorkEvent};
use crate::tenant::WebhookReceiver;
use base::traces::{DeliverySpan, record_delivery};
use fetch::{Client, DownloadFailure, ServerAddress};

/// Deliveries that are sent at the same time.
const MAX_SENDING: usize = 16;
/// Events that are turned into deliveries at a time.
const BATCH_EVENTS: usize = 64;
/// How often it is looked for deliveries that are due.
const POLL_INTERVAL: Duration = Duration::from_millis(500);
/// How long to wait for a store that does not work.
const RETRY_DELAY: Duration = Duration::from_secs(1);
/// How long a node has for a try beyond the time limit of the request.
const LEASE_MARGIN: Duration = Duration::from_secs(15);
/// How long deliveries under way are waited for at the end.
const STOP_TIME: Duration = Duration::from_secs(5);

/// How webhooks are delivered; fixed while the service runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookSettings {
    /// Servers that may have a private address, and may be spoken to without TLS.
    pub allow_private: Vec<ServerAddress>,
    /// Longest time of a request.
    pub timeout: Duration,
    /// Time to the second try; later ones come later and later.
    pub first_retry: Duration,
    /// How long a delivery is tried.
    pub give_up_after: Duration,
    /// How long a receiver may take nothing before it is disabled.
    pub disable_after: Duration,
}

impl Default for WebhookSettings {
    fn default() -> Self {
        const DAY: Duration = Duration::from_secs(86_400);
        Self {
            allow_private: Vec::new(),
            timeout: Duration::from_secs(15),
            first_retry: Duration::from_secs(5),
            give_up_after: DAY * 3,
            disable_after: DAY * 5,
        }
    }
}

/// What is read from the configuration when it is needed, and how records look outside.
pub trait Receivers: Send + Sync {
    /// The receivers of an organization.
    fn webhooks(&self, organization: &str) -> Vec<Arc<WebhookReceiver>>;
    /// Ports of all receivers.
    fn ports(&self) -> Vec<u16>;
    /// The record of an event, as the interface shows it.
    fn data(&self, subject: &EventSubject) -> Value;
}

/// Delivers. Cheap to clone.
#[derive(Clone)]
pub struct WebhookSender(Arc<WebhookInner>);

struct WebhookInner {
    jobs: Service,
    receivers: Arc<dyn Receivers>,
    settings: WebhookSettings,
    /// Speaks to the ports of the receivers that are configured now.
    client: ArcSwap<(Vec<u16>, Client)>,
}

impl WebhookSender {
    /// Sends what the ledger of a service has for receivers. Nothing is done before [`WebhookSender::run`].
    ///
    /// # Errors
    /// The system has no usable TLS set-up.
    pub fn new(
        jobs: Service,
        receivers: Arc<dyn Receivers>,
        settings: WebhookSettings,
    ) -> Result<Self, DownloadFailure> {
        let ports = receivers.ports();
        let client = send::webhook_client(&settings, &ports)?;
        let client = ArcSwap::from_pointee((ports, client));
        Ok(Self(Arc::new(WebhookInner { jobs, receivers, settings, client })))
    }

    /// Delivers until `stop` is ready.
    pub async fn run(&self, stop: impl Future<Output = ()>) {
        let mut sending = JoinSet::new();
        tokio::pin!(stop);
        loop {
            let pause = match self.turn(&mut sending).await {
                Ok(()) => POLL_INTERVAL,
                Err(error) => {
                    tracing::error!(%error, "webhooks cannot be delivered");
                    RETRY_DELAY
                }
            };
            tokio::select! {
                () = sleep(pause) => {}
                Some(_) = sending.join_next() => {}
                () = &mut stop => break,
            }
        }
        let ended = async { while sending.join_next().await.is_some() {} };
        // what is cut off is sent again when its lease ends
        let _ = timeout(STOP_TIME, ended).await;
    }

    /// Turns events into deliveries, and begins to send those that are due.
    async fn turn(&self, sending: &mut JoinSet<()>) -> Result<(), StoreError> {
        let WebhookInner { jobs, settings, .. } = &*self.0;
        let mut unsubscribed = Vec::new();
        for (row, event) in jobs.ledger().pending_events(BATCH_EVENTS).await? {
            let receivers = self.receivers_of(&event);
            if receivers.is_empty() {
                unsubscribed.push(row);
            } else {
                jobs.ledger().expand_event(&row, receivers, self.body(&event), jobs.now()).await?;
            }
        }
        if !unsubscribed.is_empty() {
            jobs.ledger().drop_events(unsubscribed).await?;
        }
        while sending.try_join_next().is_some() {}
        while sending.len() < MAX_SENDING {
            let lease = settings.timeout + LEASE_MARGIN;
            let Some(delivery) = jobs.ledger().claim_delivery(lease, jobs.now()).await? else { break };
            let webhooks = self.clone();
            let span = DeliverySpan::begin(&delivery.id, &delivery.organization, &delivery.webhook);
            sending.spawn(span.run(async move { webhooks.deliver(delivery).await }));
        }
        Ok(())
    }

    fn receivers_of(&self, event: &WorkEvent) -> Vec<Receiver> {
        let webhooks = self.0.receivers.webhooks(&event.organization);
        let subscribed = webhooks.iter().filter(|webhook| webhook.events.contains(&event.kind));
        subscribed.map(|webhook| receiver(&event.organization, webhook)).collect()
    }

    /// What is sent: the same text in every try.
    fn body(&self, event: &WorkEvent) -> String {
        let data = self.0.receivers.data(&event.subject);
        json!({ "type": event.kind.word(), "timestamp": event.at.to_string(), "data": data }).to_string()
    }

    /// Tries a delivery, and writes down how it went.
    async fn deliver(&self, delivery: Delivery) {
        let WebhookInner { jobs, receivers, settings, .. } = &*self.0;
        let all = receivers.webhooks(&delivery.organization);
        let webhook = all.iter().find(|webhook| webhook.id == delivery.webhook);
        let (attempt, verdict) = match webhook {
            Some(webhook) => self.attempt(webhook, &delivery).await,
            None => {
                let error = Some("the webhook is no longer configured".to_owned());
                (Attempt { at: Time::now(), millis: 0, status: None, error }, TryVerdict::GiveUp)
            }
        };
        let result = match verdict {
            TryVerdict::Delivered => "delivered",
            TryVerdict::Retry(_) => "retried",
            TryVerdict::GiveUp | TryVerdict::Disable => "failed",
        };
        metrics::counter!("offprint_webhook_deliveries_total", "result" => result).increment(1);
        record_delivery(result, attempt.status);
        let Delivery { id, organization, webhook: name, attempts, .. } = &delivery;
        let (status, error) = (attempt.status, attempt.error.clone());
        tracing::info!(id, organization, webhook = name, attempts, result, status, error, "a webhook was tried");
        let receiver = webhook.map(|webhook| receiver(organization, webhook));
        let ended = (attempt, verdict);
        match jobs.ledger().settle_delivery(&delivery, receiver, ended, settings.disable_after, jobs.now()).await {
            Ok(false) => {}
            Ok(true) => {
                metrics::counter!("offprint_webhooks_disabled_total").increment(1);
                tracing::warn!(
                    organization,
                    webhook = name,
                    "a webhook is disabled: it has taken nothing for too long"
                );
            }
            // asked for again meanwhile
            Err(StoreError::Lost) => {}
            Err(error) => tracing::error!(id, %error, "the end of a delivery cannot be written"),
        }
    }

    async fn attempt(&self, webhook: &WebhookReceiver, delivery: &Delivery) -> (Attempt, TryVerdict) {
        let settings = &self.0.settings;
        let client = match self.client() {
            Ok(client) => client,
            Err(refusal) => {
                let error = Some(refusal.to_string());
                return (Attempt { at: Time::now(), millis: 0, status: None, error }, TryVerdict::GiveUp);
            }
        };
        let attempt = send::send_delivery(&client, webhook, delivery, settings.timeout).await;
        let verdict = match attempt.status {
            _ if attempt.error.is_none() => TryVerdict::Delivered,
            // the receiver says that it does not want any more (Standard Webhooks)
            Some(410) => TryVerdict::Disable,
            _ if Time::now().since(delivery.created_at.max(delivery.since)) >= settings.give_up_after => {
                TryVerdict::GiveUp
            }
            _ => TryVerdict::Retry(backoff::delay(settings.first_retry, delivery.attempts, backoff::chance())),
        };
        (attempt, verdict)
    }

    /// The client for the receivers that are configured now.
    fn client(&self) -> Result<Client, DownloadFailure> {
        let ports = self.0.receivers.ports();
        let current = self.0.client.load_full();
        if current.0 == ports {
            return Ok(current.1.clone());
        }
        let client = send::webhook_client(&self.0.settings, &ports)?;
        self.0.client.store(Arc::new((ports, client.clone())));
        Ok(client)
    }
}

/// A receiver as the store names it.
pub fn receiver(organization: &str, webhook: &WebhookReceiver) -> Receiver {
    Receiver { organization: organization.to_owned(), webhook: webhook.id.clone(), address: webhook.address() }
}

/// Whether the address of a receiver may be used, judged by what it says; that of its name is judged when it is sent to.
///
/// # Errors
/// What would be right.
pub fn check_url(url: &url::Url, allow_private: &[ServerAddress]) -> Result<(), String> {
    let port = url.port_or_known_default().unwrap_or(443);
    let policy = send::policy(allow_private, &[port]);
    policy.check_url(url).map_err(|refusal| refusal.to_string())?;
    let is_own = allow_private.iter().any(|server| server.is_of(url));
    if url.scheme() != "https" && !is_own {
        return Err("`https://` is needed, except for servers of `webhooks.allow_private`".to_owned());
    }
    Ok(())
}
