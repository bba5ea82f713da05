//! `--deployment`, `--feature`, endpoints: checked against the contract's table of availability. What is not available
//! is an error, never silence.

use clap::ValueEnum;

use bundle::{Availability, BundleDeployment, BundleFeature, ManifestFeatures};
use export::Services;

/// What the command line says about services.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct ServiceFlags {
    /// Where the bundle will be served, which decides the available features
    #[arg(long, value_name = "TYPE", default_value = "air-gapped")]
    pub deployment: DeploymentArg,
    /// Turn a feature on or off: `search`, `assistant`, `analytics`, `playground`, `offline-search`; repeatable
    ///
    /// By default a bundle makes no requests to other hosts. `search` and `assistant` need an endpoint and
    /// `--deployment cloud` or `client-hosted`; `analytics` adds the scripts of the services in `integrations` of
    /// docs.json. `playground` lets readers send requests from API pages to the servers of the descriptions: on for
    /// `cloud` and `client-hosted`, off for `air-gapped` unless asked for, and then the policy of a page allows these
    /// servers and no others. `offline-search` is the index in the bundle, on by default.
    #[arg(long = "feature", value_name = "NAME=on|off", value_parser = feature)]
    pub features: Vec<(BundleFeature, bool)>,
    /// Address of a search service, which gets the query as `q`
    #[arg(long, value_name = "URL", value_parser = endpoint)]
    pub search_endpoint: Option<String>,
    /// Address of an assistant, for a link in the top bar
    #[arg(long, value_name = "URL", value_parser = endpoint)]
    pub assistant_endpoint: Option<String>,
}

/// `--deployment`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum DeploymentArg {
    /// Hosted by a service: search, assistant and analytics are available
    Cloud,
    /// Hosted by the organization itself: the same features, each can be turned off
    ClientHosted,
    /// Without access to other networks
    #[default]
    AirGapped,
}

impl From<DeploymentArg> for BundleDeployment {
    fn from(deployment: DeploymentArg) -> Self {
        match deployment {
            DeploymentArg::Cloud => Self::Cloud,
            DeploymentArg::ClientHosted => Self::ClientHosted,
            DeploymentArg::AirGapped => Self::AirGapped,
        }
    }
}

impl ServiceFlags {
    /// What the bundle is for and what it is to have. A service is in it if its endpoint is named and it is not
    /// switched off; analytics only if enabled, the playground of air-gapped bundles likewise.
    ///
    /// # Errors
    /// A sentence: an option names something that the deployment cannot have or that has nowhere to go.
    pub fn services(self) -> Result<Services, String> {
        let deployment = BundleDeployment::from(self.deployment);
        let playground = BundleFeature::Playground.availability(deployment) == Availability::Yes;
        let mut features = ManifestFeatures { offline_search: true, playground, ..ManifestFeatures::default() };
        for (feature, endpoint) in
            [(BundleFeature::Search, &self.search_endpoint), (BundleFeature::Assistant, &self.assistant_endpoint)]
        {
            if endpoint.is_some() {
                check_endpoint(feature, deployment)?;
                feature.set(&mut features, true);
            }
        }
        for (index, (feature, on)) in self.features.iter().copied().enumerate() {
            if self.features[..index].iter().any(|(other, value)| *other == feature && *value != on) {
                return Err(format!("`--feature {}` is given twice, on and off", feature.name()));
            }
            check_switch(feature, on, deployment)?;
            feature.set(&mut features, on);
        }
        for (feature, endpoint) in
            [(BundleFeature::Search, &self.search_endpoint), (BundleFeature::Assistant, &self.assistant_endpoint)]
        {
            if feature.is_in(features) && endpoint.is_none() {
                let name = feature.name();
                let why = feature.needs_endpoint();
                return Err(format!("`--feature {name}=on`: {why}: add `--{name}-endpoint URL`"));
            }
        }
        Ok(Services {
            deployment,
            search: self.search_endpoint.filter(|_| features.search),
            assistant: self.assistant_endpoint.filter(|_| features.assistant),
            playground: features.playground,
            analytics: features.analytics,
            offline_search: features.offline_search,
        })
    }
}

fn check_endpoint(feature: BundleFeature, deployment: BundleDeployment) -> Result<(), String> {
    let why = feature.refusal(true, deployment);
    why.map_or(Ok(()), |why| Err(format!("`--{}-endpoint` is of no use: {why}", feature.name())))
}

fn check_switch(feature: BundleFeature, on: bool, deployment: BundleDeployment) -> Result<(), String> {
    // a console may be left out of any bundle that is written by hand
    if feature == BundleFeature::Playground && !on {
        return Ok(());
    }
    let value = if on { "on" } else { "off" };
    let why = feature.refusal(on, deployment);
    why.map_or(Ok(()), |why| Err(format!("`--feature {}={value}`: {why}", feature.name())))
}

/// Reads `NAME=on` or `NAME=off`.
///
/// # Errors
/// A sentence that says what is wrong.
pub fn feature(text: &str) -> Result<(BundleFeature, bool), String> {
    let names = || BundleFeature::ALL.map(BundleFeature::name).join("`, `");
    let Some((name, value)) = text.split_once('=') else {
        return Err(format!("NAME=on or NAME=off, where NAME is one of `{}`", names()));
    };
    let normalized = name.replace('_', "-").to_lowercase();
    let normalized = if normalized == "offlinesearch" { "offline-search" } else { &normalized };
    let feature = BundleFeature::ALL
        .into_iter()
        .find(|feature| feature.name() == normalized)
        .ok_or_else(|| format!("there is no feature `{name}`: one of `{}`", names()))?;
    match value {
        "on" => Ok((feature, true)),
        "off" => Ok((feature, false)),
        _ => Err(format!("`{value}` is neither `on` nor `off`")),
    }
}

/// Checks the address of a service: a whole `https` (or `http`) address without user name.
///
/// # Errors
/// A sentence that says what is wrong.
pub fn endpoint(text: &str) -> Result<String, String> {
    let url = url::Url::parse(text)
        .map_err(|error| format!("a whole address such as `https://search.example.com/`: {error}"))?;
    if !matches!(url.scheme(), "https" | "http") || url.host_str().is_none() {
        return Err("an address that starts with `https://`".to_owned());
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("an address without user name and password: every reader of the site would know them".to_owned());
    }
    Ok(url.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(
        deployment: DeploymentArg,
        features: &[(BundleFeature, bool)],
        search: Option<&str>,
        expect: Result<&str, &str>,
    ) {
        let flags = ServiceFlags {
            deployment,
            features: features.to_vec(),
            search_endpoint: search.map(str::to_owned),
            assistant_endpoint: None,
        };
        match (flags.services(), expect) {
            (Ok(services), Ok(words)) => {
                let has = [
                    (services.search.is_some(), "search"),
                    (services.analytics, "analytics"),
                    (services.playground, "playground"),
                    (services.offline_search, "offline"),
                ];
                assert_eq!(
                    has.iter().filter(|(on, _)| *on).map(|(_, name)| *name).collect::<Vec<_>>().join(" "),
                    words
                );
            }
            (Err(message), Err(part)) => assert!(message.contains(part), "{message}"),
            (found, _) => panic!("{found:?}"),
        }
    }

    #[test]
    fn what_is_not_available_is_an_error() {
        use DeploymentArg::*;
        let url = Some("https://s.example/");
        check(AirGapped, &[], None, Ok("offline"));
        check(AirGapped, &[(BundleFeature::OfflineSearch, false)], None, Ok(""));
        check(
            AirGapped,
            &[(BundleFeature::Search, true)],
            url,
            Err("`--search-endpoint` is of no use: search is not available to air-gapped"),
        );
        check(
            AirGapped,
            &[(BundleFeature::Analytics, true)],
            None,
            Err("analytics is not available to air-gapped deployments, only to `cloud` and `client-hosted`"),
        );
        check(AirGapped, &[(BundleFeature::Analytics, false), (BundleFeature::Playground, false)], None, Ok("offline"));
        check(AirGapped, &[(BundleFeature::Playground, true)], None, Ok("playground offline"));
        check(ClientHosted, &[], url, Ok("search playground offline"));
        check(ClientHosted, &[(BundleFeature::Search, false)], url, Ok("playground offline"));
        check(ClientHosted, &[(BundleFeature::Search, true)], None, Err("add `--search-endpoint URL`"));
        check(ClientHosted, &[(BundleFeature::Analytics, true)], None, Ok("analytics playground offline"));
        check(Cloud, &[], url, Ok("search playground offline"));
        check(Cloud, &[(BundleFeature::Search, false)], url, Err("search is part of every cloud deployment"));
        check(Cloud, &[(BundleFeature::Playground, true)], None, Ok("playground offline"));
        check(Cloud, &[(BundleFeature::Playground, false)], None, Ok("offline"));
        check(
            Cloud,
            &[(BundleFeature::OfflineSearch, true), (BundleFeature::OfflineSearch, false)],
            None,
            Err("given twice"),
        );
    }

    #[test]
    fn features_have_names_and_values() {
        assert_eq!(feature("offlineSearch=off"), Ok((BundleFeature::OfflineSearch, false)));
        assert_eq!(feature("search=on"), Ok((BundleFeature::Search, true)));
        for (bad, part) in [("search", "NAME=on"), ("serch=on", "one of `search`"), ("search=yes", "neither")] {
            assert!(feature(bad).is_err_and(|message| message.contains(part)), "{bad}");
        }
    }

    #[test]
    fn endpoints_are_whole_addresses() {
        assert_eq!(endpoint("https://s.example/q?x=1").as_deref(), Ok("https://s.example/q?x=1"));
        for bad in ["", "/search", "s.example", "javascript:alert(1)", "https://u:p@s.example/", "file:///etc/passwd"] {
            assert!(endpoint(bad).is_err(), "{bad}");
        }
    }
}
