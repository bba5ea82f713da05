//! TeX to MathML.
