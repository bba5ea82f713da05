"""What `compare.py` needs of Nextra and Fumadocs: both are built by Next, as a folder of files."""

import os, pathlib, re, shutil

import web


def build(source, out):
    """Builds a copy beside the packages that `TOOL_MODULES` names."""
    folder = web.installed(source)
    shutil.rmtree(folder / "out", ignore_errors=True)
    os.environ["NEXT_TELEMETRY_DISABLED"] = "1"
    web.run(["npx", "next", "build"], folder)
    shutil.move(folder / "out", f"{out}/built")
    return pathlib.Path(out) / "built"


def is_nextra(tag, attributes):
    return tag == "main" and "data-pagefind-body" in attributes


def is_fumadocs(tag, attributes):
    return attributes.get("id") == "nd-page"


def without_chrome(text):
    """Pages without the names of columns, the ways to others and up, formulas drawn beside themselves, and the names of tabs
    and notes that stand on them for programs alone."""
    text = re.sub(r'(?s)(<article[^>]*>)<div class="flex items-center gap-1.5 text-sm.*?</div>', r"\1", text)
    text = re.sub(r'<p class="w-\[25%\]">Prop</p><p class="@max-xl:hidden">Type</p>', "", text)
    text = re.sub(r'(?s)<span class="katex-html".*?</span>(?=</span> and )', "", text)
    text = re.sub(r'(?s)<h2[^>]* id="footnote-label".*?</h2>', "", text)
    # the words of what opens are an anchor
    text = re.sub(r'(?s)(<summary\b(?:(?!</summary>).)*?<h3) id="[^"]*"', r"\1", text)
    text = re.sub(r'(?s)<div class="[^"]*?\bgrid(?:-cols-\d)? gap-4 pb-6.*?</article>', "</article>", text)
    text = re.sub(r'(?s)(<div[^>]* role="tabpanel"[^>]*>)<h3 [^>]*>.*?</h3>', r"\1", text)
    return text


def sidebar(text):
    """The links of the list of pages, in order: folders that are closed have none."""
    found = re.search(r'(?s)<aside\b[^>]*(?:id="nd-sidebar"|nextra-sidebar).*?</aside>', text)
    links = re.findall(r'<a\b[^>]*?\bhref="(/[^"#]*)"', found[0]) if found else []
    return [link.rstrip("/").removesuffix(".html") or "/" for link in links]
