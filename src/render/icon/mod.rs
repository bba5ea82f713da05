//! Icons as inline SVG.
