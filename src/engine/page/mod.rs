//! One page: text to the HTML of its content. Knows no navigation, no theme and no other page.
//!
//! | Module | Holds |
//! |---|---|
//! | [`component`] | the components of the format, a row for each |
//! | [`markup`] | MDX or Markdown text to a tree |
//! | [`foreign`] | components of other tools as those of the format |
//! | [`js`] | the sandboxed JavaScript engine |
//! | [`expand`] | imports, snippets, expressions and authors' components to plain elements |
//! | [`render`] | the tree to HTML: components, code, math, diagrams, icons |

pub mod component;
pub mod expand;
pub mod foreign;
pub mod js;
pub mod markup;
pub mod reference;
pub mod render;
