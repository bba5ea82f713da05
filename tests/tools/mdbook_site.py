"""What `compare.py` needs of mdBook."""

import os, pathlib, re, shutil, subprocess


def build(source, out):
    """Builds the book of a folder, or of one of the folders below it in which books are. Preprocessors that are not
    installed are left out."""
    folder = pathlib.Path(source).absolute()
    book = next(one for one in [folder, *(folder / name for name in ("docs", "book", "guide", "doc"))] if (one / "book.toml").exists())
    copy = pathlib.Path(out) / "project"
    shutil.copytree(folder, copy, ignore=shutil.ignore_patterns(".git", "target", "node_modules"))
    config = copy / book.relative_to(folder) / "book.toml"
    text = config.read_text()
    for name in re.findall(r"(?m)^\[preprocessor\.([\w-]+)", text):
        if not shutil.which(f"mdbook-{name}"):
            text = re.sub(rf"(?ms)^\[preprocessor\.{name}[\].].*?(?=^\[|\Z)", "", text)
    # renderers beside the one for HTML are no part of what is compared
    text = re.sub(r"(?ms)^\[output\.(?!html)[\w-]+.*?(?=^\[|\Z)", "", text)
    config.write_text(text)
    built = pathlib.Path(out) / "built"
    subprocess.run([os.environ.get("MDBOOK", "mdbook"), "build", str(config.parent), "--dest-dir", str(built)], check=True)
    return built


def pages(files):
    """The pages of a book: not the page with all of it, nor the frames and errors, nor the first chapter again."""
    named = dict(files)
    first = re.search(r'<li class="chapter-item[^>]*>.*?<a href="([^"]+)"', named.get("toc.html", ""))
    for name, text in files:
        is_copy = name == "index.html" and first and first[1] != "index.html"
        if name not in ("print.html", "toc.html", "404.html") and not is_copy:
            yield name, comparable(text)


def comparable(text):
    """A page without what an export shows in another way: formulas and diagrams, numbers of footnotes, names of boxes."""
    text = re.sub(r'(?s)<pre><code class="language-mermaid">.*?</pre>', "", text)
    if "MathJax" in text:
        parts = re.split(r"(?s)(<pre.*?</pre>|<code.*?</code>)", text)
        parts[::2] = [re.sub(r"(?s)\\\(.*?\\\)|\\\[.*?\\\]|\$\$.*?\$\$", "", part) for part in parts[::2]]
        text = "".join(parts)
    text = re.sub(r'(?s)<sup class="footnote-reference".*?</sup>|<a href="#fr-[^>]*>.*?</a>', "", text)
    text = re.sub(r'(?s)<p class="blockquote-tag-title">.*?</p>', "", text)
    return without_wrappers(text)


def without_wrappers(text):
    """Code as its author wrote it: mdBook adds the lines that make a program of a piece of Rust, and hides them."""
    start = r'<span class="boring">#!\[allow\(unused\)\]\n</span>((?:#!\[.*\n|\s*\n)*)<span class="boring">fn main\(\) \{\n</span>'

    def unwrapped(found):
        code = found[0]
        return re.sub(r'<span class="boring">\}</span></code></pre>$', "</code></pre>", re.sub(start, r"\1", code)) if re.search(start, code) else code

    return re.sub(r'(?s)<pre class="playground">.*?</code></pre>', unwrapped, text)


def order(files):
    """The addresses of the chapters in the order of the list."""
    return re.findall(r'<a href="([^"]+)"', dict(files).get("toc.html", ""))


def is_content(tag, attributes):
    return tag == "main"
