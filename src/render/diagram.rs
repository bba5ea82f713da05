//! Mermaid diagrams to SVG.
