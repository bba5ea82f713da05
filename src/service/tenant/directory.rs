//! All organizations, keys and projects, found by what requests name.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Organization, OrganizationKey, ProjectRecord, key_digest};

/// Organizations, keys and projects. A reload replaces it; requests keep the one that they began with.
#[derive(Debug, Default)]
pub struct TenantDirectory {
    organizations: HashMap<String, Arc<Organization>>,
    /// By the first eight bytes of their digest; the rest is compared in constant time.
    keys: HashMap<[u8; 8], Vec<Arc<OrganizationKey>>>,
    projects: HashMap<String, Arc<ProjectRecord>>,
    /// Ids of projects.
    domains: HashMap<String, String>,
}

/// Two of something that there may be one of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubled {
    /// The id of an organization or a project.
    Id,
    /// The digest of a key.
    Key,
    /// The domain of a project.
    Domain,
}

impl TenantDirectory {
    /// Adds an organization.
    ///
    /// # Errors
    /// There is one with its id.
    pub fn add_organization(&mut self, organization: Arc<Organization>) -> Result<(), Doubled> {
        match self.organizations.insert(organization.id.clone(), organization) {
            Some(_) => Err(Doubled::Id),
            None => Ok(()),
        }
    }

    /// Adds a key.
    ///
    /// # Errors
    /// It is there already, be it of another organization.
    pub fn add_key(&mut self, key: OrganizationKey) -> Result<(), Doubled> {
        let keys = self.keys.entry(hash_prefix(&key.hash)).or_default();
        if keys.iter().any(|other| other.is(&key.hash)) {
            return Err(Doubled::Key);
        }
        keys.push(Arc::new(key));
        Ok(())
    }

    /// Adds a project.
    ///
    /// # Errors
    /// There is one with its id or its domain.
    pub fn add_project(&mut self, project: ProjectRecord) -> Result<(), Doubled> {
        if self.projects.contains_key(&project.id) {
            return Err(Doubled::Id);
        }
        if self.domains.contains_key(&project.domain) {
            return Err(Doubled::Domain);
        }
        self.domains.insert(project.domain.clone(), project.id.clone());
        self.projects.insert(project.id.clone(), Arc::new(project));
        Ok(())
    }

    /// The key that a token is, whether or not it has expired.
    pub fn key(&self, token: &str) -> Option<&Arc<OrganizationKey>> {
        let hash = key_digest(token)?;
        self.keys.get(&hash_prefix(&hash))?.iter().find(|key| key.is(&hash))
    }

    /// The key of an organization that has an id.
    pub fn key_named(&self, organization: &str, id: &str) -> Option<&Arc<OrganizationKey>> {
        let mut all = self.keys.values().flatten();
        all.find(|key| key.organization.id == organization && key.id == id)
    }

    /// An organization.
    pub fn organization(&self, id: &str) -> Option<&Arc<Organization>> {
        self.organizations.get(id)
    }

    /// All organizations, by id.
    pub fn organizations(&self) -> Vec<&Arc<Organization>> {
        let mut all: Vec<_> = self.organizations.values().collect();
        all.sort_unstable_by(|a, b| a.id.cmp(&b.id));
        all
    }

    /// A project of an organization. That of another is not there.
    pub fn project(&self, organization: &str, id: &str) -> Option<&Arc<ProjectRecord>> {
        self.projects.get(id).filter(|project| project.organization == organization)
    }

    /// The projects of an organization, by id.
    pub fn projects_of(&self, organization: &str) -> Vec<&Arc<ProjectRecord>> {
        let mut all: Vec<_> = self.projects.values().filter(|project| project.organization == organization).collect();
        all.sort_unstable_by(|a, b| a.id.cmp(&b.id));
        all
    }

    /// The project of an organization that has a domain, given in lower case.
    pub fn project_of_domain(&self, organization: &str, domain: &str) -> Option<&Arc<ProjectRecord>> {
        self.site(domain).filter(|project| project.organization == organization)
    }

    /// The project of any organization that has a domain, given in lower case: the domain that readers of a site
    /// request.
    pub fn site(&self, domain: &str) -> Option<&Arc<ProjectRecord>> {
        self.projects.get(self.domains.get(domain)?)
    }

    /// How many projects there are.
    pub fn project_count(&self) -> usize {
        self.projects.len()
    }
}

fn hash_prefix(hash: &[u8; 32]) -> [u8; 8] {
    let mut out = [0; 8];
    out.copy_from_slice(&hash[..8]);
    out
}

#[cfg(test)]
mod tests {
    use super::super::{KeyScopes, OrganizationPlan, PlanLimits, ProjectSource, generate};
    use super::*;
    use bundle::{BundleDeployment, ManifestFeatures};
    use http::peer::NetworkList;

    fn project(id: &str, organization: &str, domain: &str) -> ProjectRecord {
        ProjectRecord {
            id: id.into(),
            organization: organization.into(),
            domain: domain.into(),
            source: ProjectSource::Folder("/".into()),
            deployment: BundleDeployment::Cloud,
            groups: Vec::new(),
            features: ManifestFeatures::default(),
            endpoints: crate::tenant::Endpoints::default(),
            optimize_png: false,
            from: None,
        }
    }

    #[test]
    fn no_key_finds_what_is_anothers() {
        let mut all = TenantDirectory::default();
        let acme = Arc::new(Organization {
            id: "acme".into(),
            plan: OrganizationPlan::default(),
            limits: PlanLimits::default(),
            webhooks: Vec::new(),
        });
        all.add_organization(Arc::clone(&acme)).unwrap();
        assert_eq!(all.add_organization(Arc::clone(&acme)), Err(Doubled::Id));
        let (token, hash) = generate().unwrap();
        let key = OrganizationKey {
            id: "ci".into(),
            hash,
            scopes: KeyScopes::ALL,
            expires_at: Some(10),
            allow: NetworkList::default(),
            organization: acme,
        };
        all.add_key(key.clone()).unwrap();
        assert_eq!(all.add_key(key), Err(Doubled::Key));
        all.add_project(project("docs", "acme", "docs.acme.example")).unwrap();
        assert_eq!(all.add_project(project("docs", "other", "x.example")), Err(Doubled::Id));
        assert_eq!(all.add_project(project("more", "other", "docs.acme.example")), Err(Doubled::Domain));

        assert_eq!(
            all.key(&token).map(|key| (key.id.as_str(), key.has_expired(9), key.has_expired(10))),
            Some(("ci", false, true))
        );
        assert!(all.key(&generate().unwrap().0).is_none());
        assert!(all.project("acme", "docs").is_some() && all.project("other", "docs").is_none());
        assert!(
            all.project_of_domain("acme", "docs.acme.example").is_some()
                && all.project_of_domain("other", "docs.acme.example").is_none()
        );
        assert!(all.site("docs.acme.example").is_some() && all.site("x.example").is_none());
    }
}
