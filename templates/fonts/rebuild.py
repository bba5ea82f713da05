"""Copies the shipped fonts beside this file and prints what src/theme/fonts.rs says of them. Run it after a new version:

    npm install --no-save --ignore-scripts @fontsource-variable/inter@5.3.0 @fontsource-variable/jetbrains-mono@5.3.0 \
        @fontsource-variable/geist@5.3.0 @fontsource-variable/geist-mono@5.3.0
    pip install fonttools brotli
    python3 templates/fonts/rebuild.py node_modules

The font files are the packages' own, byte for byte, under shorter names. `inter-widths.tsv` holds what diagrams need to know of Inter:
code point (hex), advance at weight 400 and at 700, in thousandths of the font size.
"""

import shutil
import sys
from pathlib import Path

from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

HERE = Path(__file__).parent
PACKAGES = Path(sys.argv[1] if len(sys.argv) > 1 else "node_modules") / "@fontsource-variable"
FAMILIES = {
    "inter": ["latin", "latin-ext", "cyrillic", "cyrillic-ext", "greek", "greek-ext", "vietnamese"],
    "jetbrains-mono": ["latin", "latin-ext", "cyrillic", "cyrillic-ext", "greek", "vietnamese"],
    "geist": ["latin", "latin-ext", "cyrillic", "cyrillic-ext", "vietnamese"],
    "geist-mono": ["latin", "latin-ext", "cyrillic", "cyrillic-ext", "vietnamese"],
}
ITALICS = {"inter": ["latin"]}

# Advance widths of Arial (and of Liberation Sans, which has the same), thousandths of the font size, and how often a letter occurs in
# a hundred thousand characters of English text. Their mean is what a line of text is wide.
ARIAL = dict(zip("abcdefghijklmnopqrstuvwxyz ", [
    556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 278]))
FREQUENCY = dict(zip("abcdefghijklmnopqrstuvwxyz ", [
    6513, 1242, 2217, 3399, 10327, 1782, 1624, 4964, 5558, 122, 628, 3298, 2028, 5643, 5966, 1376, 86, 4978, 5159, 7293, 2247, 829, 1712,
    136, 1453, 61, 18600]))


def file(family, subset, style="normal"):
    return PACKAGES / family / "files" / f"{family}-{subset}-wght-{style}.woff2"


def mean(width):
    return sum(width(letter) * often for letter, often in FREQUENCY.items()) / sum(FREQUENCY.values())


def widths(font):
    cmap, advances, upem = font.getBestCmap(), font["hmtx"], font["head"].unitsPerEm
    return {code: advances[glyph][0] * 1000 / upem for code, glyph in cmap.items()}


for family, subsets in FAMILIES.items():
    for subset in subsets:
        shutil.copyfile(file(family, subset), HERE / f"{family}-{subset}.woff2")
    for subset in ITALICS.get(family, []):
        shutil.copyfile(file(family, subset, "italic"), HERE / f"{family}-{subset}-italic.woff2")
    shutil.copyfile(PACKAGES / family / "LICENSE", HERE / f"{family}-OFL.txt")
    font = TTFont(file(family, "latin"))
    regular = widths(font)
    size = mean(lambda letter: regular[ord(letter)]) / (600 if "mono" in family else mean(ARIAL.get))
    upem, hhea = font["head"].unitsPerEm, font["hhea"]
    metrics = [size * 100, hhea.ascent / upem / size * 100, -hhea.descent / upem / size * 100, hhea.lineGap / upem / size * 100]
    print(family, "size, ascent, descent, line gap, %:", *(f"{value:.2f}" for value in metrics))

rows = {}
for weight, column in ((400, 0), (700, 1)):
    for subset in reversed(FAMILIES["inter"]):
        for code, width in widths(instantiateVariableFont(TTFont(file("inter", subset)), {"wght": weight})).items():
            rows.setdefault(code, [0, 0])[column] = round(width)
(HERE / "inter-widths.tsv").write_text("".join(f"{code:x}\t{a}\t{b}\n" for code, (a, b) in sorted(rows.items())))
print("inter-widths.tsv:", len(rows), "code points")
