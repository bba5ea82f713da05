//! Webhooks: how they are delivered, and those of an organization.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use url::Url;

use fetch::ServerAddress;
use service::store::EventKind;
use service::tenant::{WebhookReceiver, WebhookSecret};
use service::webhook::{WebhookSettings, check_url};

use super::file::{self, ServiceFile};
use super::place::{At, ConfigProblems};
use super::secret::read_secret;

/// Longest time of a request, seconds.
const TIMEOUT_SECONDS: u64 = 60;

/// `[webhooks]`.
pub(super) fn webhook_settings(file: &ServiceFile, problems: &mut ConfigProblems<'_>) -> WebhookSettings {
    let (written, defaults) = (&file.webhooks, WebhookSettings::default());
    let mut seconds = |at: &Option<At<u64>>, default: Duration, most: u64| {
        let Some(at) = at else { return default };
        if !(1..=most).contains(&at.value) {
            problems.add(at, format_args!("from 1 to {most} seconds"));
        }
        Duration::from_secs(at.value)
    };
    let year = 31_536_000;
    let mut settings = WebhookSettings {
        timeout: seconds(&written.timeout_seconds, defaults.timeout, TIMEOUT_SECONDS),
        first_retry: seconds(&written.first_retry_seconds, defaults.first_retry, 3600),
        give_up_after: seconds(&written.give_up_after_seconds, defaults.give_up_after, year),
        disable_after: seconds(&written.disable_after_seconds, defaults.disable_after, year),
        allow_private: Vec::new(),
    };
    if let Some(list) = &written.allow_private {
        settings.allow_private =
            list.value.iter().filter_map(|text| problems.check(list, text.parse::<ServerAddress>())).collect();
    }
    settings
}

/// The webhooks of an organization.
pub(super) fn of_organization(
    written: &[file::WebhookTable],
    base: &Path,
    variable: &dyn Fn(&str) -> Option<String>,
    settings: &WebhookSettings,
    problems: &mut ConfigProblems<'_>,
) -> Vec<Arc<WebhookReceiver>> {
    let mut found: Vec<Arc<WebhookReceiver>> = Vec::new();
    for webhook in written {
        problems.check_id(&webhook.id);
        if found.iter().any(|other| other.id == webhook.id.value) {
            problems.add(&webhook.id, format_args!("the organization has a webhook `{}` already", webhook.id.value));
        }
        let mut secrets = Vec::new();
        for at in std::iter::once(&webhook.secret).chain(&webhook.previous_secret) {
            let text = problems.check(at, read_secret(&at.value, base, variable));
            let parsed = text.map(|text| WebhookSecret::parse(&text));
            secrets.extend(parsed.and_then(|parsed| problems.check(at, parsed)));
        }
        let url =
            read_secret(&webhook.url.value, base, variable).and_then(|text| check_webhook_address(&text, settings));
        let Some(url) = problems.check(&webhook.url, url) else { continue };
        let events = webhook.events.as_ref().map_or(EventKind::ALL.to_vec(), |list| check_event_kinds(list, problems));
        found.push(Arc::new(WebhookReceiver { id: webhook.id.value.clone(), url, secrets, events }));
    }
    found
}

fn check_webhook_address(text: &str, settings: &WebhookSettings) -> Result<Url, String> {
    // the text itself is not repeated: a part of it may be secret
    let url = Url::parse(text).map_err(|error| format!("no address: {error}"))?;
    check_url(&url, &settings.allow_private)?;
    Ok(url)
}

fn check_event_kinds(list: &At<Vec<String>>, problems: &mut ConfigProblems<'_>) -> Vec<EventKind> {
    let mut found = Vec::new();
    for word in &list.value {
        match EventKind::of(word) {
            Some(kind) => found.push(kind),
            None => {
                let words = EventKind::ALL.map(EventKind::word).join("`, `");
                problems.add(list, format_args!("`{word}` is none of `{words}`"));
            }
        }
    }
    if list.value.is_empty() {
        problems.add(list, "it would be told of nothing: leave `events` out for all");
    }
    found
}
