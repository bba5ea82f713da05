//! Configurations of several files, in a site.

use crate::testing::try_site;
use crate::{LoadError, LoadOptions};

#[test]
fn broken_json_is_told_with_a_correction() {
    let check = |text: &str, place: (u32, u32), hint: &str| {
        let Err(error) = try_site(&[("docs.json", text)], &LoadOptions::default()) else { panic!("{text} is read") };
        let LoadError::Config(problem) = error else { panic!("{error}") };
        assert_eq!(((problem.line, problem.column), problem.hint.as_deref()), (place, Some(hint)), "{text}");
    };
    check("{\n \"a\": 1\n \"b\": 2\n}\n", (3, 2), "add a comma before it");
    check("{'a': 1}", (1, 2), "write double quotes instead of single ones");
    check("{\"a\": [1,\n  2\n\n", (2, 4), "the file ends too early; close all brackets and quotes");
    check("\n \n", (1, 1), "the file is empty; write an object, `{ … }`");
    check("{\"a: 1}", (1, 2), "close the string on its line; write a line break in it as `\\n`");
    check(
        "{\"a\": x}",
        (1, 7),
        "write a string in double quotes, a number, `true`, `false`, `null`, an array or an object",
    );
}
