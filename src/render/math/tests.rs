use super::*;
use crate::icon::tests::{Files, rendered};

#[track_caller]
fn check(tex: &str, expect: &str) {
    let mathml = to_mathml(tex, false).unwrap_or_else(|error| panic!("{tex}: {error:?}"));
    let inside = mathml.strip_prefix("<math>").and_then(|mathml| mathml.strip_suffix("</math>"));
    assert_eq!(inside, Some(expect), "{tex}");
}

#[track_caller]
fn check_display(tex: &str, expect: &str) {
    let mathml = to_mathml(tex, true).unwrap_or_else(|error| panic!("{tex}: {error:?}"));
    let inside = mathml.strip_prefix("<math display=\"block\">").and_then(|mathml| mathml.strip_suffix("</math>"));
    assert_eq!(inside, Some(expect), "{tex}");
}

#[track_caller]
fn refused(tex: &str, reason: &str, at: Option<usize>) {
    assert_eq!(
        to_mathml(tex, true),
        Err(MathError { reason: reason.to_owned(), at }),
        "{}",
        tex.chars().take(40).collect::<String>()
    );
}

#[test]
fn formulas_are_mathml() {
    check("x^2", "<msup><mi>x</mi><mn>2</mn></msup>");
    check("\\frac{a}{b}", "<mfrac><mi>a</mi><mi>b</mi></mfrac>");
    check("1{,}024<n", "<mn>1,024</mn><mo>&lt;</mo><mi>n</mi>");
    check_display("x", "<mi>x</mi>");
}

#[test]
fn letters_have_the_characters_of_their_style() {
    check("\\mathbb{R}^n", "<msup><mi>ℝ</mi><mi>n</mi></msup>");
    check("\\mathbf{x1}", "<mi>𝐱</mi><mn>𝟏</mn>");
    check("\\mathcal{L} \\mathfrak{g} \\boldsymbol{\\alpha}", "<mi>ℒ</mi><mi>𝔤</mi><mi>𝜶</mi>");
    check("\\mathrm{d}x", "<mi mathvariant=\"normal\">d</mi><mi>x</mi>");
    check("\\mathrm{softmax}", "<mi>softmax</mi>");
    check(
        "\\text{a b \\texttt{c} \\textbf{d}}",
        "<mtext>a\u{a0}b\u{a0}</mtext><mtext class=\"math-mono\">c</mtext><mtext>\u{a0}</mtext><mtext class=\"math-bold\">d</mtext>",
    );
    check("f'", "<msup><mi>f</mi><mo lspace=\"0em\" rspace=\"0em\">′</mo></msup>");
}

#[test]
fn spaces_have_widths() {
    check(
        "a\\,b\\!c",
        "<mi>a</mi><mspace width=\"0.1667em\"></mspace><mi>b</mi><mspace style=\"margin-inline-start:-0.1667em\"></mspace><mi>c</mi>",
    );
    check(
        "2\\sin x",
        "<mn>2</mn><mspace width=\"0.1667em\"></mspace><mi>sin</mi><mo>\u{2061}</mo><mspace width=\"0.1667em\"></mspace><mi>x</mi>",
    );
    check(
        "\\log(x)",
        "<mi>log</mi><mo>\u{2061}</mo><mo stretchy=\"false\">(</mo><mi>x</mi><mo stretchy=\"false\">)</mo>",
    );
    check(
        "\\sin^2 x",
        "<msup><mrow><mi>sin</mi><mo>\u{2061}</mo></mrow><mn>2</mn></msup><mspace width=\"0.1667em\"></mspace><mi>x</mi>",
    );
}

#[test]
fn what_browsers_have_left_out_is_a_class() {
    check(
        "\\boxed{x}",
        "<mrow class=\"math-box\"><mstyle scriptlevel=\"0\" displaystyle=\"true\"><mi>x</mi></mstyle></mrow>",
    );
    check("\\xcancel{5}", "<mrow class=\"math-up math-down\"><mn>5</mn></mrow>");
    check("\\llap{x}", "<mpadded width=\"0px\"><mrow class=\"math-before\"><mtext>x</mtext></mrow></mpadded>");
    check(
        "\\rule{1em}{2em}",
        "<mpadded height=\"0em\" voffset=\"0em\"><mspace width=\"1em\" height=\"2em\" class=\"math-rule\"></mspace></mpadded>",
    );
    check(
        "\\widehat{ab}",
        "<mover accent=\"true\"><mrow><mi>a</mi><mi>b</mi></mrow><mo stretchy=\"true\">\u{302}</mo></mover>",
    );
    check("\\hat{a}", "<mover accent=\"true\"><mi>a</mi><mo>ˆ</mo></mover>");
    check(
        "\\left|a\\right|",
        "<mo fence=\"true\" stretchy=\"true\">∣</mo><mi>a</mi><mo fence=\"true\" stretchy=\"true\">∣</mo>",
    );
    check("a \\mathrel{\\mathbf{R}} b", "<mi>a</mi><mo>𝐑</mo><mi>b</mi>");
}

#[test]
fn tables_have_classes() {
    check_display(
        "\\begin{aligned} a &= b \\end{aligned}",
        "<mtable displaystyle=\"true\"><mtr><mtd class=\"math-right math-near\"><mi>a</mi></mtd>\
         <mtd class=\"math-left math-near\"><mrow></mrow><mo>=</mo><mi>b</mi></mtd></mtr></mtable>",
    );
    check_display(
        "\\begin{array}{|l:r|} \\hline a & b \\\\ \\hline c & d \\end{array}",
        "<mrow class=\"math-line-left math-line-right math-line-top\"><mtable><mtr><mtd class=\"math-left math-dash-right math-line-bottom\"><mi>a</mi></mtd>\
         <mtd class=\"math-right math-line-bottom\"><mi>b</mi></mtd></mtr><mtr><mtd class=\"math-left math-dash-right\"><mi>c</mi></mtd>\
         <mtd class=\"math-right\"><mi>d</mi></mtd></mtr></mtable></mrow>",
    );
    check_display(
        "x \\tag{1}",
        "<mtable displaystyle=\"true\" class=\"math-tagged\"><mtr><mtd class=\"math-gap\"></mtd><mtd><mi>x</mi></mtd><mtd class=\"math-gap\"></mtd>\
         <mtd class=\"math-tag\"><mtext>(1)</mtext></mtd></mtr></mtable>",
    );
    check_display(
        "\\begin{gather} a \\tag{2} \\\\ b \\\\ c \\notag \\end{gather}",
        "<mtable displaystyle=\"true\" class=\"math-tagged\"><mtr><mtd class=\"math-gap\"></mtd><mtd><mi>a</mi></mtd><mtd class=\"math-gap\"></mtd>\
         <mtd class=\"math-tag\"><mtext>(2)</mtext></mtd></mtr><mtr><mtd class=\"math-gap\"></mtd><mtd><mi>b</mi></mtd><mtd class=\"math-gap\"></mtd>\
         <mtd class=\"math-tag\"><mtext class=\"math-number\"></mtext></mtd></mtr><mtr><mtd class=\"math-gap\"></mtd><mtd><mi>c</mi></mtd>\
         <mtd class=\"math-gap\"></mtd><mtd class=\"math-tag\"></mtd></mtr></mtable>",
    );
}

#[test]
fn what_katex_documents_is_read() {
    let table = include_str!("../../../fixtures/math/documented.txt");
    let expressions: Vec<(&str, &str)> =
        table.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('\t')).collect();
    assert_eq!(expressions.len(), 91);
    let mut failed = 0;
    for (verdict, tex) in expressions {
        let read = to_mathml(tex, true);
        assert_eq!(read.is_ok(), verdict == "reads", "{tex}: {read:?}");
        failed += usize::from(read.is_err());
        for left in
            ["menclose", "columnalign", "KaTeX parse", "mathvariant=\"bold", "#cc0000", "width=\"+", "\u{2009}<"]
        {
            assert!(!read.as_ref().is_ok_and(|mathml| mathml.contains(left)), "{tex}: {read:?}");
        }
    }
    assert!(failed <= 6);
}

#[test]
fn macros_hold_for_their_formula() {
    check("\\newcommand{\\sq}[1]{#1^2} \\sq z", "<msup><mi>z</mi><mn>2</mn></msup>");
    check("\\gdef\\foo{y}\\foo", "<mi>y</mi>");
    refused("\\foo", "Undefined control sequence: \\foo", Some(0));
    check("\\DeclareMathOperator{\\foo}{foo} \\foo", "<mi>foo</mi><mo>\u{2061}</mo>");
    check("x \\label{eq:1}", "<mi>x</mi>");
}

#[test]
fn broken_formulas_say_why() {
    refused("é \\nosuch", "Undefined control sequence: \\nosuch", Some(3));
    refused("\\frac{a}", "Unexpected end of input in a macro argument, expected '}'", Some(8));
    refused("a}", "Expected 'EOF', got '}'", Some(1));
    refused("\\includegraphics{x.png}", "\\includegraphics is not allowed", None);
    assert!(to_mathml("\\text{a_b}", false).is_err());
}

#[test]
fn hostile_formulas_are_refused() {
    let many = "Too many expansions: infinite loop or need to increase maxExpand setting";
    refused("\\def\\a{\\a\\a}\\a", many, None);
    refused(&"x".repeat(20_000), "it is longer than 16 kB", None);
    refused(&format!("{}x{}", "{".repeat(5_000), "}".repeat(5_000)), "it is nested too deeply", None);
    refused(&format!("{}x{}", "\\sqrt{".repeat(1_500), "}".repeat(1_500)), "it is nested too deeply", None);
    for tex in [
        "\\def\\a#1{#1#1#1#1}\\a{\\a{\\a{\\a{\\a{\\a{\\a{\\a{\\a{\\a{x}}}}}}}}}}".to_owned(),
        "\\left(".repeat(2_000),
        "\\begin{matrix}".repeat(800),
        "\\frac".repeat(2_000),
        "\\text{$".repeat(500),
        "\\".to_owned(),
        "a & b".to_owned(),
        "\\char\"ffffffff".to_owned(),
        "\\unicode{}".to_owned(),
    ] {
        assert!(to_mathml(&tex, true).is_err(), "{}", tex.chars().take(40).collect::<String>());
    }
    // the next one is none the worse for it
    check("x", "<mi>x</mi>");
}

#[test]
fn nothing_breaks_out() {
    for tex in [
        "\\operatorname{<img src=x onerror=alert(1)>}",
        "\\text{</math><script>alert(1)</script>}",
        "\\operatorname{</mrow></math>}<b>",
        "\\href{javascript:alert(1)}{x}",
        "\\htmlStyle{background:url(x)}{y}",
        "\\htmlId{\"><b>}{y}",
        "\\fcolorbox{red}{url(x)}{y}",
        "\\verb|<b>|",
    ] {
        let (html, _) = rendered(&Files::default(), |r| write_formula(r, tex, true, Place::default()));
        for bad in ["<img", "<script", "<b>", "url(x)\"", "href", " id="] {
            assert!(!html.replace("math-error\">\\href", "").contains(bad), "{tex}: {html}");
        }
    }
}

#[test]
fn a_formula_is_wrapped_and_a_broken_one_stays_readable() {
    let (html, diagnostics) = rendered(&Files::default(), |r| {
        write_formula(r, "x", false, Place::default());
        write_formula(r, "y", true, Place::default());
        assert!(r.kit.formulas.any());
    });
    let expect = "<span class=\"math\" data-component=\"Math\"><math><mi>x</mi></math></span>\
        <div class=\"math math-display\" tabindex=\"0\" data-component=\"Math\"><math display=\"block\"><mi>y</mi></math></div>";
    assert_eq!((html.as_str(), diagnostics.as_slice()), (expect, [].as_slice()));
    let (html, diagnostics) = rendered(&Files::default(), |r| {
        write_formula(r, " a \\nosuch{<a>} ", false, Place { line: 4, column: 2, ..Place::default() });
        assert!(!r.kit.formulas.any());
    });
    assert_eq!(html, "<span class=\"math\" data-component=\"Math\">$ a \\nosuch{&lt;a&gt;} $</span>");
    let [problem] = diagnostics.as_slice() else { panic!("{diagnostics:?}") };
    assert_eq!((problem.code, problem.line, problem.column), ("math-failed", 4, 2));
    assert_eq!(
        problem.message,
        "the formula `a \\nosuch{<a>}` cannot be read: Undefined control sequence: \\nosuch (after `a `)"
    );
}

#[test]
fn what_was_no_formula_reads_as_its_author_meant_it() {
    let (html, _) =
        rendered(&Files::default(), |r| write_formula(r, "\\{name} writes to your \\", false, Place::default()));
    assert_eq!(html, "<span class=\"math\" data-component=\"Math\">${name} writes to your $</span>");
    let (html, _) = rendered(&Files::default(), |r| write_formula(r, "\\nosuch{<a>}", true, Place::default()));
    assert_eq!(
        html,
        "<div class=\"math\" data-component=\"Math\"><code class=\"math-error\">\\nosuch{&lt;a&gt;}</code></div>"
    );
}

#[test]
fn all_threads_read_the_same() {
    let formulas = Formulas::default();
    let read = |tex: &str| formulas.mathml(tex, false).as_ref().clone();
    let first = read("\\frac12");
    let others = std::thread::scope(|scope| {
        [0, 1]
            .map(|_| scope.spawn(|| (read("\\frac12"), to_mathml("\\frac12", false))))
            .map(|thread| thread.join().unwrap())
    });
    assert!(others.iter().all(|(shared, own)| *shared == first && *own == first));
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(64))]
    #[test]
    fn any_formula_is_mathml_or_refused(tex in "(\\\\(frac|text|left|right|begin|end|def|over|sqrt|color|operatorname|verb|tag|href|boxed|char|newcommand|x|ce|mathrel)|[a-c0-9{}\\[\\]()^_&$%#~<>|\"'\\\\ *é]|\\{(matrix|align|a)\\}){0,16}") {
        for display in [false, true] {
            if let Ok(mathml) = to_mathml(&tex, display) {
                let mut again = String::new();
                let tree = tree::parse_math_markup(&mathml);
                proptest::prop_assert!(tree.is_some(), "{}", mathml);
                tree.into_iter().for_each(|tree| tree.write(&mut again));
                proptest::prop_assert_eq!(again, mathml);
            }
        }
    }
}
