//! The components of the format, by the names that authors give them.

/// What a component is to the rules of HTML.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Stands in a sentence.
    Inline,
    /// A block that takes no clicks itself.
    Block,
    /// A block (or word) that takes clicks or focus.
    Interactive,
    /// Leaves only its children.
    Transparent,
}

/// The role of a component of the library; `None` for names of the authors' own.
pub fn role(name: &str) -> Option<Role> {
    Some(match name {
        "Badge" | "Icon" | "Latex" | "Color.Item" => Role::Inline,
        "Tooltip" | "Link" => Role::Inline,
        "" | "Fragment" | "React.Fragment" | "MDX" | "Snippet" | "Visibility" | "Variation" => Role::Transparent,
        "Accordion" | "Expandable" | "CodeGroup" | "SnippetGroup" | "CodeBlock" | "CustomCode" | "Tabs" | "Tab"
        | "Prompt" | "RequestExample" | "ResponseExample" | "GitHub.Repo" | "Github.Repo" | "Tree" | "FileTree"
        | "Tree.Folder" | "OptimizedVideo" | "View" | "Tile" | "Color" | "Color.Row" | "Panel" | "Table"
        | "Mermaid" => Role::Interactive,
        "AccordionGroup"
        | "Banner"
        | "Note"
        | "Warning"
        | "Info"
        | "Tip"
        | "Check"
        | "Danger"
        | "Callout"
        | "Card"
        | "CardGroup"
        | "Columns"
        | "Column"
        | "ParamField"
        | "Param"
        | "ResponseField"
        | "Frame"
        | "Example"
        | "GitHub"
        | "Heading"
        | "Steps"
        | "Step"
        | "Tree.File"
        | "Update"
        | "ZoomImage"
        | "OptimizedImage"
        | "ApiPlayground"
        | "CustomComponent"
        | "DynamicCustomComponent"
        | "MDXContentController" => Role::Block,
        _ => return None,
    })
}

/// Whether a name is a component of the library.
pub fn is_known(name: &str) -> bool {
    role(name).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_known_as_they_are_written() {
        assert!(is_known("Card") && is_known("Tree.Folder") && !is_known("card") && !is_known("MyCard"));
    }
}
