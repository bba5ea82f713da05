//! Organizations, their keys, their projects.

use std::net::IpAddr;
use std::path::Path;
use std::sync::Arc;

use toml::value::Datetime;
use url::Url;

use crate::config;
use base::hex::from_hex;
use base::time::seconds_of_moment;
use fetch::address::{AddressReach, reach};
use fetch::git::{self, Protocol, RemoteUrl};

use bundle::{Availability, BundleDeployment, BundleFeature, ManifestFeatures};
use service::tenant::{
    Doubled, Endpoints, KeyScopes, Organization, OrganizationKey, OrganizationPlan, PlanLimits, ProjectRecord,
    ProjectSource, TenantDirectory, WebhookReceiver,
};

use super::file;
use super::place::{At, ConfigProblems};
use super::server::{checked_count, link_ttl, networks, previews_of};
use super::{ServiceConfig, resolve_config_path, webhooks};

/// Checks the organizations, their projects and keys.
pub(super) fn check_directory(
    file: &file::ServiceFile,
    base: &Path,
    variable: &dyn Fn(&str) -> Option<String>,
    service: &ServiceConfig,
    problems: &mut ConfigProblems<'_>,
) -> TenantDirectory {
    let mut directory = TenantDirectory::default();
    let defaults = defaults(file, problems);
    for written in &file.organizations {
        let webhooks = webhooks::of_organization(&written.webhooks, base, variable, &service.webhooks, problems);
        organization(written, defaults, webhooks, &mut directory, problems);
    }
    for written in &file.projects {
        let Some(project) = project(written, &file.organizations, base, &service.git_protocols, &directory, problems)
        else {
            continue;
        };
        check_domain(&written.domain, &project.domain, service, problems);
        match directory.add_project(project) {
            Ok(()) => {}
            Err(Doubled::Domain) => problems
                .add(&written.domain, format_args!("the domain `{}` is that of another project", written.domain.value)),
            Err(_) => problems.add(&written.id, format_args!("there is a project `{}` already", written.id.value)),
        }
    }
    directory
}

/// `[limits]` and `[bundles]`: what an organization has that says nothing else.
fn defaults(file: &file::ServiceFile, problems: &mut ConfigProblems<'_>) -> PlanLimits {
    let (limits, bundles) = (&file.limits, &file.bundles);
    limits_of(
        &file::OrganizationLimits {
            previews_per_minute: limits.previews_per_minute.clone(),
            exports_running: limits.exports_running.clone(),
            exports_queued: limits.exports_queued.clone(),
            agent_calls_per_hour: limits.agent_calls_per_hour.clone(),
            bundle_links_per_minute: limits.bundle_links_per_minute.clone(),
            link_ttl_seconds: bundles.link_ttl_seconds.clone(),
            retention_seconds: bundles.retention_seconds.clone(),
            keep_last: bundles.keep_last.clone(),
        },
        PlanLimits::default(),
        problems,
    )
}

fn limits_of(
    written: &file::OrganizationLimits,
    defaults: PlanLimits,
    problems: &mut ConfigProblems<'_>,
) -> PlanLimits {
    PlanLimits {
        previews_per_minute: checked_count(&written.previews_per_minute, defaults.previews_per_minute, problems),
        exports_running: checked_count(&written.exports_running, defaults.exports_running, problems),
        exports_queued: checked_count(&written.exports_queued, defaults.exports_queued, problems),
        agent_calls_per_hour: checked_count(&written.agent_calls_per_hour, defaults.agent_calls_per_hour, problems),
        bundle_links_per_minute: checked_count(
            &written.bundle_links_per_minute,
            defaults.bundle_links_per_minute,
            problems,
        ),
        link_ttl_seconds: written
            .link_ttl_seconds
            .as_ref()
            .map_or(defaults.link_ttl_seconds, |seconds| link_ttl(seconds, problems)),
        retention_seconds: written
            .retention_seconds
            .as_ref()
            .map_or(defaults.retention_seconds, |seconds| seconds.value),
        keep_last: checked_count(&written.keep_last, defaults.keep_last, problems),
    }
}

fn organization(
    written: &file::OrganizationTable,
    defaults: PlanLimits,
    webhooks: Vec<Arc<WebhookReceiver>>,
    directory: &mut TenantDirectory,
    problems: &mut ConfigProblems<'_>,
) {
    problems.check_id(&written.id);
    let file::PlanTable { static_export, preview, agent } = written.plan;
    let limits = limits_of(&written.limits, defaults, problems);
    let organization = Arc::new(Organization {
        id: written.id.value.clone(),
        plan: OrganizationPlan { static_export, preview, agent },
        limits,
        webhooks,
    });
    if directory.add_organization(Arc::clone(&organization)).is_err() {
        problems.add(&written.id, format_args!("there is an organization `{}` already", written.id.value));
    }
    for (index, key) in written.keys.iter().enumerate() {
        problems.check_id(&key.id);
        if written.keys[..index].iter().any(|other| other.id.value == key.id.value) {
            problems.add(&key.id, format_args!("the organization has a key `{}` already", key.id.value));
        }
        let Some(hash) = problems.check(
            &key.hash,
            from_hex(&key.hash.value).ok_or("64 lower-case hexadecimal digits, as `offprint key` prints"),
        ) else {
            continue;
        };
        let key_of = OrganizationKey {
            id: key.id.value.clone(),
            hash,
            scopes: key.scopes.as_ref().map_or(KeyScopes::ALL, |list| scopes(list, problems)),
            expires_at: key.expires_at.as_ref().and_then(|moment| problems.check(moment, seconds(&moment.value))),
            allow: key.allow_ips.as_ref().map(|list| allow(list, problems)).unwrap_or_default(),
            organization: Arc::clone(&organization),
        };
        if directory.add_key(key_of).is_err() {
            problems.add(&key.hash, "the file has the same key already");
        }
    }
}

fn scopes(list: &At<Vec<String>>, problems: &mut ConfigProblems<'_>) -> KeyScopes {
    let mut scopes = KeyScopes { read: false, write: false };
    for scope in &list.value {
        match scope.as_str() {
            "read" => scopes.read = true,
            "write" => scopes = KeyScopes::ALL,
            _ => problems.add(list, format_args!("`{scope}` is neither `read` nor `write`")),
        }
    }
    if list.value.is_empty() {
        problems.add(list, "the key could do nothing: leave `scopes` out for both");
    }
    scopes
}

fn allow(list: &At<Vec<String>>, problems: &mut ConfigProblems<'_>) -> http::peer::NetworkList {
    if list.value.is_empty() {
        problems.add(list, "the key could be used from nowhere: leave `allow_ips` out for everywhere");
    }
    networks(list, problems)
}

/// Seconds from 1970 to a moment that says where it is.
fn seconds(moment: &Datetime) -> Result<u64, &'static str> {
    seconds_of_moment(&moment.to_string()).ok_or("a moment with its offset, such as `2027-02-18T00:00:00Z`")
}

/// A site must not be where the service itself is.
fn check_domain(at: &At<String>, domain: &str, service: &ServiceConfig, problems: &mut ConfigProblems<'_>) {
    let is_service = service.public_url.as_ref().and_then(Url::host_str) == Some(domain);
    if is_service || previews_of(&service.preview_url, service.listen).covers(domain) {
        problems
            .add(at, format_args!("`{domain}` is a host of the service itself: see `public_url` and `preview_url`"));
    }
}

fn project(
    written: &file::ProjectTable,
    organizations: &[file::OrganizationTable],
    base: &Path,
    protocols: &[Protocol],
    directory: &TenantDirectory,
    problems: &mut ConfigProblems<'_>,
) -> Option<ProjectRecord> {
    problems.check_id(&written.id);
    if directory.organization(&written.organization.value).is_none() {
        problems.add(&written.organization, format_args!("there is no organization `{}`", written.organization.value));
    }
    let domain = problems.check(&written.domain, config::domain(&written.domain.value));
    let source = check_project_source(&written.source, base, protocols, problems);
    let deployment = match &written.deployment {
        None => Some(BundleDeployment::Cloud),
        Some(name) => {
            let found = BundleDeployment::ALL.into_iter().find(|deployment| deployment.name() == name.value);
            let names = BundleDeployment::ALL.map(BundleDeployment::name).join("`, `");
            problems.check(name, found.ok_or_else(|| format!("`{}` is none of `{names}`", name.value)))
        }
    };
    let groups = written.groups.as_ref().map(|list| groups(list, problems)).unwrap_or_default();
    let owner = organizations.iter().find(|owner| owner.id.value == written.organization.value);
    let endpoints = endpoints(written, owner, problems);
    let features = deployment.map(|deployment| features(written, &endpoints, deployment, problems));
    let from = written.source.value.from.as_ref().and_then(|name| problems.check(name, config::tool(&name.value)));
    Some(ProjectRecord {
        id: written.id.value.clone(),
        organization: written.organization.value.clone(),
        domain: domain?,
        source: source?,
        from,
        deployment: deployment?,
        groups,
        features: features?,
        endpoints,
        // as on the command line, where `--optimize-png` switches it on
        optimize_png: written.optimize_png.unwrap_or(false),
    })
}

/// User groups whose restricted pages the bundles of a project have.
fn groups(list: &At<Vec<String>>, problems: &mut ConfigProblems<'_>) -> Vec<String> {
    let checked: Vec<String> = list.value.iter().filter_map(|name| problems.check(list, config::group(name))).collect();
    config::groups(&checked)
}

/// Cells of the contract's table that say yes or no stay as they are; the others are off, but for the index inside the
/// bundle, and for services that the project itself names. What needs a service is in a bundle only if there is one.
fn features(
    written: &file::ProjectTable,
    endpoints: &Endpoints,
    deployment: BundleDeployment,
    problems: &mut ConfigProblems<'_>,
) -> ManifestFeatures {
    let mut features = ManifestFeatures::default();
    let set = &written.features;
    let switches = [&set.search, &set.assistant, &set.analytics, &set.playground, &set.offline_search];
    for (feature, switch) in BundleFeature::ALL.into_iter().zip(switches) {
        let named = match feature {
            BundleFeature::Search => &written.search_endpoint,
            BundleFeature::Assistant => &written.assistant_endpoint,
            _ => &None,
        };
        if let Some((at, why)) = named.as_ref().zip(feature.refusal(true, deployment)) {
            problems.add(at, why);
        }
        if let Some((at, why)) = switch.as_ref().and_then(|at| Some((at, feature.refusal(at.value, deployment)?))) {
            problems.add(at, why);
        }
        let default = match feature.availability(deployment) {
            Availability::Yes => true,
            Availability::No => false,
            Availability::Configurable => feature == BundleFeature::OfflineSearch || named.is_some(),
        };
        let mut on = switch.as_ref().map_or(default, |at| at.value);
        if endpoints.is_missing(feature) && on {
            if let Some(at) = switch.as_ref().filter(|_| feature.refusal(true, deployment).is_none()) {
                problems.add(at, format_args!("{}: add `{}_endpoint`", feature.needs_endpoint(), feature.name()));
            }
            on = false;
        }
        feature.set(&mut features, on);
    }
    features
}

/// Addresses of services that the pages of a project use: its own, or those of its organization.
fn endpoints(
    written: &file::ProjectTable,
    organization: Option<&file::OrganizationTable>,
    problems: &mut ConfigProblems<'_>,
) -> Endpoints {
    let mut checked = |own: &Option<At<String>>, shared: Option<&Option<At<String>>>| {
        let at = own.as_ref().or_else(|| shared.and_then(Option::as_ref))?;
        problems.check(at, config::endpoint(&at.value))
    };
    Endpoints {
        search: checked(&written.search_endpoint, organization.map(|organization| &organization.search_endpoint)),
        assistant: checked(
            &written.assistant_endpoint,
            organization.map(|organization| &organization.assistant_endpoint),
        ),
    }
}

fn check_project_source(
    at: &At<file::SourceTable>,
    base: &Path,
    protocols: &[Protocol],
    problems: &mut ConfigProblems<'_>,
) -> Option<ProjectSource> {
    let written = &at.value;
    let folder = written.subdir.as_ref().and_then(|text| problems.check(text, subdir(&text.value)));
    match (&written.git, &written.path, &written.archive_url) {
        (Some(git), None, None) => {
            let url = problems.check(git, git_url(&git.value, base, protocols))?;
            let branch = written.branch.as_ref().and_then(|branch| problems.check(branch, branch_name(&branch.value)));
            Some(ProjectSource::Git { url, branch, subdir: folder })
        }
        (None, Some(path), None) if written.branch.is_none() && written.subdir.is_none() => {
            let folder = resolve_config_path(base, path);
            let folder = std::path::absolute(&folder).unwrap_or(folder);
            problems.check(path, import::find_source_root(&folder))?;
            Some(ProjectSource::Folder(folder))
        }
        (None, None, Some(url)) if written.branch.is_none() => {
            Some(ProjectSource::Archive { url: problems.check(url, archive_url(&url.value))?, subdir: folder })
        }
        (None, Some(_), None) => {
            problems.add(at, "a folder has neither `branch` nor `subdir`: let `path` name the one with the pages");
            None
        }
        (None, None, Some(_)) => {
            problems.add(at, "an archive has no `branch`");
            None
        }
        _ => {
            problems.add(at, "exactly one of `git`, `path` and `archive_url` is needed");
            None
        }
    }
}

/// A branch as triggers of previews may name it.
fn branch_name(text: &str) -> Result<String, String> {
    git::branch(text).map(|()| text.to_owned()).map_err(|why| format!("`{text}` is not a valid branch name: it {why}"))
}

fn subdir(text: &str) -> Result<String, String> {
    let wrong =
        text.is_empty() || text.contains(['\\', '\0']) || text.split('/').any(|part| matches!(part, "" | "." | ".."));
    if wrong {
        Err(format!("`{text}` is no folder inside the source, such as `docs` or `packages/docs`"))
    } else {
        Ok(text.to_owned())
    }
}

/// The address of a repository, of a protocol that is allowed; a path is relative to the file.
fn git_url(text: &str, base: &Path, protocols: &[Protocol]) -> Result<String, String> {
    let is_path = !text.is_empty() && !text.starts_with('-') && !text.contains(':');
    let absolute = is_path.then(|| base.join(text)).map(|path| std::path::absolute(&path).unwrap_or(path));
    let text = absolute.as_deref().and_then(Path::to_str).unwrap_or(text);
    RemoteUrl::parse(text, protocols).map_err(|error| error.to_string())?;
    Url::parse(text).ok().as_ref().map_or(Ok(()), check_reach)?;
    Ok(text.to_owned())
}

/// Refuses addresses, written as numbers, that are never fetched from.
fn check_reach(url: &Url) -> Result<(), String> {
    let address = match url.host() {
        Some(url::Host::Ipv4(address)) => Some(IpAddr::V4(address)),
        Some(url::Host::Ipv6(address)) => Some(IpAddr::V6(address)),
        _ => None,
    };
    match address.map(reach) {
        Some(AddressReach::Never(what)) => Err(format!("nothing is fetched from {what}")),
        _ => Ok(()),
    }
}

fn archive_url(text: &str) -> Result<String, String> {
    let url = Url::parse(text)
        .map_err(|error| format!("no address ({error}): write one such as `https://files.example/docs.zip`"))?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return Err("an archive is fetched from an address that starts with `https://` or `http://`".to_owned());
    }
    // the text itself is not repeated: it may hold a password
    if !url.username().is_empty() || url.password().is_some() {
        return Err(
            "an archive's address has no user and no password: sign it instead, or let it have a token".to_owned()
        );
    }
    check_reach(&url)?;
    Ok(url.into())
}
