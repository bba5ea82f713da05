"""What `compare.py` needs of tools that Node runs: VitePress and Starlight. The project has to be installed; it is built
in its own folder."""

import os, pathlib, re, subprocess


def has_class(attributes, name):
    return name in (attributes.get("class") or "").split()


def run(command, folder):
    subprocess.run(command, cwd=folder, env={**os.environ, "CI": "1"}, check=True)


def build_vitepress(source, out):
    folder = pathlib.Path(source)
    docs = next(one for one in [folder, *(folder / name for name in ("docs", "doc", "website", "site"))] if (one / ".vitepress").is_dir())
    run(["npx", "vitepress", "build", str(docs.absolute()), "--outDir", f"{out}/built"], folder)
    return f"{out}/built"


def build_starlight(source, out):
    folder = pathlib.Path(source)
    project = next(one for one in [folder, *(folder / name for name in ("docs", "website", "site"))] if list(one.glob("astro.config.*")))
    run(["npx", "astro", "build", "--outDir", f"{out}/built"], project)
    return f"{out}/built"


def sidebar(tool, text):
    """The links of the sidebar of a page, in order."""
    start = {"vitepress": r'<nav class="nav" id="VPSidebarNav"', "starlight": r'<nav class="sidebar[^>]*>'}.get(tool)
    found = start and re.search(rf"(?s){start}.*?</nav>", text)
    links = re.findall(r'<a\b[^>]*?\bhref="(/[^"#]*)"', found[0]) if found else []
    return [link.removesuffix("/").removesuffix(".html") or "/" for link in links]


TOOLS = {
    "vitepress": (build_vitepress, lambda tag, attributes: has_class(attributes, "vp-doc") or has_class(attributes, "VPHome")),
    "starlight": (build_starlight, lambda tag, attributes: has_class(attributes, "sl-markdown-content")),
}
