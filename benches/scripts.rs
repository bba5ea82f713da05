//! What scripts cost, on one thread: `cargo bench --profile quick --bench scripts`.

use std::collections::BTreeSet;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};

use offprint::base::FileId;
use offprint::frame::theme::Utilities;
use offprint::markup::component;
use offprint::markup::expand::{Alone, Expanded, expand_document};
use offprint::markup::js::compile;
use offprint::markup::js::{Sandbox, ScriptBudget};
use offprint::markup::parse_mdx;
use offprint::render::math;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    divan::main();
}

/// A component as real documentation has them: state, a condition, a list.
const COMPONENT: &str = "export const Plan = ({ name, price, features, children }) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className=\"plan\" style={{ borderWidth: 1 }}>
      <h3>{name}</h3>
      {price > 0 ? <p>{price.toFixed(2)} a month</p> : <p>Free</p>}
      <ul>{features.map((feature) => <li key={feature}>{feature}</li>)}</ul>
      {children}
    </div>
  );
};
";
const USE: &str = "\n<Plan name=\"Team\" price={12} features={[\"Search\", \"Previews\", \"Domains\", \"Roles\"]}>\n\nFor **teams**.\n\n</Plan>\n";

fn expanded(source: &str) -> Expanded {
    let expanded = expand_document(parse_mdx(source, FileId(0), 1), FileId(0), &Alone);
    assert!(expanded.problems.is_empty(), "{:?}", expanded.problems);
    expanded
}

/// An engine and its realm, which each page with scripts has.
#[divan::bench]
fn start() -> bool {
    Sandbox::new(ScriptBudget::default(), 0).is_ok()
}

#[divan::bench]
fn compile_component() -> bool {
    compile::module(black_box(COMPONENT), component::is_known_component).is_ok()
}

/// A page on which one component is used so many times.
#[divan::bench(args = [1, 101])]
fn page(bencher: Bencher<'_, '_>, uses: usize) {
    let source = format!("{COMPONENT}{}", USE.repeat(uses));
    bencher.counter(ItemsCount::new(uses)).bench(|| expanded(black_box(&source)));
}

/// Formulas that no page had before.
#[divan::bench]
fn formulas(bencher: Bencher<'_, '_>) {
    let formulas: Vec<String> = (0..100)
        .map(|number| {
            format!("\\frac{{-b_{{{number}}} \\pm \\sqrt{{b^2 - 4ac}}}}{{2a}} + \\sum_{{i=0}}^{{n}} x_i^{number}")
        })
        .collect();
    bencher
        .counter(ItemsCount::new(formulas.len()))
        .bench(|| formulas.iter().filter(|tex| math::to_mathml(tex, true).is_ok()).count());
}

/// The first formula of a thread.
#[divan::bench]
fn first_formula(bencher: Bencher<'_, '_>) {
    bencher.bench(|| std::thread::spawn(|| math::to_mathml("x^2", false).is_ok()).join().is_ok());
}

/// The style sheet of an export with 200 utility classes.
#[divan::bench]
fn utilities(bencher: Bencher<'_, '_>) {
    let sizes = ["p", "m", "px", "py", "mt", "mb", "gap", "w", "h", "rounded"];
    let classes: BTreeSet<String> = (1..=20).flat_map(|step| sizes.map(|size| format!("{size}-{step}"))).collect();
    bencher.bench(|| Utilities::start().expect("the tool starts").finish(&classes).map(|css| css.len()).ok());
}
