//! Addresses and forms for the realm, as browsers read and write them.

use serde_json::{Value as Json, json};
use url::{Url, form_urlencoded, quirks};

/// Longest text that is read.
const MAX_TEXT_BYTES: usize = 1 << 20;

/// What `realm/platform.js` calls: the parts of an address (`read`, with its base; `set host` and its like, with the
/// new value), the pairs of a form (`pairs`), or the form of pairs (`form`). The answer is JSON; there is none for what
/// is no address.
pub(super) fn answer_url_call(operation: &str, text: &str, more: &str) -> Option<String> {
    if text.len() + more.len() > MAX_TEXT_BYTES {
        return None;
    }
    let answer = match operation {
        "pairs" => form_urlencoded::parse(text.as_bytes()).map(|(name, value)| json!([name, value])).collect(),
        "form" => {
            let pairs: Vec<(String, String)> = serde_json::from_str(text).ok()?;
            Json::String(form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish())
        }
        "read" => {
            let base = if more.is_empty() { None } else { Some(Url::parse(more).ok()?) };
            url_parts(&Url::options().base_url(base.as_ref()).parse(text).ok()?)
        }
        _ => {
            let mut url = Url::parse(text).ok()?;
            set_url_part(&mut url, operation.strip_prefix("set ")?, more)?;
            url_parts(&url)
        }
    };
    Some(answer.to_string())
}

/// Sets a part. A value that it cannot have changes nothing, but a whole address that is none is refused.
fn set_url_part(url: &mut Url, part: &str, value: &str) -> Option<()> {
    let _ = match part {
        "href" => return quirks::set_href(url, value).ok(),
        "protocol" => quirks::set_protocol(url, value),
        "username" => quirks::set_username(url, value),
        "password" => quirks::set_password(url, value),
        "host" => quirks::set_host(url, value),
        "hostname" => quirks::set_hostname(url, value),
        "port" => quirks::set_port(url, value),
        "pathname" => {
            quirks::set_pathname(url, value);
            Ok(())
        }
        "search" => {
            quirks::set_search(url, value);
            Ok(())
        }
        _ => {
            quirks::set_hash(url, value);
            Ok(())
        }
    };
    Some(())
}

fn url_parts(url: &Url) -> Json {
    json!({
        "href": quirks::href(url), "origin": quirks::origin(url), "protocol": quirks::protocol(url), "username": quirks::username(url),
        "password": quirks::password(url), "host": quirks::host(url), "hostname": quirks::hostname(url), "port": quirks::port(url),
        "pathname": quirks::pathname(url), "search": quirks::search(url), "hash": quirks::hash(url),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_browsers_read_them() {
        let read = |text: &str, base: &str| {
            answer_url_call("read", text, base)
                .map(|parts| serde_json::from_str::<Json>(&parts).unwrap()["href"].as_str().unwrap().to_owned())
        };
        assert_eq!(
            read("HTTPS://Bücher.example:443/a/../b c?q=ä#x y", "").as_deref(),
            Some("https://xn--bcher-kva.example/b%20c?q=%C3%A4#x%20y")
        );
        assert_eq!(read("../c?d", "https://x.y/a/b").as_deref(), Some("https://x.y/c?d"));
        assert_eq!(read("/c", ""), None);
        assert_eq!(read("/c", "nowhere"), None);
    }

    #[test]
    fn forms_are_read_and_written() {
        assert_eq!(
            answer_url_call("pairs", "a=1&b=x+y%20%C3%A4&c", "").as_deref(),
            Some(r#"[["a","1"],["b","x y ä"],["c",""]]"#)
        );
        assert_eq!(answer_url_call("form", r#"[["a b","ä&*-._~"]]"#, "").as_deref(), Some("\"a+b=%C3%A4%26*-._%7E\""));
    }
}
