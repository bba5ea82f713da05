"""What `compare.py` needs of tools that Node runs: VitePress and Starlight. The project is built in its own folder, where
its packages have to be installed; if `TOOL_MODULES` names a `node_modules`, a copy of it is built beside those."""

import os, pathlib, re, shutil, subprocess


def has_class(attributes, name):
    return name in (attributes.get("class") or "").split()


def run(command, folder):
    variables = {"CI": "1", "ASTRO_TELEMETRY_DISABLED": "1"}
    subprocess.run(command, cwd=folder, env={**os.environ, **variables}, check=True)


def installed(source):
    """The project with its packages."""
    modules = os.environ.get("TOOL_MODULES")
    if not modules:
        return pathlib.Path(source)
    modules = pathlib.Path(modules).absolute()
    # Astro takes a file that shares no folder but `/` with the project for one whose path starts in the project
    copy = modules.parent / "project"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(source, copy, ignore=shutil.ignore_patterns("node_modules", ".git", "dist", ".astro"))
    os.symlink(modules, copy / "node_modules")
    return copy


def build_vitepress(source, out):
    folder = installed(source)
    if folder != pathlib.Path(source):
        # what a page repeats where it runs is no part of an export, which says so
        for page in folder.rglob("*.md"):
            if "node_modules" not in page.parts and "v-for=" in (text := page.read_text()):
                page.write_text(re.sub(r"(?s)<(\w+)[^>]* v-for=.*?</\1>", "", text))
    docs = next(one for one in [folder, *(folder / name for name in ("docs", "doc", "website", "site"))] if (one / ".vitepress").is_dir())
    run(["npx", "vitepress", "build", str(docs.absolute()), "--outDir", f"{out}/built"], folder)
    return f"{out}/built"


def build_vuepress(source, out):
    folder = installed(source)
    run(["npx", "vuepress", "build", str((folder / "docs").absolute()), "--dest", f"{out}/built"], folder)
    return f"{out}/built"


def build_starlight(source, out):
    folder = installed(source)
    project = next(one for one in [folder, *(folder / name for name in ("docs", "website", "site"))] if list(one.glob("astro.config.*")))
    run(["npx", "astro", "build", "--outDir", f"{out}/built"], project)
    return f"{out}/built"


def sidebar(tool, text):
    """The links of the sidebar of a page, in order."""
    part = {
        "vitepress": r'<nav class="nav" id="VPSidebarNav".*?</nav>',
        "vuepress": r'<ul class="vp-sidebar-items".*?</aside>',
        "starlight": r'<nav class="sidebar[^>]*>.*?</nav>',
    }.get(tool)
    found = part and re.search(rf"(?s){part}", text)
    links = re.findall(r'<a\b[^>]*?\bhref="(/[^"#]*)"', found[0]) if found else []
    return [link.removesuffix("/").removesuffix(".html") or "/" for link in links]


TOOLS = {
    "vitepress": (build_vitepress, lambda tag, attributes: has_class(attributes, "vp-doc") or has_class(attributes, "VPHome")),
    "vuepress": (build_vuepress, lambda tag, attributes: "vp-content" in attributes or has_class(attributes, "vp-home")),
    "starlight": (build_starlight, lambda tag, attributes: has_class(attributes, "sl-markdown-content")),
}
