//! Webhooks: how they stand, what was sent to them, and that it is sent again.

use std::sync::Arc;

use axum::response::Response;

use crate::api::call::{KeyedCall, reply};
use crate::api::error_response::{ErrorResponse, unlisted};
use crate::api::idempotency::{Once, perform_once, remembered};
use crate::api::{fields, views};
use crate::store::WebhookState;
use crate::tenant::WebhookReceiver;
use crate::webhook::receiver;

async fn state(call: &KeyedCall, webhook: &WebhookReceiver) -> Result<WebhookState, ErrorResponse> {
    Ok(call.api.0.jobs.ledger().webhook_state(receiver(call.organization(), webhook)).await?)
}

/// Lists the webhooks of the organization.
pub(in crate::api) async fn list_webhooks(call: KeyedCall) -> Result<Response, ErrorResponse> {
    let mut found: Vec<(Arc<WebhookReceiver>, WebhookState)> = Vec::new();
    for webhook in &call.caller.organization().webhooks {
        found.push((Arc::clone(webhook), state(&call, webhook).await?));
    }
    Ok(reply(views::webhooks(&found)))
}

/// Sends to a webhook again.
pub(in crate::api) async fn enable(call: KeyedCall) -> Result<Response, ErrorResponse> {
    let webhook = Arc::clone(call.webhook()?);
    let (receiver, jobs) = (receiver(call.organization(), &webhook), call.api.0.jobs.clone());
    let effect = move |once: Option<Once>| async move {
        jobs.ledger().enable_webhook(receiver).await?;
        let answer = views::webhook(&webhook, &WebhookState::default());
        remembered(&jobs, once, answer).await
    };
    perform_once(&call, effect).await
}

/// Lists what was sent to a webhook.
pub(in crate::api) async fn deliveries(call: KeyedCall) -> Result<Response, ErrorResponse> {
    let filter = fields::delivery_filter(call.head.uri.query().unwrap_or_default())?;
    let page = call.api.0.jobs.ledger().deliveries(call.organization(), &call.webhook()?.id, filter).await;
    Ok(reply(views::deliveries(&page.map_err(unlisted)?)))
}

/// Returns a delivery.
pub(in crate::api) async fn show_delivery(call: KeyedCall) -> Result<Response, ErrorResponse> {
    Ok(reply(views::delivery(200, call.delivery()?)))
}

/// Sends a delivery again.
pub(in crate::api) async fn redeliver(call: KeyedCall) -> Result<Response, ErrorResponse> {
    let (delivery, jobs) = (call.delivery()?.clone(), call.api.0.jobs.clone());
    let effect = move |once: Option<Once>| async move {
        let (ledger, now) = (jobs.ledger(), jobs.now());
        let delivery = ledger.redeliver(&delivery.organization, &delivery.webhook, &delivery.id, now).await?;
        remembered(&jobs, once, views::delivery(202, &delivery)).await
    };
    perform_once(&call, effect).await
}
