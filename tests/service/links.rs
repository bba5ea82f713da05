//! Section 7 of the contract.

use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::service::client::{Answer, ask};
use crate::service::server::{Server, folder_source, key, organization_with, shared, site, split, wait};

/// A job and a link to its archive.
fn link() -> &'static (String, String) {
    static LINK: OnceLock<(String, String)> = OnceLock::new();
    LINK.get_or_init(|| {
        let job = shared().export("links")["jobId"].as_str().unwrap().to_owned();
        let link = fresh(&job);
        (job, link)
    })
}

fn fresh(job: &str) -> String {
    shared()
        .send(&ask("POST", format!("/v1/static-export/jobs/{job}/bundle")).key(&key("links")))
        .is(200)
        .string("bundleUrl")
}

fn get(headers: &[(&str, &str)]) -> Answer {
    shared().get_link(&link().1, headers)
}

#[test]
fn e_lnk_1_and_2_links_have_a_shape() {
    let (job, link) = link();
    assert!(
        link.len() <= 1024 && link.chars().all(|c| c.is_ascii_alphanumeric() || "._~:/?&=%-".contains(c)),
        "{link}"
    );
    let (path, query) = split(link).1.split_once('?').map(|(path, query)| (path.to_owned(), query.to_owned())).unwrap();
    assert!(path.starts_with(&format!("/bundles/{job}/")) && path.ends_with(".zip"));
    let names: Vec<&str> = query.split('&').filter_map(|pair| pair.split_once('=')).map(|(name, _)| name).collect();
    assert_eq!(names, ["exp", "iat", "kid", "sig"]);
    assert_eq!(query.rsplit_once("sig=").unwrap().1.len(), 43);
}

#[test]
fn e_lnk_5_a_download_says_what_it_is() {
    let answer = get(&[]);
    let length = answer.is(200).body.len().to_string();
    let digest = answer.header("etag").unwrap().trim_matches('"').to_owned();
    assert_eq!(digest.len(), 64);
    for (name, value) in [
        ("content-type", "application/zip"),
        ("content-length", &length),
        ("accept-ranges", "bytes"),
        ("cache-control", "private, no-store"),
        ("referrer-policy", "no-referrer"),
        ("x-content-type-options", "nosniff"),
    ] {
        assert_eq!(answer.header(name), Some(value));
    }
    assert!(answer.header("repr-digest").is_some_and(|value| value.starts_with("sha-256=:") && value.ends_with("=:")));
    assert!(
        answer.header("content-disposition").is_some_and(|value| value
            .starts_with("attachment; filename=\"links.example-")
            && value.ends_with(".zip\""))
    );
    let (host, target) = split(&link().1);
    let head = shared().send(&ask("HEAD", target).header("Host", host));
    assert_eq!(head.is(200).clone().without_chance().headers, answer.without_chance().headers);
}

#[test]
fn e_lnk_6_parts_and_conditions() {
    let whole = get(&[]);
    let size = whole.body.len();
    let tag = whole.header("etag").unwrap().to_owned();
    let part = get(&[("Range", "bytes=10-19")]);
    assert_eq!(
        (part.is(206).body.as_slice(), part.header("content-range")),
        (&whole.body[10..20], Some(format!("bytes 10-19/{size}").as_str()))
    );
    assert_eq!(get(&[("Range", "bytes=-7")]).is(206).body, whole.body[size - 7..]);
    assert_eq!(get(&[("Range", &format!("bytes={}-", size - 3))]).is(206).body, whole.body[size - 3..]);
    let beyond = get(&[("Range", &format!("bytes={size}-"))]);
    assert_eq!(
        beyond.refuses(416, "range_not_satisfiable").header("content-range"),
        Some(format!("bytes */{size}").as_str())
    );
    for range in ["bytes=0-1,5-6", "lines=1-2", "bytes=9-1", "nonsense"] {
        assert_eq!(get(&[("Range", range)]).is(200).body.len(), size);
    }
    assert_eq!(get(&[("Range", "bytes=0-1"), ("If-Range", &tag)]).is(206).body.len(), 2);
    assert_eq!(get(&[("Range", "bytes=0-1"), ("If-Range", "\"other\"")]).is(200).body.len(), size);
    assert!(get(&[("If-None-Match", &tag)]).is(304).body.is_empty());
    assert_eq!(get(&[("If-None-Match", "\"other\"")]).is(200).body.len(), size);
}

#[test]
fn e_lnk_4_a_key_is_neither_needed_nor_accepted_instead() {
    let (host, target) = split(&link().1);
    let path = target.split('?').next().unwrap();
    let answer = shared().send(&ask("GET", path).header("Host", host.as_str()).key(&key("links")));
    assert_eq!(answer.refuses(403, "link_invalid").text(), "{\"error\":\"the link is not valid\"}");
    // paths that are no links at all
    for path in ["/bundles", "/bundles/", "/bundles/a", "/bundles/a/b/c"] {
        shared().send(&ask("GET", path)).refuses(404, "not_found");
    }
    assert_eq!(shared().send(&ask("GET", "/bundles/a/b")).refuses(403, "link_invalid").text(), answer.text());
}

/// A generator without surprises: the same numbers in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end
    }
}

#[test]
fn e_lnk_4_and_s23_ten_thousand_tampered_links_and_none_is_accepted() {
    let (host, target) = split(&link().1);
    let other_job = fresh(shared().export("links")["jobId"].as_str().unwrap());
    let (_, other) = split(&other_job);
    let (path, query) = target.split_once('?').unwrap();
    let pairs: Vec<&str> = query.split('&').collect();
    let mut variants = vec![
        format!("{path}?{}", other.split_once('?').unwrap().1),
        format!("{}?{query}", other.split_once('?').unwrap().0),
        format!("{path}?{query}&x=1"),
        format!("{path}?{query}&"),
        format!("{path}?&{query}"),
        format!("{path}?{query}&exp=9999999999"),
        format!("{path}?exp=9999999999&{query}"),
        format!("{path}?{}", pairs.iter().rev().copied().collect::<Vec<_>>().join("&")),
        format!("{path}?{}", query.replace("exp=", "exp=0")),
        format!("{path}?{}", query.replace("exp=", "exp=%20")),
        format!("{path}?{}", query.replace("exp=", "exp=-")),
        format!("{path}?{}=", query),
        format!("{path}?{}", query.replace('&', ";")),
        format!("{}?{query}", path.replace("/bundles/", "/bundles/./")),
        format!("{}?{query}", path.replace("/bundles/", "/bundles//")),
        format!("{}?{query}", path.replace("bundles", "%62undles")),
        format!("{}?{query}", path.replace(".zip", "%2ezip")),
        format!("{}?{query}", path.replace(".zip", ".zip;x")),
        format!("{path}/?{query}"),
    ];
    for index in 0..pairs.len() {
        let mut fewer = pairs.clone();
        fewer.remove(index);
        variants.push(format!("{path}?{}", fewer.join("&")));
        let mut empty = pairs.clone();
        empty[index] = empty[index].split_once('=').unwrap().0;
        variants.push(format!("{path}?{}", empty.join("&")));
        variants.push(format!("{path}?{query}&{}", pairs[index]));
    }
    let letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~%&=?/+";
    let mut numbers = Numbers(42);
    while variants.len() < 10_000 {
        let mut changed = target.clone().into_bytes();
        for _ in 0..=numbers.below(3) {
            let (at, letter) = (1 + numbers.below(changed.len() - 1), letters[numbers.below(letters.len())]);
            match numbers.below(4) {
                0 | 1 => changed[at] = letter,
                2 => changed.insert(at, letter),
                _ => drop(changed.remove(at)),
            }
        }
        let changed = String::from_utf8(changed).unwrap();
        if changed != target {
            variants.push(changed);
        }
    }
    let mut client = shared().client();
    for variant in &variants {
        let answer = client.send(&ask("GET", variant.as_str()).header("Host", host.as_str()));
        assert!(matches!(answer.status, 403 | 404 | 400), "{} for {variant}", answer.status);
        if answer.status == 403 {
            assert_eq!(
                answer.refuses(403, "link_invalid").text(),
                "{\"error\":\"the link is not valid\"}",
                "{variant}"
            );
        }
    }
    // the authority is signed from the configuration, not from the request: another Host is another matter, and the
    // link itself still works
    assert_eq!(client.send(&ask("GET", target.as_str()).header("Host", host.as_str())).status, 200);
    client.send(&ask("POST", target.as_str()).header("Host", host.as_str())).refuses(405, "method_not_allowed");
}

#[test]
fn e_lnk_3_and_7_links_end() {
    const FIRST: &str = "1111111111111111111111111111111111111111111111111111111111111111";
    const SECOND: &str = "2222222222222222222222222222222222222222222222222222222222222222";
    let server = Server::start(|folder| {
        let docs = site(folder);
        format!(
            "[bundles]\nsigning_key = \"{FIRST}\"\n\n{}",
            organization_with("acme", "static_export = true", "link_ttl_seconds = 2", "", &folder_source(&docs))
        )
    });
    let job = server.export("acme")["jobId"].as_str().unwrap().to_owned();
    let fresh =
        || server.send(&ask("POST", format!("/v1/static-export/jobs/{job}/bundle")).key(&key("acme"))).is(200).json();
    let body = fresh();
    let link = body["bundleUrl"].as_str().unwrap().to_owned();
    let number = |name: &str| -> u64 {
        link.split(['?', '&']).find_map(|pair| pair.strip_prefix(name)).unwrap().parse().unwrap()
    };
    assert_eq!(number("exp=") - number("iat="), 2);
    assert_eq!(server.get_link(&link, &[]).status, 200);
    wait("the link to end", || {
        (SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs() > number("exp=")).then_some(())
    });
    assert_eq!(server.get_link(&link, &[]).refuses(403, "link_expired").text(), "{\"error\":\"the link has expired\"}");
    // S-EXP-9: another one works
    assert_eq!(server.get_link(fresh()["bundleUrl"].as_str().unwrap(), &[]).status, 200);

    // a key that goes takes its links with it; one that is still known does not
    let file = server.folder.path().join("offprint.toml");
    let text = std::fs::read_to_string(&file).unwrap().replace("link_ttl_seconds = 2", "link_ttl_seconds = 600");
    let rotate = |keys: String, expect: u16, link: &str| {
        std::fs::write(&file, text.replace(&format!("signing_key = \"{FIRST}\""), &keys)).unwrap();
        server.signal("HUP");
        wait("the keys to change", || (server.get_link(link, &[]).status == expect).then_some(()));
    };
    rotate(format!("signing_key = \"{FIRST}\""), 403, &link);
    let long = wait("links that live longer", || {
        let link = fresh()["bundleUrl"].as_str().unwrap().to_owned();
        let number = |name: &str| -> u64 {
            link.split(['?', '&']).find_map(|pair| pair.strip_prefix(name)).unwrap().parse().unwrap()
        };
        (number("exp=") - number("iat=") == 600).then_some(link.clone())
    });
    rotate(format!("signing_key = \"{SECOND}\"\nprevious_signing_keys = [\"{FIRST}\"]"), 200, &long);
    rotate(format!("signing_key = \"{SECOND}\""), 403, &long);
    server.get_link(&long, &[]).refuses(403, "link_invalid");
}

#[test]
fn e_exp_18_and_e_lnk_7_past_retention_the_files_are_gone() {
    let server = Server::start(|folder| {
        let docs = site(folder);
        organization_with(
            "acme",
            "static_export = true",
            "retention_seconds = 1000, keep_last = 0, bundle_links_per_minute = 0",
            "",
            &folder_source(&docs),
        )
    });
    let done = server.export("acme");
    let job = done["jobId"].as_str().unwrap();
    let bundle = || server.send(&ask("POST", format!("/v1/static-export/jobs/{job}/bundle")).key(&key("acme")));
    let link = bundle().is(200).string("bundleUrl");
    server.get_link(&link, &[]).is(200);
    let file = server.folder.path().join("offprint.toml");
    std::fs::write(&file, std::fs::read_to_string(&file).unwrap().replace("= 1000", "= 1")).unwrap();
    server.signal("HUP");
    wait("the end of retention", || (bundle().status == 410).then_some(()));
    bundle().refuses(410, "bundle_gone");
    server.get_link(&link, &[]).refuses(410, "bundle_gone");
    server.get_link(&format!("{link}0"), &[]).refuses(403, "link_invalid");
    // the record stays
    let still = server.send(&ask("GET", format!("/v1/static-export/jobs/{job}")).key(&key("acme"))).is(200).json();
    assert_eq!(still["status"], "completed");
}

#[test]
fn requests_for_fresh_links_have_a_limit() {
    let server = Server::start(|folder| {
        let source = folder_source(&site(folder));
        let limits = "bundle_links_per_minute = 3";
        organization_with("acme", "static_export = true", limits, "", &source)
            + &organization_with("other", "static_export = true", limits, "", &source)
    });
    let request = |name: &str, job: &str| ask("POST", format!("/v1/static-export/jobs/{job}/bundle")).key(&key(name));
    let [acme, other] = ["acme", "other"].map(|name| server.export(name)["jobId"].as_str().unwrap().to_owned());
    for left in [2, 1, 0] {
        let answer = server.send(&request("acme", &acme));
        assert_eq!(answer.is(200).header("ratelimit-policy"), Some("\"bundle\";q=3;w=60"));
        assert!(answer.header("ratelimit").unwrap().starts_with(&format!("\"bundle\";r={left};")), "{answer:?}");
    }
    let refused = server.send(&request("acme", &acme));
    assert!(refused.refuses(429, "rate_limited").header("retry-after").is_some());
    server.send(&request("other", &other)).is(200);
}
