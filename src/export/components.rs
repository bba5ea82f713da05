//! What of others a bundle holds: found by the names of its files, described as in the notices of `templates`.

use rustc_hash::FxHashMap;

use bundle::ManifestRecord;
use bundle::sbom::SbomComponent;
use frame::asset::remote::Vendored;
use site::config::CodeStyle;

/// A work that lies in files of its own.
struct VendoredWork {
    /// The files: `_offprint/<stem>[-<part>]-<digest>.<extension>`.
    stem: &'static str,
    extension: &'static str,
    kind: &'static str,
    name: &'static str,
    /// npm package, with its version.
    package: &'static str,
    version: &'static str,
    license: &'static str,
    url: &'static str,
    note: &'static str,
}

const WHOLE: &str = "The files of the package, unchanged.";
const CUT: &str = "Subset for formulas.";
const FONTS: &str = "5.3.0";

const WORKS: [VendoredWork; 7] = [
    VendoredWork {
        stem: "geist",
        extension: "woff2",
        kind: "library",
        name: "Geist",
        package: "@fontsource-variable/geist",
        version: FONTS,
        license: "OFL-1.1",
        url: "https://github.com/vercel/geist-font",
        note: WHOLE,
    },
    VendoredWork {
        stem: "geist-mono",
        extension: "woff2",
        kind: "library",
        name: "Geist Mono",
        package: "@fontsource-variable/geist-mono",
        version: FONTS,
        license: "OFL-1.1",
        url: "https://github.com/vercel/geist-font",
        note: WHOLE,
    },
    VendoredWork {
        stem: "inter",
        extension: "woff2",
        kind: "library",
        name: "Inter",
        package: "@fontsource-variable/inter",
        version: FONTS,
        license: "OFL-1.1",
        url: "https://github.com/rsms/inter",
        note: WHOLE,
    },
    VendoredWork {
        stem: "jetbrains-mono",
        extension: "woff2",
        kind: "library",
        name: "JetBrains Mono",
        package: "@fontsource-variable/jetbrains-mono",
        version: FONTS,
        license: "OFL-1.1",
        url: "https://github.com/JetBrains/JetBrainsMono",
        note: WHOLE,
    },
    VendoredWork {
        stem: "stix-two-math",
        extension: "woff2",
        kind: "library",
        name: "STIX Two Math",
        package: "@fontsource/stix-two-math",
        version: FONTS,
        license: "OFL-1.1",
        url: "https://github.com/stipub/stixfonts",
        note: CUT,
    },
    VendoredWork {
        stem: "islands",
        extension: "js",
        kind: "library",
        name: "preact",
        package: "preact",
        version: "11.2.0",
        license: "MIT",
        url: "https://preactjs.com",
        note: "Bundled and minified with the script of interactive components.",
    },
    VendoredWork {
        stem: "utilities",
        extension: "css",
        kind: "library",
        name: "Tailwind CSS",
        package: "tailwindcss",
        version: "4.3.5",
        license: "MIT",
        url: "https://tailwindcss.com",
        note: "Rules generated for the classes of the pages.",
    },
];

/// The icon sets: single drawings of them stand in pages, wherever a page uses one.
const ICONS: [(&str, &str, &str, &str, &str); 3] = [
    ("Lucide", "lucide-static", "1.62.0", "ISC AND MIT", "https://lucide.dev"),
    ("Font Awesome Free", "@fortawesome/fontawesome-free", "7.3.1", "CC-BY-4.0", "https://fontawesome.com"),
    ("Tabler Icons", "@tabler/icons", "3.51.0", "MIT", "https://tabler.io/icons"),
];

/// The color themes of code.
const THEMES: (&str, &str, &str) = ("tm-themes", "1.12.12", "https://github.com/shikijs/textmate-grammars-themes");

/// The components of a bundle with these files; `code`: the colors of its code, if it is highlighted.
pub(super) fn components_of(files: &[ManifestRecord], code: Option<&CodeStyle>) -> Vec<SbomComponent> {
    let mut found: Vec<SbomComponent> = WORKS
        .iter()
        .map(|work| SbomComponent {
            kind: work.kind,
            name: work.name.to_owned(),
            version: work.version.to_owned(),
            license: work.license.to_owned(),
            purl: purl(work.package, work.version),
            url: work.url.to_owned(),
            note: work.note.to_owned(),
            ..SbomComponent::default()
        })
        .collect();
    for file in files {
        if let Some(work) = owner(file.path.as_str()) {
            found[work].files.push((file.path.to_string(), file.sha256));
        }
    }
    found.retain(|component| !component.files.is_empty());
    found.iter_mut().for_each(|component| component.files.sort());
    found.extend(ICONS.map(|(name, package, version, license, url)| SbomComponent {
        kind: "data",
        name: name.to_owned(),
        version: version.to_owned(),
        license: license.to_owned(),
        purl: purl(package, version),
        url: url.to_owned(),
        note: "Single icons, inline in pages.".to_owned(),
        ..SbomComponent::default()
    }));
    found.extend(code.map(|style| {
        let names = match style {
            CodeStyle::System => "the default pair".to_owned(),
            CodeStyle::Dark => "the default dark theme".to_owned(),
            CodeStyle::Themes(pair) => format!("{} and {}", pair.light, pair.dark),
        };
        let (package, version, url) = THEMES;
        SbomComponent {
            kind: "data",
            name: package.to_owned(),
            version: version.to_owned(),
            license: "MIT".to_owned(),
            purl: purl(package, version),
            url: url.to_owned(),
            note: format!("Colors of code in the style sheet: {names}."),
            ..SbomComponent::default()
        }
    }));
    found
}

/// The files that were loaded from elsewhere, by their address: what is known of them is where they were and what they
/// are.
pub(super) fn vendored(vendored: Vec<Vendored>, files: &[ManifestRecord]) -> Vec<SbomComponent> {
    let digests: FxHashMap<&str, [u8; 32]> = files.iter().map(|file| (file.path.as_str(), file.sha256)).collect();
    let component = |Vendored { address, license, files }: Vendored| {
        let mut files: Vec<_> =
            files.iter().filter_map(|path| Some((path.to_string(), *digests.get(path.as_str())?))).collect();
        files.sort();
        let name = files.first()?.0.clone();
        let note = match license {
            Some(_) => "Vendored from another server; the license is that which the server states or which is known.",
            None => "Vendored from another server; the license is unknown.",
        };
        let license_hint = license.unwrap_or_default();
        Some(SbomComponent {
            kind: "file",
            name,
            license_hint,
            url: address,
            note: note.to_owned(),
            files,
            ..SbomComponent::default()
        })
    };
    vendored.into_iter().filter_map(component).collect()
}

/// The work that a file is of: the one with the longest stem that fits.
fn owner(path: &str) -> Option<usize> {
    let (stem, extension) = path.strip_prefix("_offprint/")?.rsplit_once('.')?;
    let fits = |work: &VendoredWork| {
        let rest = stem.strip_prefix(work.stem);
        extension == work.extension && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    };
    (0..WORKS.len()).filter(|work| fits(&WORKS[*work])).max_by_key(|work| WORKS[*work].stem.len())
}

/// The package URL of an npm package.
fn purl(package: &str, version: &str) -> String {
    format!("pkg:npm/{}@{version}", package.replace('@', "%40"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::BundlePath;

    #[track_caller]
    fn check(paths: &[&str], expect: &[&str]) {
        let records: Vec<ManifestRecord> = paths
            .iter()
            .map(|path| ManifestRecord { path: BundlePath::sanitize(path), size: 1, sha256: [0; 32] })
            .collect();
        let names: Vec<String> = components_of(&records, None)
            .into_iter()
            .filter(|component| !component.files.is_empty())
            .map(|component| component.name)
            .collect();
        assert_eq!(names, expect);
    }

    #[test]
    fn only_what_is_there_is_named() {
        check(&["index.html", "_offprint/theme-0a1b2c3d.css", "inter-latin-0a1b2c3d.woff2"], &[]);
        check(&["_offprint/inter-latin-0a1b2c3d.woff2", "_offprint/inter-greek-0a1b2c3d.woff2"], &["Inter"]);
        check(&["_offprint/geist-mono-latin-0a1b2c3d.woff2"], &["Geist Mono"]);
        check(
            &["_offprint/islands-0a1b2c3d.js", "_offprint/utilities-0a1b2c3d4e5f6071.css"],
            &["preact", "Tailwind CSS"],
        );
        check(&["_offprint/interval.js"], &[]);
    }

    #[test]
    fn what_was_loaded_is_named_with_its_address() {
        let record = ManifestRecord { path: BundlePath::sanitize("_offprint/a.png"), size: 1, sha256: [7; 32] };
        let from = |path: &str| Vendored {
            address: format!("https://x.org/{path}"),
            license: Some("CC0-1.0".to_owned()),
            files: vec![BundlePath::sanitize(path)],
        };
        let found = vendored(["_offprint/a.png", "_offprint/lost.png"].map(from).to_vec(), &[record]);
        assert_eq!(found.len(), 1);
        let SbomComponent { url, license_hint, files, .. } = &found[0];
        assert_eq!(
            (url.as_str(), license_hint.as_str(), &files[..]),
            ("https://x.org/_offprint/a.png", "CC0-1.0", &[("_offprint/a.png".to_owned(), [7; 32])][..])
        );
    }

    #[test]
    fn versions_and_licenses_are_those_of_the_notices() {
        let notices = [
            const { templates::text("vendor/NOTICE.md") },
            const { templates::text("icons/NOTICE.md") },
            const { templates::text("fonts/rebuild.py") },
            render::code::ORIGINS,
        ]
        .concat();
        for VendoredWork { package, version, kind, .. } in &WORKS {
            let said = [format!("{package}@{version}"), format!("{version} | MIT")];
            assert!(said.iter().any(|said| notices.contains(said)), "{package} {version} {kind}");
        }
        for (name, _, version, ..) in ICONS {
            assert!(notices.lines().any(|line| line.contains(name) && line.contains(version)), "{name} {version}");
        }
        assert!(notices.contains(&format!("{}@{}", THEMES.0, THEMES.1)));
    }
}
