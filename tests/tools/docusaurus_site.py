"""What `compare.py` needs of Docusaurus."""

import os, pathlib, re, shutil, subprocess, urllib.parse

# the pages of the export
known_pages = set()


def address(path):
    """The address of a file: without `index.html` and `.html`."""
    path = re.sub(r"(^|/)index\.html$", r"\1", path).removesuffix(".html")
    return "/" + path.strip("/")


def build(source, out):
    """Builds a copy with the versions that `tests/tools/node/docusaurus` pins. `TOOL_MODULES` may name a `node_modules`
    that is there already."""
    copy = pathlib.Path(out) / "project"
    shutil.copytree(source, copy, ignore=shutil.ignore_patterns("node_modules", ".git", "build", ".docusaurus"))
    config = next(file for folder in ("", "website", "docs", "site") for file in (copy / folder).glob("docusaurus.config.*"))
    project = config.parent
    modules = os.environ.get("TOOL_MODULES")
    if modules:
        os.symlink(pathlib.Path(modules).absolute(), project / "node_modules")
    else:
        for name in ("package.json", "package-lock.json"):
            shutil.copy(pathlib.Path(__file__).parent / "node" / "docusaurus" / name, project / name)
        subprocess.run(["npm", "ci", "--no-audit", "--no-fund"], cwd=project, check=True)
    built = pathlib.Path(out) / "built"
    subprocess.run(["node", "node_modules/@docusaurus/core/bin/docusaurus.mjs", "build", "--out-dir", str(built)], cwd=project, check=True)
    return built


def is_content(tag, attributes):
    classes = (attributes.get("class") or "").split()
    return "markdown" in classes or any(one.startswith("generatedIndexPage") for one in classes)


def without_chrome(text):
    """The names of boxes without a title of their own are shown as icons."""
    text = re.sub(r'(?s)<div class="[^"]*theme-doc-version-banner.*?</div>\s*</div>', "", text)
    text = re.sub(r'(?s)<span class="theme-doc-version-badge.*?</span>', "", text)
    # inside the pages of categories
    text = re.sub(r'(?s)<nav class="[^"]*(?:breadcrumbs|theme-doc-breadcrumbs).*?</nav>', "", text)
    text = re.sub(r'(<nav class=")([^"]*docusaurus-mt-lg[^"]*)(")', r"\1\2\3 data-chrome", text)
    text = re.sub(r'(<nav class="[^"]*pagination-nav[^"]*")', r"\1 data-chrome", text)
    # words that Docusaurus makes of the first lines of pages
    text = re.sub(r'(?s)<p class="[^"]*cardDescription.*?</p>', "", text)
    return re.sub(r'(<div class="admonitionHeading[^"]*">.*?</span>)(note|tip|info|warning|danger|caution|secondary|important|Hinweis|hinweis)(</div>)', r"\1\3", text)


def chains(pages):
    """The pages of each sidebar in order: each page names the next."""
    link = lambda text, kind: re.search(rf'class="pagination-nav__link pagination-nav__link--{kind}" href="([^"]+)"', text)
    following, preceded = {}, set()
    for at, text in pages.items():
        if at.startswith("/blog") or "theme-doc-markdown" not in text and "generatedIndexPage" not in text:
            continue
        found = link(text, "next")
        following[at] = address(urllib.parse.unquote(found[1]).strip("/") + ".html") if found else None
        if found:
            preceded.add(following[at])
    for start in [at for at in following if at not in preceded]:
        line, at = [], start
        while at in following and at not in line:
            line.append(at)
            at = following[at]
        yield line


def following_page(at, text):
    """The page that an exported page leads to at its end."""
    found = re.search(r'rel="next" href="([^"#]+)"', text)
    # the page of a folder is `index.html` in it
    for base in (at.rstrip("/") + "/", at.rsplit("/", 1)[0] + "/"):
        if found:
            to = address(urllib.parse.unquote(urllib.parse.urljoin(base, found[1])).strip("/"))
            if to in known_pages:
                return to
    return None


LISTS = re.compile(r"^(/[a-z-]+)?/blog(/(page|tags|authors|archive).*)?$|/search$|/404$|/docs/tags")
