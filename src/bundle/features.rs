//! Which features a type of deployment may have (contract S-FEA), and what was chosen.

use super::{BundleDeployment, ManifestFeatures};

/// A feature of a site that not every deployment has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "explained with the fields of `Features`")]
pub enum BundleFeature {
    Search,
    Assistant,
    Analytics,
    Playground,
    OfflineSearch,
}

/// Whether a deployment has a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Availability {
    /// Always.
    Yes,
    /// If an option enables it.
    Configurable,
    /// Never.
    No,
}

impl BundleFeature {
    /// All of them, in the order of the contract.
    pub const ALL: [Self; 5] = [Self::Search, Self::Assistant, Self::Analytics, Self::Playground, Self::OfflineSearch];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::Assistant => "assistant",
            Self::Analytics => "analytics",
            Self::Playground => "playground",
            Self::OfflineSearch => "offline-search",
        }
    }

    /// The cell of the contract's table.
    pub fn availability(self, deployment: BundleDeployment) -> Availability {
        match (self, deployment) {
            (Self::OfflineSearch, _) => Availability::Configurable,
            (Self::Playground, BundleDeployment::AirGapped) => Availability::Configurable,
            (Self::Playground, _) | (_, BundleDeployment::Cloud) => Availability::Yes,
            (_, BundleDeployment::ClientHosted) => Availability::Configurable,
            (_, BundleDeployment::AirGapped) => Availability::No,
        }
    }

    /// Why a deployment cannot have the feature on or off, in words that the command line, the configuration and the
    /// interface share; `None`: it can.
    pub fn refusal(self, on: bool, deployment: BundleDeployment) -> Option<String> {
        let (name, kind) = (self.name(), deployment.name());
        match (self.availability(deployment), on) {
            (Availability::No, true) => {
                let others =
                    BundleDeployment::ALL.into_iter().filter(|other| self.availability(*other) != Availability::No);
                let others: Vec<String> = others.map(|other| format!("`{}`", other.name())).collect();
                let others = others.join(" and ");
                Some(format!("{name} is not available to {kind} deployments, only to {others}"))
            }
            (Availability::Yes, false) => Some(format!("{name} is part of every {kind} deployment")),
            _ => None,
        }
    }

    /// What is missing where the feature is on and no service has been named that it needs.
    pub fn needs_endpoint(self) -> String {
        format!("{} needs an endpoint, the address of its service", self.name())
    }

    /// Whether some features hold this one.
    pub fn is_in(self, features: ManifestFeatures) -> bool {
        match self {
            Self::Search => features.search,
            Self::Assistant => features.assistant,
            Self::Analytics => features.analytics,
            Self::Playground => features.playground,
            Self::OfflineSearch => features.offline_search,
        }
    }

    /// Switches it.
    pub fn set(self, features: &mut ManifestFeatures, on: bool) {
        *match self {
            Self::Search => &mut features.search,
            Self::Assistant => &mut features.assistant,
            Self::Analytics => &mut features.analytics,
            Self::Playground => &mut features.playground,
            Self::OfflineSearch => &mut features.offline_search,
        } = on;
    }
}

impl BundleDeployment {
    /// All of them, in the order of the contract.
    pub const ALL: [Self; 3] = [Self::Cloud, Self::ClientHosted, Self::AirGapped];

    /// Its name on the command line and in the manifest.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cloud => "cloud",
            Self::ClientHosted => "client-hosted",
            Self::AirGapped => "air-gapped",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table of the contract, as it is written there.
    const TABLE: &str = "
        search          yes          configurable no
        assistant       yes          configurable no
        analytics       yes          configurable no
        playground      yes          yes          configurable
        offline-search  configurable configurable configurable";

    #[test]
    fn the_table_is_that_of_the_contract() {
        let rows: Vec<Vec<&str>> = TABLE
            .lines()
            .map(|line| line.split_whitespace().collect())
            .filter(|row: &Vec<&str>| !row.is_empty())
            .collect();
        assert_eq!(rows.len(), BundleFeature::ALL.len());
        for (row, feature) in rows.iter().zip(BundleFeature::ALL) {
            assert_eq!(row[0], feature.name());
            for (cell, deployment) in row[1..].iter().zip(BundleDeployment::ALL) {
                let expect = match *cell {
                    "yes" => Availability::Yes,
                    "configurable" => Availability::Configurable,
                    _ => Availability::No,
                };
                assert_eq!(feature.availability(deployment), expect, "{} of {}", feature.name(), deployment.name());
            }
        }
    }

    #[test]
    fn each_feature_has_its_switch() {
        for feature in BundleFeature::ALL {
            let mut features = ManifestFeatures::default();
            feature.set(&mut features, true);
            assert_eq!(
                BundleFeature::ALL.map(|other| other.is_in(features)),
                BundleFeature::ALL.map(|other| other == feature)
            );
        }
    }
}
