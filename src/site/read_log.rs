//! What the readers of `docs.json` ask of its values. They are the one definition of the format: its JSON schema is made
//! of what they ask (`nav::docs_schema`), so a key that is read is in the schema, and no other.

use std::cell::RefCell;

/// Something that a reader asks of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    /// A string.
    Text,
    /// A color in hexadecimal digits.
    Color,
    /// A truth value.
    Flag,
    /// A number.
    Number,
    /// One of some words.
    Words(Vec<String>),
    /// An array.
    List,
    /// An object.
    Object,
    /// A key of the object.
    Key(&'static str),
    /// A member of any name.
    AnyKey,
    /// All keys that were asked for are those that there are; what the object is called.
    End(&'static str),
    /// Whatever it is.
    Anything,
}

/// What was asked, by the path of the value, in its order.
#[derive(Debug, Default)]
pub struct ReadLog {
    asked: RefCell<Vec<(String, Asked)>>,
}

impl ReadLog {
    /// Notes a question.
    pub fn note(&self, path: &str, asked: Asked) {
        self.asked.borrow_mut().push((path.to_owned(), asked));
    }

    /// What was asked of the value at a path, each question once.
    pub fn of(&self, path: &str) -> Vec<Asked> {
        let mut found: Vec<Asked> = Vec::new();
        for (at, asked) in self.asked.borrow().iter() {
            if at == path && !found.contains(asked) {
                found.push(asked.clone());
            }
        }
        found
    }
}
