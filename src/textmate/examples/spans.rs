//! Colors lines of a small language: `cargo run -p offprint-textmate --example spans`.

use std::error::Error;
use std::io::{Write as _, stdout};

use offprint_textmate::{
    BLOCK_WORK, Grammar, GrammarId, Grammars, ScopeStacks, States, ThemeRule, TokenTheme, Tokenizer, TokenizerShared,
    Tools,
};

const GRAMMAR: &str = r##"{
    "scopeName": "source.settings",
    "patterns": [
        {"match": "#.*", "name": "comment.line"},
        {"match": "^(\\w+)(?=\\s*=)", "name": "variable.name"}
    ]
}"##;

/// The one grammar that there is.
struct OneGrammar(Grammar);

impl Grammars for OneGrammar {
    fn id(&self, scope: &str) -> Option<GrammarId> {
        (scope == "source.settings").then_some(GrammarId(0))
    }

    fn grammar(&self, _: GrammarId) -> Option<&Grammar> {
        Some(&self.0)
    }

    fn injected(&self, _: GrammarId) -> &[GrammarId] {
        &[]
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let grammars = OneGrammar(Grammar::compile(GRAMMAR, &|_| false)?);
    let rule = |selector: &str, color| ThemeRule { selector: selector.to_owned(), color: Some(color), font: None };
    let theme = || TokenTheme::new(&[rule("comment", 1), rule("variable", 2)]);
    let (scopes, states) = (ScopeStacks::new([theme(), theme()]), States::default());
    let shared = TokenizerShared { grammars: &grammars, scopes: &scopes, states: &states };

    let mut tokenizer = Tokenizer::new(Tools::default());
    tokenizer.set_work(BLOCK_WORK);
    let mut state = states.initial(GrammarId(0), shared);
    let mut colors = Vec::new();
    for (number, line) in ["# where it listens", "port = 8080"].into_iter().enumerate() {
        let first = number == 0;
        let (spans, next, _) = tokenizer.line(shared, GrammarId(0), state, first, line).ok_or("too much work")?;
        let mut start = 0;
        for span in spans {
            let text = line.get(start..span.end).unwrap_or_default();
            writeln!(stdout(), "{text:?} has color {} in the light theme", span.looks[0].color)?;
            colors.push(span.looks[0].color);
            start = span.end;
        }
        state = next;
    }
    assert_eq!(colors, [1, 2, 0]);
    Ok(())
}
