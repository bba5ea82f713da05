//! Scripts of analytics services that `integrations` of docs.json names. They load from elsewhere, so a bundle has them
//! only if an option enables it.

use serde_json::Value;

use base::{Diagnostic, html};
use site::config::Config;

/// The tags for the head of every page, and a warning for each service that has none here.
pub fn analytics_tags(config: &Config, domain: Option<&str>) -> (String, Vec<Diagnostic>) {
    let mut out = String::new();
    let mut diagnostics = Vec::new();
    for (name, settings) in &config.integrations {
        match analytics_tag(name, settings, domain) {
            Some(tag) => out.push_str(&tag),
            None if matches!(name.as_str(), "telemetry" | "cookies") => {}
            None => {
                let message = format!("`integrations.{name}` is left out: it is not supported, or a value is missing");
                let hint = "supported are ga4, gtm, plausible, posthog, fathom, pirsch, clarity and koala";
                diagnostics.push(
                    Diagnostic::new("integration-left-out", message).at("docs.json", 0, 0).about(name).hint(hint),
                );
            }
        }
    }
    if out.is_empty() {
        let message = "analytics is on and has no effect: `integrations` of docs.json has no supported service";
        diagnostics.push(
            Diagnostic::new("analytics-empty", message)
                .at("docs.json", 0, 0)
                .hint("add one, for example `\"plausible\": {\"domain\": \"docs.example.com\"}`"),
        );
    }
    (out, diagnostics)
}

fn analytics_tag(name: &str, settings: &Value, domain: Option<&str>) -> Option<String> {
    let text = |key: &str| settings.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
    // host names and ids go into addresses and strings: nothing else may
    let plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.:/".contains(&byte));
    let value = |key: &str| text(key).filter(|text| plain(text));
    let load = |src: String, more: &str| format!("<script defer src=\"{}\"{more}></script>\n", html::attr(&src));
    Some(match name {
        "ga4" => {
            let id = value("measurementId")?;
            let start = format!(
                "<script>window.dataLayer=window.dataLayer||[];function gtag(){{dataLayer.push(arguments)}}gtag(\"js\",new Date());gtag(\"config\",\"{id}\")</script>\n"
            );
            start + &load(format!("https://www.googletagmanager.com/gtag/js?id={id}"), "")
        }
        "gtm" => {
            let id = value("tagId")?;
            let start = "<script>window.dataLayer=window.dataLayer||[];dataLayer.push({\"gtm.start\":Date.now(),event:\"gtm.js\"})</script>\n";
            start.to_owned() + &load(format!("https://www.googletagmanager.com/gtm.js?id={id}"), "")
        }
        "plausible" => {
            let site = value("domain").or(domain)?;
            let server = value("server").unwrap_or("plausible.io").trim_start_matches("https://").trim_end_matches('/');
            load(format!("https://{server}/js/script.js"), &format!(" data-domain=\"{site}\""))
        }
        "posthog" => {
            let key = value("apiKey")?;
            let host = value("apiHost").unwrap_or("https://us.i.posthog.com").trim_end_matches('/');
            let recording = settings.get("sessionRecording").and_then(Value::as_bool).unwrap_or(false);
            let start = format!(
                " onload='posthog.init(\"{key}\",{{api_host:\"{host}\",disable_session_recording:{}}})'",
                !recording
            );
            load(format!("{host}/static/array.js"), &start)
        }
        "fathom" => {
            load("https://cdn.usefathom.com/script.js".to_owned(), &format!(" data-site=\"{}\"", value("siteId")?))
        }
        "pirsch" => {
            load("https://api.pirsch.io/pa.js".to_owned(), &format!(" id=\"pianjs\" data-code=\"{}\"", value("id")?))
        }
        "clarity" => load(format!("https://www.clarity.ms/tag/{}", value("projectId")?), ""),
        "koala" => load(format!("https://cdn.getkoala.com/v1/{}/sdk.js", value("publicApiKey")?), ""),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(json: Value, expect: &[&str], problems: &[&str]) {
        let integrations = json
            .as_object()
            .map(|members| members.iter().map(|(key, value)| (key.clone(), value.clone())).collect())
            .unwrap_or_default();
        let (tags, diagnostics) =
            analytics_tags(&Config { integrations, ..Config::default() }, Some("docs.example.com"));
        assert_eq!(tags.matches("src=").count(), expect.len(), "{tags}");
        assert!(expect.iter().all(|part| tags.contains(part)), "{tags}");
        assert_eq!(diagnostics.iter().map(|it| it.code).collect::<Vec<_>>(), problems);
    }

    #[test]
    fn services_have_their_scripts() {
        check(
            serde_json::json!({"ga4": {"measurementId": "G-1"}, "plausible": {}, "posthog": {"apiKey": "phc_x"}, "telemetry": {"enabled": false}}),
            &["gtag/js?id=G-1\"", "data-domain=\"docs.example.com\"", "https://us.i.posthog.com/static/array.js"],
            &[],
        );
        check(serde_json::json!({"heap": {"appId": "1"}}), &[], &["integration-left-out", "analytics-empty"]);
    }

    #[test]
    fn values_cannot_become_code() {
        check(
            serde_json::json!({"ga4": {"measurementId": "G-1\"</script><script>alert(1)"}}),
            &[],
            &["integration-left-out", "analytics-empty"],
        );
    }
}
