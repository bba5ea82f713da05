//! Variables in the place of keys: `OFFPRINT_<TABLE>_<KEY>`.

use super::file::ServiceFile;
use super::place::{At, ConfigProblems, ValueOrigin};

/// Puts what variables say in the place of what the file says.
pub(super) fn overlay(
    file: &mut ServiceFile,
    variable: &dyn Fn(&str) -> Option<String>,
    problems: &mut ConfigProblems<'_>,
) {
    let mut environment = Environment { variable, problems };
    let server = &mut file.server;
    environment.text("SERVER_LISTEN", &mut server.listen);
    environment.text("SERVER_PUBLIC_URL", &mut server.public_url);
    environment.text("SERVER_PREVIEW_URL", &mut server.preview_url);
    environment.text("SERVER_DATA_DIR", &mut server.data_dir);
    environment.list("SERVER_TRUSTED_PROXIES", &mut server.trusted_proxies);
    environment.text("SERVER_METRICS_LISTEN", &mut server.metrics_listen);
    environment.number("SERVER_WORKERS", &mut server.workers);
    environment.text("SERVER_ISOLATION", &mut server.isolation);
    environment.text("PREVIEWS_ACCESS", &mut file.previews.access);
    environment.text("PREVIEWS_READERS", &mut file.previews.readers);
    environment.number("PREVIEWS_PASSWORD_FAILURES", &mut file.previews.password_failures);
    environment.number("PREVIEWS_LOCK_SECONDS", &mut file.previews.lock_seconds);
    let bundles = &mut file.bundles;
    environment.number("BUNDLES_LINK_TTL_SECONDS", &mut bundles.link_ttl_seconds);
    environment.number("BUNDLES_RETENTION_SECONDS", &mut bundles.retention_seconds);
    environment.number("BUNDLES_KEEP_LAST", &mut bundles.keep_last);
    environment.secret("BUNDLES_SIGNING_KEY", &mut bundles.signing_key);
    environment.list("BUNDLES_PREVIOUS_SIGNING_KEYS", &mut bundles.previous_signing_keys);
    environment.secret("BUNDLES_MINISIGN_KEY", &mut bundles.minisign_key);
    environment.secret("BUNDLES_MINISIGN_PASSWORD", &mut bundles.minisign_password);
    environment.text("STORE_URL", &mut file.store.url);
    environment.text("STORAGE_URL", &mut file.storage.url);
    environment.number("STORAGE_CACHE_BYTES", &mut file.storage.cache_bytes);
    environment.list("GIT_ALLOW_PROTOCOLS", &mut file.git.allow_protocols);
    let limits = &mut file.limits;
    environment.number("LIMITS_PREVIEWS_PER_MINUTE", &mut limits.previews_per_minute);
    environment.number("LIMITS_EXPORTS_RUNNING", &mut limits.exports_running);
    environment.number("LIMITS_EXPORTS_QUEUED", &mut limits.exports_queued);
    environment.number("LIMITS_AGENT_CALLS_PER_HOUR", &mut limits.agent_calls_per_hour);
    environment.number("LIMITS_BUNDLE_LINKS_PER_MINUTE", &mut limits.bundle_links_per_minute);
    environment.number("LIMITS_AUTH_FAILURES_PER_MINUTE", &mut limits.auth_failures_per_minute);
    environment.number("LIMITS_JOB_SECONDS", &mut limits.job_seconds);
    environment.text("AUDIT_LOG", &mut file.audit.log);
    if let Some(is_on) = environment.flag("AUDIT_READS") {
        file.audit.reads = Some(is_on);
    }
    if let Some(is_on) = environment.flag("CONSOLE_ENABLED") {
        file.console.enabled = is_on;
    }
    let webhooks = &mut file.webhooks;
    environment.list("WEBHOOKS_ALLOW_PRIVATE", &mut webhooks.allow_private);
    environment.number("WEBHOOKS_TIMEOUT_SECONDS", &mut webhooks.timeout_seconds);
    environment.number("WEBHOOKS_FIRST_RETRY_SECONDS", &mut webhooks.first_retry_seconds);
    environment.number("WEBHOOKS_GIVE_UP_AFTER_SECONDS", &mut webhooks.give_up_after_seconds);
    environment.number("WEBHOOKS_DISABLE_AFTER_SECONDS", &mut webhooks.disable_after_seconds);
    let agent = &mut file.agent;
    environment.list("AGENT_COMMAND", &mut agent.command);
    environment.text("AGENT_MODEL", &mut agent.model);
    environment.number("AGENT_TIMEOUT_SECONDS", &mut agent.timeout_seconds);
    environment.number("AGENT_ARCHIVE_AFTER_SECONDS", &mut agent.archive_after_seconds);
}

struct Environment<'a, 'b> {
    variable: &'a dyn Fn(&str) -> Option<String>,
    problems: &'a mut ConfigProblems<'b>,
}

impl Environment<'_, '_> {
    fn value(&self, name: &str) -> Option<At<String>> {
        let name = format!("OFFPRINT_{name}");
        (self.variable)(&name).map(|value| At { value, origin: ValueOrigin::Variable(name) })
    }

    fn text(&self, name: &str, key: &mut Option<At<String>>) {
        if let Some(value) = self.value(name) {
            *key = Some(value);
        }
    }

    fn secret(&self, name: &str, key: &mut Option<At<toml::Value>>) {
        if let Some(value) = self.value(name) {
            *key = Some(value.with(toml::Value::String(value.value.clone())));
        }
    }

    /// An empty value is an empty list.
    fn list<T: From<String>>(&self, name: &str, key: &mut Option<At<Vec<T>>>) {
        if let Some(value) = self.value(name) {
            let words = value.value.split(',').map(str::trim).filter(|word| !word.is_empty());
            let words = words.map(|word| T::from(word.to_owned())).collect();
            *key = Some(value.with(words));
        }
    }

    fn flag(&mut self, name: &str) -> Option<bool> {
        let value = self.value(name)?;
        let is_on = value.value.trim().parse().ok();
        if is_on.is_none() {
            self.problems.add(&value, format_args!("`{}` is neither `true` nor `false`", value.value));
        }
        is_on
    }

    fn number(&mut self, name: &str, key: &mut Option<At<u64>>) {
        let Some(value) = self.value(name) else { return };
        match value.value.trim().parse() {
            Ok(number) => *key = Some(value.with(number)),
            Err(_) => self.problems.add(&value, format_args!("`{}` is no number", value.value)),
        }
    }
}
