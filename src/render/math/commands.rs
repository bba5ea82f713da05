//! Commands of KaTeX that the parser does not know, in terms of those it does.

/// Things that MathML Core has no element for: their name and the colour (red, green, blue) that carries them through the parser.
pub(super) const MARKS: [(&str, [u8; 3]); 5] =
    [("boxed", [1, 2, 1]), ("cancel", [1, 2, 2]), ("phantom", [1, 2, 3]), ("struck", [1, 2, 4]), ("flat", [1, 2, 5])];

/// Commands that stand for others. Sorted.
pub(super) const SAME: [(&str, &str); 63] = [
    ("Bbbk", "\\mathbb{k}"),
    ("C", "\\mathbb{C}"),
    ("Complex", "\\mathbb{C}"),
    ("Huge", ""),
    ("KaTeX", "\\text{KaTeX}"),
    ("LARGE", ""),
    ("LaTeX", "\\text{LaTeX}"),
    ("Large", ""),
    ("N", "\\mathbb{N}"),
    ("Q", "\\mathbb{Q}"),
    ("R", "\\mathbb{R}"),
    ("Reals", "\\mathbb{R}"),
    ("TeX", "\\text{TeX}"),
    ("Vec", "\\vec"),
    ("Z", "\\mathbb{Z}"),
    ("allowbreak", ""),
    ("argmax", "\\operatorname*{arg\\,max}"),
    ("argmin", "\\operatorname*{arg\\,min}"),
    ("bcancel", "\\cancel"),
    ("bm", "\\boldsymbol"),
    ("bold", "\\mathbf"),
    ("cnums", "\\mathbb{C}"),
    ("emph", "\\textit"),
    ("footnotesize", ""),
    ("hbox", "\\text"),
    ("huge", ""),
    ("injlim", "\\operatorname*{inj\\,lim}"),
    ("large", ""),
    ("llap", ""),
    ("mathclap", ""),
    ("mathds", "\\mathbb"),
    ("mathllap", ""),
    ("mathrlap", ""),
    ("mathscr", "\\mathcal"),
    ("mathstrut", ""),
    ("mbox", "\\text"),
    ("mod", "\\quad\\operatorname{mod}\\,"),
    ("natnums", "\\mathbb{N}"),
    ("newline", "\\\\"),
    ("nobreak", ""),
    ("nonumber", ""),
    ("normalsize", ""),
    ("notag", ""),
    ("pmb", "\\boldsymbol"),
    ("projlim", "\\operatorname*{proj\\,lim}"),
    ("reals", "\\mathbb{R}"),
    ("rlap", ""),
    ("scriptsize", ""),
    ("small", ""),
    ("smash", ""),
    ("strut", ""),
    ("textdollar", "\\$"),
    ("textnormal", "\\text"),
    ("textunderscore", "\\_"),
    ("textup", "\\text"),
    ("thetasym", "\\vartheta"),
    ("tiny", ""),
    ("varinjlim", "\\underrightarrow{\\lim}"),
    ("varliminf", "\\underline{\\lim}"),
    ("varlimsup", "\\overline{\\lim}"),
    ("varprojlim", "\\underleftarrow{\\lim}"),
    ("xcancel", "\\cancel"),
    ("xmapsto", "\\xrightarrow"),
];

/// Commands with arguments: how many they take, and what they become, `#1` being the first. Sorted.
pub(super) const SHAPES: [(&str, usize, &str); 34] = [
    ("Bra", 1, "\\left\\langle #1\\right|"),
    ("Braket", 1, "\\left\\langle #1\\right\\rangle"),
    ("Ket", 1, "\\left|#1\\right\\rangle"),
    ("boxed", 1, "\\textcolor{#MARK0}{\\,#1\\,}"),
    ("bra", 1, "\\langle #1|"),
    ("braket", 1, "\\langle #1\\rangle"),
    ("cancel", 1, "\\textcolor{#MARK1}{#1}"),
    ("dddot", 1, "\\overset{\\cdots}{#1}"),
    ("eqref", 1, "\\text{(#1)}"),
    ("fbox", 1, "\\textcolor{#MARK0}{\\,\\text{#1}\\,}"),
    ("hphantom", 1, "\\textcolor{#MARK2}{#1}"),
    ("href", 2, "{#2}"),
    ("ket", 1, "|#1\\rangle"),
    ("label", 1, ""),
    ("overparen", 1, "\\overset{\\frown}{#1}"),
    ("phantom", 1, "\\textcolor{#MARK2}{#1}"),
    ("pod", 1, "\\quad(#1)"),
    ("prescript", 3, "{}^{#1}_{#2}{#3}"),
    ("raisebox", 2, "\\text{#2}"),
    ("ref", 1, "\\text{#1}"),
    ("sout", 1, "\\textcolor{#MARK3}{\\text{#1}}"),
    ("url", 1, "\\texttt{#1}"),
    ("utilde", 1, "\\underset{\\sim}{#1}"),
    ("vphantom", 1, "\\textcolor{#MARK4}{#1}"),
    ("vspace", 1, ""),
    ("xLeftarrow", 1, "\\overset{#1}{\\Longleftarrow}"),
    ("xLeftrightarrow", 1, "\\overset{#1}{\\Longleftrightarrow}"),
    ("xRightarrow", 1, "\\overset{#1}{\\Longrightarrow}"),
    ("xhookleftarrow", 1, "\\overset{#1}{\\hookleftarrow}"),
    ("xhookrightarrow", 1, "\\overset{#1}{\\hookrightarrow}"),
    ("xleftrightarrow", 1, "\\overset{#1}{\\longleftrightarrow}"),
    ("xlongequal", 1, "\\overset{#1}{=}"),
    ("xrightleftharpoons", 1, "\\overset{#1}{\\rightleftharpoons}"),
    ("xtofrom", 1, "\\overset{#1}{\\rightleftarrows}"),
];

/// Commands whose argument is text, in which `$…$` is math again.
pub(super) const TEXTS: [&str; 7] = ["text", "textbf", "textit", "textmd", "textrm", "textsf", "texttt"];

/// Operators that split the group they stand in.
pub(super) const INFIX: [(&str, &str); 5] =
    [("atop", "\\genfrac{}{}{0pt}{}"), ("brace", "\\genfrac\\{\\}{0pt}{}"), ("brack", "\\genfrac[]{0pt}{}"), ("choose", "\\binom"), ("over", "\\frac")];

/// A shape with the colours of its marks.
pub(super) fn marked(shape: &str) -> String {
    let mut out = shape.to_owned();
    for (index, (_, [red, green, blue])) in MARKS.iter().enumerate() {
        out = out.replace(&format!("#MARK{index}"), &format!("#{red:02x}{green:02x}{blue:02x}"));
    }
    out
}
