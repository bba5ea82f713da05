//! The frame around the content: layout, tokens, fonts, scripts.

pub mod fonts;
