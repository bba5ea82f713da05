use super::*;
use crate::render::icon::tests::{Files, rendered};

#[track_caller]
fn check(tex: &str, expect: &str) {
    let mathml = to_mathml(tex, false).unwrap_or_else(|error| panic!("{tex}: {error}"));
    let inside = mathml.strip_prefix("<math display=\"inline\">").and_then(|mathml| mathml.strip_suffix("</math>"));
    assert_eq!(inside, Some(expect), "{tex}");
}

#[track_caller]
fn same(tex: &str, as_tex: &str) {
    assert_eq!(to_mathml(tex, false), to_mathml(as_tex, false), "{tex} | {as_tex}");
    assert!(to_mathml(tex, false).is_ok(), "{tex}");
}

#[test]
fn formulas_are_mathml() {
    check("x^2", "<msup><mi>x</mi><mn>2</mn></msup>");
    check("\\frac{a}{b}", "<mfrac><mrow><mi>a</mi></mrow><mrow><mi>b</mi></mrow></mfrac>");
    assert_eq!(to_mathml("x", true).as_deref(), Ok("<math display=\"block\"><mi>x</mi></math>"));
}

#[test]
fn katex_commands_that_the_parser_lacks() {
    same("\\bm{x}", "\\boldsymbol{x}");
    same("{n \\choose k}", "{\\binom{n }{ k}}");
    same("a \\over b", "\\frac{a }{ b}");
    same("\\R^n", "\\mathbb{R}^n");
    same("\\href{https://example.com/#a_b}{x}", "{x}");
    same("\\label{eq:1} x", " x");
    same("x \\tag{1}", "x \\qquad\\text{(1)}");
    same("\\left< a \\right>", "\\left\\langle a \\right\\rangle ");
    same("\\argmax_x", "\\operatorname*{arg\\,max}_x");
    same("\\mathchoice{D}{T}{S}{s}", "T");
    same("\\large x", "x");
    check("\\boxed{x}", "<mrow class=\"math-boxed\"><mrow><mspace width=\"0.16666667em\"></mspace><mi>x</mi><mspace width=\"0.16666667em\"></mspace></mrow></mrow>");
    check("\\cancel{5}", "<mrow class=\"math-cancel\"><mrow><mn>5</mn></mrow></mrow>");
    check("\\unicode{x263a}", "<mtext>☺</mtext>");
}

#[test]
fn macros_are_expanded() {
    same("\\newcommand{\\R}{\\mathbb{R}} \\R^n", "\\mathbb{R}^n");
    same("\\newcommand\\sq[1]{#1^2} \\sq{y}\\sq z", "y^2z^2");
    same("\\def\\pair#1#2{(#1, #2)}\\pair ab", "(a, b)");
    same("\\DeclareMathOperator{\\foo}{foo} \\foo x", "\\operatorname{foo} x");
}

#[test]
fn text_is_text() {
    check("\\text{a_b \\% <i> \\{x\\}}", "<mtext>a_b % &lt;i&gt; {x}</mtext>");
    same("\\text{if $x$ then}", "\\text{if }{x}\\text{ then}");
    check("\\verb|a_{b}|", "<mrow><mtext>𝚊_{𝚋}</mtext></mrow>");
}

#[test]
fn lines_need_no_environment() {
    same("a \\\\ b", "\\begin{gathered}a \\\\ b\\end{gathered}");
}

#[test]
fn what_katex_documents_is_read() {
    for tex in [
        "\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}", "\\begin{cases} a & \\text{if } b \\\\ c & \\text{if } d \\end{cases}",
        "\\begin{aligned} a &= b + c \\\\ d + e &= f \\end{aligned}", "\\begin{array}{|l|r|} a & b \\\\ \\hline c & d \\\\ \\end{array}",
        "\\begin{align} a &= b \\tag{1} \\end{align}", "\\int_0^\\infty e^{-x^2} dx = \\frac{\\sqrt{\\pi}}{2}",
        "\\overbrace{a+b}^{n} \\underbrace{c}_{\\text{m}}", "\\left( \\frac{a}{b} \\middle| x \\right]", "\\sqrt[3]{x} \\binom{n}{k}",
        "\\sum_{\\substack{0<i<m\\\\0<j<n}} x", "\\xrightarrow[b]{a} \\xRightarrow{c}", "\\textcolor{#228B22}{F=ma}", "\\lim\\limits_{x \\to 0}",
        "a \\bmod b \\pmod c \\pod d \\mod e", "\\bra{\\phi} \\ket{\\psi} \\braket{\\phi|\\psi}", "\\phantom{x} \\sout{a} \\smash[b]{y}",
        "\\text{TP} = \\frac{\\text{True Positives}}{\\text{All}}", "\\mathrm{softmax}(QK^T/\\sqrt{d_k})V", "P(A \\mid B)",
        "\\mathscr{F} \\mathbb{R} \\mathcal{L} \\mathfrak{g}", "\\hat{\\theta} \\dddot{a} \\overline{AB} \\widetilde{ac}", "\\KaTeX",
    ] {
        for display in [false, true] {
            if let Err(error) = to_mathml(tex, display) {
                panic!("{tex}: {error}");
            }
        }
    }
}

#[test]
fn hostile_formulas_are_refused() {
    for tex in [
        "\\def\\a{\\a\\a}\\a".to_owned(), "\\def\\a#1{#1#1#1#1}\\a{\\a{\\a{\\a{\\a{\\a{\\a{\\a{\\a{\\a{x}}}}}}}}}}".to_owned(), "{".repeat(5_000),
        "\\sqrt".repeat(1_500) + "x", "\\left(".repeat(2_000), "\\begin{matrix}".repeat(800), "\\frac".repeat(2_000), "\\text{$".repeat(500), "x".repeat(20_000),
        "}".to_owned(), "\\".to_owned(), "a & b".to_owned(), "\\nosuchcommand".to_owned(),
    ] {
        assert!(to_mathml(&tex, true).is_err(), "{}", tex.chars().take(40).collect::<String>());
    }
}

#[test]
fn nothing_breaks_out() {
    for tex in ["\\operatorname{<img src=x onerror=alert(1)>}", "\\text{</math><script>alert(1)</script>}", "\\operatorname{</mrow></math>}<b>", "\\mathrm{<mi style=\"background:url(x)\">}"] {
        let (html, _) = rendered(&Files::default(), |r| write(r, tex, true, Place::default()));
        for bad in ["<img", "<script", "<b>", "url(x)\">"] {
            assert!(!html.contains(bad), "{tex}: {html}");
        }
    }
}

#[test]
fn a_formula_is_wrapped_and_a_broken_one_stays_readable() {
    let (html, diagnostics) = rendered(&Files::default(), |r| {
        write(r, "x", false, Place::default());
        write(r, "y", true, Place::default());
    });
    let expect = "<span class=\"math\" data-component=\"Math\"><math display=\"inline\"><mi>x</mi></math></span>\
        <div class=\"math math-display\" tabindex=\"0\" data-component=\"Math\"><math display=\"block\"><mi>y</mi></math></div>";
    assert_eq!((html.as_str(), diagnostics.as_slice()), (expect, [].as_slice()));
    let (html, diagnostics) = rendered(&Files::default(), |r| write(r, " \\nosuch{<a>} ", false, Place { line: 4, column: 2, ..Place::default() }));
    assert_eq!(html, "<span class=\"math\" data-component=\"Math\"><code class=\"math-error\">\\nosuch{&lt;a&gt;}</code></span>");
    let [problem] = diagnostics.as_slice() else { panic!("{diagnostics:?}") };
    assert_eq!((problem.code, problem.line, problem.column), ("math-failed", 4, 2));
    assert_eq!(problem.message, "the formula `\\nosuch{<a>}` cannot be read: unknown primitive command found");
}

#[test]
fn tables_are_sorted() {
    assert!(commands::SAME.is_sorted_by_key(|same| same.0) && commands::SHAPES.is_sorted_by_key(|shape| shape.0));
}

proptest::proptest! {
    #[test]
    fn any_formula_is_mathml_or_refused(tex in "(\\\\(frac|text|left|right|begin|end|def|over|sqrt|color|operatorname|verb|tag|href|boxed|char|newcommand|x)|[a-c0-9{}\\[\\]()^_&$%#~<>|\"'\\\\ *é]|\\{(matrix|align|a)\\}){0,16}") {
        for display in [false, true] {
            if let Ok(mathml) = to_mathml(&tex, display) {
                proptest::prop_assert!(mathml.starts_with("<math display=") && mathml.ends_with("</math>"), "{}", mathml);
                proptest::prop_assert_eq!(finish::finish(&mathml), Some(mathml.clone()));
            }
        }
    }
}
