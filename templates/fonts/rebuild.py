"""Copies the shipped fonts beside this file and prints what src/theme/fonts.rs says of them. Run it after a new version:

    npm install --no-save --ignore-scripts @fontsource-variable/inter@5.3.0 @fontsource-variable/jetbrains-mono@5.3.0 \
        @fontsource-variable/geist@5.3.0 @fontsource-variable/geist-mono@5.3.0 \
        @fontsource/stix-two-math@5.3.0
    pip install fonttools brotli
    python3 templates/fonts/rebuild.py node_modules

The font files are the packages' own, byte for byte, under shorter names; only STIX Two Math is cut to the characters of formulas
(its license reserves no name). `inter-pictures-400.ttf` and `-650.ttf` are what pictures of pages are drawn with: two weights of Inter without hints, its
subsets in one file, with the kerning of Latin letters (its license reserves no name either). `inter-widths.tsv` holds what diagrams need to know of Inter:
code point (hex), advance at weight 400 and at 700, in thousandths of the font size.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from fontTools.merge import Merger
from fontTools.subset import Options, Subsetter
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

FORMULAS = (
    "U+20-7E,U+A0-FF,U+131,U+237,U+2C6-2DD,U+300-338,U+391-3F6,U+2000-2064,U+2070-208E,U+20D0-20E1,U+20E8,U+20EC-20F0,"
    "U+2100-214B,U+2190-21FF,U+2200-22FF,U+2308-230B,U+2322-2323,U+2329-232A,U+239B-23B9,U+23DC-23E1,U+25A0-25A1,"
    "U+25AA-25AB,U+25B2-25C1,U+25C6-25CB,U+25EF,U+2605-2606,U+2660-2667,U+266D-266F,U+2713,U+27C2,U+27D5-27D7,"
    "U+27E6-27FF,U+290F-2912,U+2A00-2A06,U+2A0C,U+2A3F,U+2A5E,U+2A7D-2A7E,U+2A85-2A9A,U+2AA1-2AA2,U+2AAF-2ABA,"
    "U+2AC5-2AC6,U+2ACB-2ACC,U+1D400-1D7FF"
)
STIX = PACKAGES.parent / "@fontsource/stix-two-math"
subprocess.run([
    "pyftsubset", STIX / "files/stix-two-math-latin-400-normal.woff2", f"--unicodes={FORMULAS}", "--layout-features=ssty,dtls,flac",
    "--no-hinting", "--name-IDs=*", "--flavor=woff2", f"--output-file={HERE / 'stix-two-math.woff2'}",
], check=True)
shutil.copyfile(STIX / "LICENSE", HERE / "stix-two-math-OFL.txt")

# heads of right arrows have their connectors the wrong way round: no browser can join them to a shaft
stix = TTFont(HERE / "stix-two-math.woff2", recalcTimestamp=False)
for construction in stix["MATH"].table.MathVariants.HorizGlyphConstruction:
    parts = construction.GlyphAssembly.PartRecords if construction.GlyphAssembly else []
    for part in parts[1:]:
        if part.StartConnectorLength == 0:
            part.StartConnectorLength, part.EndConnectorLength = part.EndConnectorLength, part.StartConnectorLength
stix.save(HERE / "stix-two-math.woff2")


def for_pictures(weight):
    parts = []
    with tempfile.TemporaryDirectory() as folder:
        for subset in ["latin", "latin-ext", "cyrillic", "greek", "vietnamese"]:
            font = instantiateVariableFont(TTFont(file("inter", subset), recalcTimestamp=False), {"wght": weight})
            font.flavor = None
            options = Options(hinting=False, notdef_outline=True, glyph_names=False, name_IDs=[])
            options.layout_features = ["kern"] if subset == "latin" else []
            options.drop_tables += ["STAT", "gasp", "GSUB", "GDEF", "prep"] + ([] if subset == "latin" else ["GPOS"])
            codes = set(font.getBestCmap())
            if subset == "latin-ext":
                codes = {code for code in codes if code < 0x250 or 0x1E00 <= code < 0x1F00 or 0x2000 <= code < 0x2200}
            subsetter = Subsetter(options)
            subsetter.populate(unicodes=codes)
            subsetter.subset(font)
            parts.append(f"{folder}/{subset}.ttf")
            font.save(parts[-1])
        whole = Merger().merge(parts)
    whole["post"].formatType = 3.0
    whole["head"].created = whole["head"].modified = TTFont(file("inter", "latin"))["head"].modified
    whole.recalcTimestamp = False
    whole.save(HERE / f"inter-pictures-{weight}.ttf")


for weight in (400, 650):
    for_pictures(weight)
