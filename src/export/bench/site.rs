//! A generated documentation site: pages, pictures and the file that orders them. About 6.5 kB of text per page, 20
//! pages to a section, 10 sections to a group, links to pages at most 300 away: the mix that the exporter is compared
//! with other tools on.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;
use serde_json::{Value, json};

use super::fence::{OTHERS, bench_code};
use super::layout::BenchLayout;
use super::prose::{Dice, capital};

const PAGES_PER_SECTION: u32 = 20;
const SECTIONS_PER_GROUP: u32 = 10;
const PICTURES: u32 = 20;
const LINK_REACH: u32 = 300;

/// What site to write.
#[derive(Clone, Copy, Debug)]
pub struct BenchPlan {
    /// Pages, not counting the home page and one page per group.
    pub pages: u32,
    /// Seed of the words.
    pub seed: u64,
    /// Whose files.
    pub layout: BenchLayout,
}

impl BenchPlan {
    /// A site for this program.
    pub fn new(pages: u32, seed: u64) -> Self {
        Self { pages, seed, layout: BenchLayout::default() }
    }

    /// Pages in all: with the home page and one page per group.
    pub fn files(self) -> u64 {
        u64::from(self.pages) + u64::from(self.groups()) + 1
    }

    fn sections(self) -> u32 {
        self.pages.div_ceil(PAGES_PER_SECTION)
    }

    fn groups(self) -> u32 {
        self.sections().div_ceil(SECTIONS_PER_GROUP)
    }
}

/// Writes a site and returns the bytes of its pages.
///
/// # Errors
/// The folder cannot be written; `Interrupted` if `cancel` was set.
pub fn generate_site(folder: &Path, plan: BenchPlan, cancel: &AtomicBool) -> io::Result<u64> {
    let BenchPlan { pages, layout, .. } = plan;
    let (sections, groups) = (plan.sections(), plan.groups());
    let (content, pictures) = (folder.join(layout.content()), folder.join(layout.pictures()));
    for section in 0..sections {
        fs::create_dir_all(content.join(section_path(section)))?;
    }
    fs::create_dir_all(&pictures)?;
    let written = (0..pages).into_par_iter().map(|number| {
        if cancel.load(Ordering::Relaxed) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let text = bench_page(number, plan);
        fs::write(content.join(layout.file(&bench_page_path(number))), &text)?;
        Ok(text.len() as u64)
    });
    let mut bytes: u64 = written.sum::<io::Result<u64>>()?;
    for group in 0..groups {
        let text = group_page(group, sections, layout);
        fs::write(content.join(layout.file(&group_path(group))), &text)?;
        bytes += text.len() as u64;
    }
    let home = layout.head("index", "Home", "A generated site.", 1) + "Start with the first group.\n";
    fs::write(content.join(layout.file("index")), &home)?;
    for number in 0..PICTURES {
        fs::write(pictures.join(format!("figure-{number:02}.png")), bench_picture(number)?)?;
    }
    match layout {
        BenchLayout::Offprint => fs::write(folder.join("docs.json"), serde_json::to_vec_pretty(&configuration(plan))?)?,
        BenchLayout::MdBook => fs::write(content.join("SUMMARY.md"), summary(plan))?,
        BenchLayout::Hugo | BenchLayout::Zola | BenchLayout::VitePress => {}
    }
    Ok(bytes + home.len() as u64)
}

fn section_path(section: u32) -> String {
    format!("group-{:02}/section-{section:03}", section / SECTIONS_PER_GROUP)
}

/// Path of a page without extension; the first of a section is its index.
fn bench_page_path(number: u32) -> String {
    let section = section_path(number / PAGES_PER_SECTION);
    match number % PAGES_PER_SECTION {
        0 => format!("{section}/index"),
        place => format!("{section}/page-{place:02}"),
    }
}

fn bench_page_title(number: u32, seed: u64) -> String {
    let mut dice = Dice::new(seed ^ 0x0074_6974_6c65, u64::from(number));
    format!("{} the {} {} {number}", capital(dice.verb()), dice.adjective(), dice.noun())
}

/// The text of a page: an introduction and three sections.
pub fn bench_page(number: u32, plan: BenchPlan) -> String {
    let BenchPlan { pages, seed, layout } = plan;
    let here = bench_page_path(number);
    let mut dice = Dice::new(seed, u64::from(number));
    let mut out = String::with_capacity(8 << 10);
    let description =
        format!("How to {} the {} {} and its {}.", dice.verb(), dice.adjective(), dice.noun(), dice.noun());
    out.push_str(&layout.head(&here, &bench_page_title(number, seed), &description, number % PAGES_PER_SECTION + 1));
    let mut link = |dice: &mut Dice, out: &mut String| {
        let to = dice.between(number.saturating_sub(LINK_REACH), (number + LINK_REACH).min(pages.saturating_sub(1)));
        let _ = write!(out, "[{}]({})", bench_page_title(to, seed), layout.link(&here, &bench_page_path(to)));
    };
    write_bench_paragraph(&mut out, &mut dice, (4, 6), &mut link);
    for section in 0..3 {
        let _ = write!(out, "## {} the {}\n\n", capital(dice.verb()), dice.noun());
        write_bench_paragraph(&mut out, &mut dice, (3, 6), &mut link);
        match section {
            0 => {
                write_bench_list(&mut out, &mut dice, &mut link);
                let address = layout.picture(&here, &format!("figure-{:02}.png", number % PICTURES));
                let _ = write!(out, "\n![A {} beside a {}]({address})\n\n", dice.noun(), dice.noun());
            }
            1 => write_bench_table(&mut out, &mut dice),
            _ => steps(&mut out, &mut dice, &mut link),
        }
        let _ = write!(out, "### {} {}s\n\n", capital(dice.adjective()), dice.noun());
        write_bench_paragraph(&mut out, &mut dice, (3, 5), &mut link);
        let language = ["rust", "python", OTHERS[number as usize % OTHERS.len()]][section];
        let _ = write!(out, "```{language}\n{}\n```\n\n", bench_code(language, &mut dice));
        if section == 1 {
            out.push_str("> **Remember**\n>\n> ");
            write_bench_paragraph(&mut out, &mut dice, (2, 2), &mut link);
        }
    }
    out
}

type LinkWriter<'a> = &'a mut dyn FnMut(&mut Dice, &mut String);

fn write_bench_paragraph(out: &mut String, dice: &mut Dice, sentences: (u32, u32), link: LinkWriter<'_>) {
    for sentence in 0..dice.between(sentences.0, sentences.1) {
        if sentence > 0 {
            out.push(' ');
        }
        dice.sentence(out, link);
    }
    out.push_str("\n\n");
}

fn write_bench_list(out: &mut String, dice: &mut Dice, link: LinkWriter<'_>) {
    for _ in 0..4 {
        let _ = write!(out, "- **{}**: ", capital(dice.noun()));
        dice.sentence(out, link);
        out.push('\n');
    }
}

fn write_bench_table(out: &mut String, dice: &mut Dice) {
    out.push_str("| Name | Type | Default | What it does |\n| --- | --- | ---: | --- |\n");
    for _ in 0..6 {
        let kind = dice.pick(&["string", "number", "boolean"]);
        let default = dice.between(0, 899);
        let row = (dice.noun(), dice.noun(), dice.verb(), dice.adjective(), dice.noun());
        let _ = writeln!(
            out,
            "| `{}_{}` | {kind} | {default} | Lets it {} the {} {}. |",
            row.0, row.1, row.2, row.3, row.4
        );
    }
    out.push('\n');
}

fn steps(out: &mut String, dice: &mut Dice, link: LinkWriter<'_>) {
    for step in 1..=3 {
        let _ = write!(out, "{step}. ");
        dice.sentence(out, link);
        out.push('\n');
    }
    out.push('\n');
}

fn group_path(group: u32) -> String {
    format!("group-{group:02}/index")
}

fn group_page(group: u32, sections: u32, layout: BenchLayout) -> String {
    let here = group_path(group);
    let mut out = layout.head(&here, &format!("Group {group}"), &format!("All sections of group {group}."), group + 1);
    out.push_str("This group has these sections.\n\n");
    for section in sections_of(group, sections) {
        let _ = writeln!(
            out,
            "- [Section {section}]({})",
            layout.link(&here, &bench_page_path(section * PAGES_PER_SECTION))
        );
    }
    out
}

fn sections_of(group: u32, sections: u32) -> std::ops::Range<u32> {
    let first = group * SECTIONS_PER_GROUP;
    first..sections.min(first + SECTIONS_PER_GROUP)
}

fn pages_of(section: u32, pages: u32) -> std::ops::Range<u32> {
    section * PAGES_PER_SECTION..pages.min((section + 1) * PAGES_PER_SECTION)
}

/// The order of the pages as mdBook reads it.
fn summary(plan: BenchPlan) -> String {
    let mut out = "# Summary\n\n[Home](index.md)\n\n".to_owned();
    for group in 0..plan.groups() {
        let _ = writeln!(out, "- [Group {group}]({})", plan.layout.file(&group_path(group)));
        for section in sections_of(group, plan.sections()) {
            for number in pages_of(section, plan.pages) {
                let indent = if number % PAGES_PER_SECTION == 0 { "  " } else { "    " };
                let _ = writeln!(
                    out,
                    "{indent}- [{}]({})",
                    bench_page_title(number, plan.seed),
                    plan.layout.file(&bench_page_path(number))
                );
            }
        }
    }
    out
}

fn configuration(plan: BenchPlan) -> Value {
    let group = |group: u32| {
        let mut entries = vec![json!(group_path(group))];
        entries.extend(sections_of(group, plan.sections()).map(|section| {
            json!({"group": format!("Section {section}"), "pages": pages_of(section, plan.pages).map(bench_page_path).collect::<Vec<_>>()})
        }));
        json!({"group": format!("Group {group}"), "pages": entries})
    };
    let start = json!({"group": "Start", "pages": ["index"]});
    let groups: Vec<Value> = std::iter::once(start).chain((0..plan.groups()).map(group)).collect();
    json!({
        "theme": "mint",
        "name": "Generated",
        "colors": {"primary": "#2563eb"},
        "navigation": {"groups": groups},
    })
}

/// A gray PNG of 240 by 120 pixels and some kilobytes, another one for every number.
fn bench_picture(number: u32) -> io::Result<Vec<u8>> {
    const WIDTH: u32 = 240;
    const HEIGHT: u32 = 120;
    let mut dice = Dice::new(u64::from(number), 0);
    let mut pixels = Vec::with_capacity((WIDTH * HEIGHT) as usize);
    for y in 0..HEIGHT {
        pixels.extend(
            (0..WIDTH).map(|x| (x * (number + 2) + y * 7 + dice.between(0, 1) * 9 * u32::from(x % 6 == 0)) as u8),
        );
    }
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, WIDTH, HEIGHT);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_filter(png::Filter::NoFilter);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&pixels)?;
    writer.finish()?;
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_have_the_size_and_the_parts_of_the_mix() {
        let pages = 400;
        let texts: Vec<_> = (0..pages).map(|number| bench_page(number, BenchPlan::new(pages, 1))).collect();
        let average = texts.iter().map(String::len).sum::<usize>() / texts.len();
        assert!((6_200..6_800).contains(&average), "{average}");
        for text in &texts {
            assert_eq!(
                (text.matches("\n```").count(), text.matches("\n## ").count(), text.matches("\n### ").count()),
                (6, 3, 3)
            );
            assert_eq!(
                (text.matches("\n| `").count(), text.matches("\n- **").count(), text.matches("\n![").count()),
                (6, 4, 1)
            );
        }
    }

    #[test]
    fn a_site_is_complete_and_the_same_again() {
        let folder = tempfile::tempdir().unwrap();
        let cancel = AtomicBool::new(false);
        let bytes = generate_site(&folder.path().join("a"), BenchPlan::new(45, 7), &cancel).unwrap();
        assert_eq!(generate_site(&folder.path().join("b"), BenchPlan::new(45, 7), &cancel).unwrap(), bytes);
        let files = |name: &str| {
            let files =
                walkdir::WalkDir::new(folder.path().join(name)).sort_by_file_name().into_iter().map(Result::unwrap);
            files
                .filter(|file| file.file_type().is_file())
                .map(|file| fs::read(file.path()).unwrap())
                .collect::<Vec<_>>()
        };
        assert_eq!(BenchPlan::new(45, 7).files(), 47);
        assert_eq!(files("a").len(), 47 + PICTURES as usize + 1);
        assert!(files("a") == files("b"));
        // every link and every entry of the navigation leads to a page
        let root = folder.path().join("a");
        let listed = fs::read_to_string(root.join("docs.json")).unwrap();
        for number in 0..45 {
            assert!(
                root.join(format!("{}.mdx", bench_page_path(number))).is_file()
                    && listed.contains(&format!("\"{}\"", bench_page_path(number)))
            );
            let text = bench_page(number, BenchPlan::new(45, 7));
            for target in text
                .split("](/")
                .skip(1)
                .filter_map(|rest| rest.split(')').next())
                .filter(|target| !target.ends_with(".png"))
            {
                assert!(root.join(format!("{target}.mdx")).is_file(), "{target}");
            }
        }
    }

    #[test]
    fn pictures_are_pictures() {
        let bytes = bench_picture(3).unwrap();
        assert!((2_000..20_000).contains(&bytes.len()), "{}", bytes.len());
        let size = imagesize::blob_size(&bytes).unwrap();
        assert_eq!((size.width, size.height), (240, 120));
    }

    #[test]
    fn generating_can_be_canceled() {
        let folder = tempfile::tempdir().unwrap();
        let error = generate_site(folder.path(), BenchPlan::new(100, 1), &AtomicBool::new(true)).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::Interrupted);
    }
}
