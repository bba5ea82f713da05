"""Compares an export with what a site's own tool makes of the same sources, page by page.

    python3 tests/tools/compare.py hugo SOURCE --bin target/quick/offprint [--built DIR] [--cache DIR] [--export DIR] [--verbose]

Builds the site with the tool unless `--built` names what it made or `--cache` has it from an earlier time, and exports it
unless `--export` names a folder.
Compared are: pages, by their addresses or redirects from them; the order of the navigation; the words of the main
content; headings and their anchors; code blocks, exactly; links between pages. The tools are built without their
themes where these are packages: Hugo gets the layouts of `tests/tools/hugo`, which show the content alone.

Exit code 1 if a figure is below its limit.
"""

import argparse, collections, hashlib, html, html.parser, json, os, pathlib, re, shutil, subprocess, sys, tempfile, urllib.parse

import docsify_site
import docusaurus_site
import mdbook_site
import mkdocs_site
import next_site
import web
from docusaurus_site import address

LIMITS = {"pages": 1.0, "order": 1.0, "words": 0.995, "anchors": 0.99, "code": 0.99, "links": 0.98}
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
# what only the tool reads, and no reader may see
RAW = {
    "hugo": r"\{\{[<%] ?/?[\w-]+",
    "mdbook": r"\{\{\s*#\w+|</?Listing",
    "mkdocs": r"(?:^| )(?:!!!|\?\?\?\+?) ?\w.{0,40}|:(?:material|fontawesome|octicons)-.{0,40}|--8<--.{0,40}|\{%.{0,40}",
    "vitepress": r":::.{0,40}|<<<.{0,40}|\[\[toc\]\]|@include:.{0,40}",
    "vuepress": r":::.{0,40}|@tab\b.{0,40}|@\[code.{0,40}|\[\[toc\]\]|<<<.{0,40}",
    "docsify": r"[!?]> .{0,40}|':[a-z]+[ =:'].{0,40}|docsify-ignore|<!-- tab.{0,40}",
    "fumadocs": r":::.{0,40}|\[!code.{0,40}|\[[#!]\w+\]",
    "nextra": r"\{:\w+\}|\[[#!]\w+\]",
    "docusaurus": r":::.{0,40}",
    "starlight": r":::.{0,40}",
}
HIDDEN = {"script", "style", "title", "template", "svg", "math", "noscript", "button"}


class Page(html.parser.HTMLParser):
    """The words, headings, code and links of the main content of a page."""

    def __init__(self, text, starts):
        super().__init__(convert_charrefs=True)
        self.starts = starts
        self.open, self.words, self.headings, self.codes, self.links, self.ids = [], [], [], [], [], set()
        self.inside = self.hidden = self.pre = self.in_lines = 0
        self.heading = None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        begins = not self.inside and self.starts(tag, attributes)
        role, classes = attributes.get("role"), (attributes.get("class") or "").split()
        is_hidden = "hidden" in attributes and "until-found" not in (attributes["hidden"] or "") and role != "tabpanel"
        hides = tag in HIDDEN or tag == "summary" and self.pre or "lang" in classes or "line-numbers-wrapper" in classes or "sr-only" in classes or "data-chrome" in attributes or role == "tab" or is_hidden
        if tag not in VOID:
            self.open.append((tag, begins, hides, tag == "pre"))
            self.inside += begins
            self.hidden += hides
            if tag == "pre":
                self.pre += 1
                if self.counts():
                    self.codes.append("")
                    self.in_lines = False
        if self.counts():
            if attributes.get("id"):
                self.ids.add(attributes["id"])
            if re.fullmatch("h[1-6]", tag):
                self.heading = [attributes.get("id") or "", ""]
            if tag == "a" and attributes.get("href"):
                self.links.append(attributes["href"])
            # Expressive Code has an element for each line and no line feeds between them
            if self.pre and self.codes and "ec-line" in (attributes.get("class") or "").split():
                self.codes[-1] += "\n" if self.in_lines else ""
                self.in_lines = True
            if tag == "br" and self.pre and self.codes:
                self.codes[-1] += "\n"

    def handle_endtag(self, tag):
        if not any(name == tag for name, *_ in self.open):
            return
        while self.open:
            name, begins, hides, is_pre = self.open.pop()
            self.inside -= begins
            self.hidden -= hides
            self.pre -= is_pre
            if re.fullmatch("h[1-6]", name) and self.heading:
                if self.inside and not self.hidden:
                    self.headings.append((self.heading[0], " ".join(self.heading[1].split())))
                self.heading = None
            if name == tag:
                break

    def counts(self):
        return self.inside and not self.hidden

    def handle_data(self, data):
        if not self.counts():
            return
        if self.pre and self.codes:
            self.codes[-1] += data.strip("\n") if self.in_lines else data
        if self.heading:
            self.heading[1] += data
        self.words += re.findall(r"\w+", data.lower().replace("_", " "))


def raw_syntax(tool, page):
    """What is left of a tool's own syntax on a page, outside of code."""
    text = re.sub(r"(?s)<(pre|code|script|style|svg|head)\b.*?</\1>", "", page)
    return collections.Counter(re.findall(RAW[tool], " ".join(html.unescape(re.sub("<[^>]*>", " ", text)).split())))


def built_pages(folder, starts):
    for path in sorted(pathlib.Path(folder).rglob("*.html")):
        if path.is_dir():
            continue
        name = path.relative_to(folder).as_posix()
        text = path.read_text(errors="replace")
        yield name, text


def linked(links, name, pages):
    """The pages that links of a page lead to: its own name, relative addresses, a base that the tool puts before all."""
    found = set()
    for link in links:
        path = re.split("[?#]", link)[0]
        if not path or re.match(r"[a-z][\w+.-]*:|//", path, re.I):
            continue
        at = address(urllib.parse.unquote(urllib.parse.urljoin("/" + name, path)).lstrip("/"))
        found |= {at, "/" + "/".join(at.split("/")[2:])} & pages
    return found


def share(own, other):
    """The share of what the tool has that the export has too."""
    missing = collections.Counter(own) - collections.Counter(other)
    return 1.0 if not own else 1 - sum(missing.values()) / len(own), missing


def in_order(expected, found):
    """The longest run of pages that both have in the same order, as a share of those that both have."""
    at = {page: number for number, page in reversed(list(enumerate(found)))}
    line = [at[page] for page in dict.fromkeys(expected) if page in at]
    ends = []
    import bisect
    for number in line:
        spot = bisect.bisect_left(ends, number)
        ends[spot:spot + 1] = [number]
    return 1.0 if not line else len(ends) / len(line)


def build_hugo(source, out):
    """Builds with Hugo, with layouts that show nothing but the content."""
    source = pathlib.Path(source)
    configs = ["hugo", "config", "config/_default/hugo", "config/_default/config"]
    project = next(
        folder
        for folder in [source, *(source / name for name in ("site", "docs", "website"))]
        if any((folder / f"{name}{end}").exists() for name in configs for end in (".toml", ".yaml", ".yml", ".json"))
    )
    copy = pathlib.Path(out) / "project"
    shutil.copytree(project, copy, ignore=shutil.ignore_patterns("node_modules", "themes", ".git", "resources", "public"))
    own = copy / "layouts"
    kept = own / "shortcodes" if (own / "shortcodes").exists() else own / "_shortcodes"
    shortcodes = pathlib.Path(out) / "shortcodes"
    partials = pathlib.Path(out) / "partials"
    # the theme's own need what is not there
    if kept.exists() and (own / "partials").exists() and any("partial " in file.read_text(errors="replace") for file in kept.rglob("*.html")):
        shutil.move(own / "partials", partials)
    if kept.exists():
        shutil.move(kept, shortcodes)
    shutil.rmtree(own, ignore_errors=True)
    shutil.copytree(pathlib.Path(__file__).parent / "hugo" / "layouts", own)
    if partials.exists():
        shutil.copytree(partials, own / "partials", dirs_exist_ok=True)
    if shortcodes.exists():
        shutil.copytree(shortcodes, own / "shortcodes", dirs_exist_ok=True)
    for name in configs:
        for end in (".toml", ".yaml", ".yml", ".json"):
            file = copy / f"{name}{end}"
            if file.exists():
                text = file.read_text()
                # the theme and its modules are not there
                text = re.sub(r"(?m)^theme\s*[:=].*$", "", text)
                text = re.sub(r"(?ms)^\[module\].*?(?=^\[(?!\[?module))", "", text)
                text = re.sub(r"(?ms)^module:\n(?:[ \t].*\n|\n)*", "", text)
                file.write_text(text)
    built = pathlib.Path(out) / "built"
    subprocess.run(
        [*os.environ.get("HUGO", "hugo").split(), "--source", str(copy), "--destination", str(built), "--ignoreCache", "--logLevel", "error"],
        env={**os.environ, "HUGO_SECURITY_ALLOWCONTENT": ".*", "HUGO_ENABLEGITINFO": "false"},
        check=False,
    )
    return built


TOOLS = {
    # how to build, and what the main content of a page is
    "hugo": (build_hugo, lambda tag, attributes: tag == "main" and "data-main" in attributes),
    **web.TOOLS,
    "docsify": (docsify_site.build, docsify_site.is_content),
    "docusaurus": (docusaurus_site.build, docusaurus_site.is_content),
    "fumadocs": (next_site.build, next_site.is_fumadocs),
    "nextra": (next_site.build, next_site.is_nextra),
    "mdbook": (mdbook_site.build, mdbook_site.is_content),
    "mkdocs": (mkdocs_site.build, mkdocs_site.is_content),
}


def build_once(cache, source, build, scratch):
    """Builds into `cache` unless it has what the tool makes of these sources: that depends on them, and on the versions and
    scripts in the folder of this file."""
    digest = hashlib.sha256()
    for folder in (pathlib.Path(source), pathlib.Path(__file__).parent):
        for file in sorted(folder.rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                content = file.read_bytes()
                digest.update(f"{file.relative_to(folder)}\0{len(content)}\0".encode() + content)
    kept = pathlib.Path(cache) / pathlib.Path(source).name / digest.hexdigest()[:32]
    if not kept.exists():
        built = build(source, scratch)
        shutil.rmtree(kept.parent, ignore_errors=True)
        part = kept.with_suffix(".part")
        shutil.copytree(built, part)
        part.rename(kept)
    return kept


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("tool", choices=sorted(TOOLS))
    arguments.add_argument("source")
    arguments.add_argument("--bin", default="target/quick/offprint")
    arguments.add_argument("--built")
    arguments.add_argument("--cache")
    arguments.add_argument("--export")
    arguments.add_argument("--verbose", action="store_true")
    arguments.add_argument("--no-limits", action="store_true")
    given = arguments.parse_args()
    build, starts = TOOLS[given.tool]
    scratch = tempfile.TemporaryDirectory()
    if given.cache and not given.built:
        built = build_once(given.cache, given.source, build, scratch.name)
    else:
        built = given.built or build(given.source, scratch.name)
    export = given.export
    if not export:
        export = scratch.name + "/export"
        subprocess.run([given.bin, "export", given.source, "-o", export, "-f", "dir", "--offline", "--progress", "none", "--from", given.tool], check=True)
    ours = lambda tag, attributes: attributes.get("id") == "content-area"

    files = {name: text for name, text in built_pages(export, ours) if not name.startswith("_offprint/")}
    exported = {address(name): text for name, text in files.items()}
    names = {address(name): name for name in files}
    exported = {at: text for at, text in exported.items() if not re.search(r'http-equiv="?refresh', text[:2000])}
    docusaurus_site.known_pages.update(exported)
    redirects = {}
    table = pathlib.Path(export) / "_offprint" / "redirects.json"
    if table.exists():
        redirects = {urllib.parse.unquote(one["source"]).rstrip("/") or "/": urllib.parse.unquote(one["destination"]).rstrip("/") or "/" for one in json.loads(table.read_text())["redirects"]}
    totals = collections.Counter()
    worst, lost = [], []
    order = []
    sidebars = []
    menus = {}
    theirs_all = list(built_pages(built, starts))
    if given.tool == "docusaurus":
        theirs_all = [(name, docusaurus_site.without_chrome(text)) for name, text in theirs_all if not docusaurus_site.LISTS.search(address(name)) and ".html/" not in name]
        sidebars = list(docusaurus_site.chains({address(name): text for name, text in theirs_all}))
    if given.tool in ("fumadocs", "nextra"):
        theirs_all = [(name, next_site.without_chrome(text)) for name, text in theirs_all if name != "404.html"]
    if given.tool == "vuepress":
        # the name on a start page is the title of its page
        theirs_all = [(name, text.replace('id="main-title"', "")) for name, text in theirs_all if name != "404.html"]
    if given.tool == "mdbook":
        order = [address(urllib.parse.unquote(one)) for one in mdbook_site.order(theirs_all)]
        theirs_all = list(mdbook_site.pages(theirs_all))
    if given.tool == "mkdocs":
        theirs_all = [(name, mkdocs_site.prepared(text)) for name, text in theirs_all if not mkdocs_site.LISTS.search(address(name))]
    theirs_known = {address(name) for name, _ in theirs_all}
    seen = set()
    for name, text in theirs_all:
        if address(name) in seen:
            continue
        seen.add(address(name))
        if 'id="order"' in text:
            order = [urllib.parse.unquote(one).rstrip("/") or "/" for one in re.findall(r'data-page="([^"]+)"', text)] or order
        if re.search(r'http-equiv="?refresh', text):
            totals["redirects"] += 1
            at = address(name)
            found = at in exported or at in redirects
            totals["redirects found"] += found
            if not found:
                lost.append(f"redirect {at}")
            continue
        ways = {"mkdocs": lambda: mkdocs_site.order(name, text), "docsify": lambda: docsify_site.sidebar(text)}
        ways |= {"fumadocs": lambda: next_site.sidebar(text), "nextra": lambda: next_site.sidebar(text)}
        links = ways.get(given.tool, lambda: web.sidebar(given.tool, text))()
        # pages of another part of the site have their place there
        part = lambda link: "/".join(link.split("/")[:3])
        links = [link for link in links if len(menus) == 0 or given.tool != "vitepress" or part(link) in {part(one) for one in links[:1]}]
        menus[tuple(links)] = links
        theirs = Page(text, starts)
        if not theirs.words and not theirs.codes and "data-main" not in text:
            continue
        if re.search(r'data-kind="?(taxonomy|term)', text):
            continue  # lists of keywords: the search takes their place
        at = address(name)
        totals["pages"] += 1
        mine = exported.get(at) or exported.get(redirects.get(at, ""))
        if mine is None:
            lost.append(at)
            continue
        totals["pages found"] += 1
        own = Page(mine, ours)
        wanted = linked(theirs.links, name, theirs_known) - {at}
        reached = linked(own.links, names[at if at in exported else redirects[at]], set(exported))
        unlinked = sorted(one for one in wanted if one not in reached and redirects.get(one) not in reached)
        totals["links"] += len(wanted)
        totals["links missing"] += len(unlinked)
        title = re.search(r"<h1[^>]*>(.*?)</h1>", mine, re.S)
        shown = re.findall(r"\w+", html.unescape(re.sub("<[^>]*>", "", title[1])).lower()) if title else []
        words, missing = share(theirs.words, own.words + shown)
        totals["words"] += len(theirs.words)
        totals["words missing"] += sum(missing.values())
        ids = sorted({one for one, _ in theirs.headings if one})
        has, without = share(ids, list(own.ids))
        totals["anchors"] += len(ids)
        totals["anchors missing"] += sum(without.values())
        clean = lambda code: "\n".join(line.rstrip() for line in code.strip("\n").split("\n"))
        codes, other = share([clean(code) for code in theirs.codes], [clean(code) for code in own.codes])
        totals["code"] += len(theirs.codes)
        totals["code missing"] += sum(other.values())
        raw = list((raw_syntax(given.tool, mine) - raw_syntax(given.tool, text)).elements())
        totals["raw"] += len(raw)
        if words < 0.999 or without or other or raw or unlinked:
            worst.append((words, at, missing.most_common(8), list(without)[:4], [one[:60] for one in list(other)[:2]], raw[:2], unlinked[:3]))
    listed = re.findall(r"(?m)^- \[.*?\]\((\S+)\.md\)", pathlib.Path(export, "llms.txt").read_text())
    found = [address(urllib.parse.unquote(one) + ".html") for one in listed]
    by_order = in_order(order, found)
    if sidebars:
        pairs = [pair for line in sidebars for pair in zip(line, line[1:])]
        wrong = [pair for pair in pairs if docusaurus_site.following_page(pair[0], exported.get(pair[0], "")) != pair[1]]
        by_order = 1 - len(wrong) / max(len(pairs), 1)
        for own, other in wrong[:10] if given.verbose else []:
            print("order differs:", own, "leads to", docusaurus_site.following_page(own, exported.get(own, "")), "not", other)
    known = set(found)
    based = lambda links, found: [link if link in known else "/" + "/".join(link.split("/")[2:]) for link in links]
    by_order = min([by_order, *(in_order(based(one, found), found) for one in menus.values())])
    rate = lambda name: 1 - totals[name + " missing"] / totals[name] if totals[name] else 1.0
    figures = {
        "pages": totals["pages found"] / max(totals["pages"], 1),
        "redirects": totals["redirects found"] / max(totals["redirects"], 1) if totals["redirects"] else 1.0,
        "order": by_order,
        "words": rate("words"),
        "anchors": rate("anchors"),
        "code": rate("code"),
        "links": rate("links"),
        "raw syntax": totals["raw"],
    }
    for name, value in figures.items():
        print(f"{name:12} {value:.4f}" if isinstance(value, float) else f"{name:12} {value}")
    print({name: totals[name] for name in ("pages", "words", "anchors", "code", "links", "redirects")})
    if given.verbose and figures["order"] < 1:
        both = [page for page in found if page in set(order)]
        for number, (own, other) in enumerate(zip(dict.fromkeys(both), [page for page in dict.fromkeys(order) if page in set(both)])):
            if own != other:
                print("order differs at", number, "found", own, "expected", other)
                break
    for one in lost[: 40 if given.verbose else 10]:
        print("lost", one)
    for one in sorted(worst)[: 60 if given.verbose else 12]:
        print("differs", *one)
    failed = [name for name, limit in LIMITS.items() if figures.get(name, 1) < limit]
    if figures["raw syntax"]:
        failed.append("raw syntax")
    if failed and not given.no_limits:
        print("below the limit:", ", ".join(failed))
        sys.exit(1)


main()
