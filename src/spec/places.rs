//! Where the parts of a JSON or YAML file stand: from a JSON pointer to a line. Only who has a problem to show asks.

use std::borrow::Cow;

use granit_parser::{Event, Parser};
use rustc_hash::FxHashMap;

use base::limits::DESCRIPTION_BYTES;
use base::{Diagnostic, FileId, Problem};
use site::json::{self, Json, parse_json_with};
use site::tree::SourceTree;

use super::compose::DESCRIPTION_KEYS;
use super::convert::MOVED;
use super::read::LENIENT;
use super::reference::{pointer_origin, unescape_pointer_segment};
use super::sniff::opens_object;
use super::unreadable::{MAX_NESTING, NodePosition};

/// Most events of YAML that are looked at.
const MAX_EVENTS: usize = 16_000_000;

/// A value of a file.
#[derive(Debug)]
struct FileNode {
    at: NodePosition,
    children: NodeChildren,
}

#[derive(Debug)]
enum NodeChildren {
    None,
    List(Vec<FileNode>),
    /// The members by their names, each with the place of its name.
    Map(FxHashMap<String, (NodePosition, FileNode)>),
}

impl FileNode {
    /// The pointer of a part of a converted description in its file.
    fn pointer_in_file<'p>(&self, pointer: &'p str) -> Cow<'p, str> {
        let is_older = matches!(&self.children, NodeChildren::Map(members) if members.contains_key("swagger"));
        let moved = |(old, new): &(&str, &str)| Some(format!("{old}{}", pointer.strip_prefix(new)?));
        let found = if is_older { MOVED.iter().find_map(moved) } else { None };
        found.map_or(Cow::Borrowed(pointer), Cow::Owned)
    }

    /// Whether it is the description among the documents of a file.
    fn is_description(&self) -> bool {
        match &self.children {
            NodeChildren::Map(members) => DESCRIPTION_KEYS.iter().any(|key| members.contains_key(*key)),
            _ => false,
        }
    }
}

/// The places of the parts of one file.
#[derive(Debug)]
pub(super) struct FilePlaces(Option<FileNode>);

impl FilePlaces {
    /// Reads a file. One that cannot be read has no places.
    pub(super) fn read(text: &str) -> Self {
        let root = if opens_object(text.as_bytes()) { of_json(text) } else { None };
        Self(root.or_else(|| of_yaml(text)))
    }

    /// Where what a pointer leads to stands: a member at its name. Of what does not exist, where the deepest thing
    /// around it stands.
    pub(super) fn find(&self, pointer: &str) -> Option<NodePosition> {
        let mut node = self.0.as_ref()?;
        let pointer = &*node.pointer_in_file(pointer);
        let mut place = node.at;
        for segment in pointer.split('/').skip(1) {
            let next = match &node.children {
                NodeChildren::None => None,
                NodeChildren::List(items) => {
                    segment.parse::<usize>().ok().and_then(|at| items.get(at)).map(|item| (item.at, item))
                }
                NodeChildren::Map(members) => {
                    members.get(&unescape_pointer_segment(segment)).map(|(at, member)| (*at, member))
                }
            };
            let Some((at, below)) = next else { break };
            (place, node) = (at, below);
        }
        Some(place)
    }
}

fn of_json(text: &str) -> Option<FileNode> {
    let parsed = parse_json_with(text, 0, &LENIENT).ok()?;
    let lines: Vec<usize> =
        std::iter::once(0).chain(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1)).collect();
    let place = |offset: u32| {
        let offset = offset as usize;
        let line = lines.partition_point(|start| *start <= offset);
        let start = lines[line - 1];
        let column = text.get(start..offset).map_or(0, |before| before.chars().count()) + 1;
        (narrow(line), narrow(column))
    };
    Some(json_node(&parsed.json, &place))
}

/// Recursion is bounded by the parser.
fn json_node(json: &Json, place: &impl Fn(u32) -> NodePosition) -> FileNode {
    let children = match &json.value {
        json::JsonValue::Array(items) => NodeChildren::List(items.iter().map(|item| json_node(item, place)).collect()),
        json::JsonValue::Object(members) => {
            let member = |member: &json::Member| {
                (member.key.clone(), (place(member.key_at.offset), json_node(&member.json, place)))
            };
            NodeChildren::Map(members.iter().map(member).collect())
        }
        _ => NodeChildren::None,
    };
    FileNode { at: place(json.at.offset), children }
}

/// A list or mapping that has begun and not ended while events are read.
struct OpenNodes {
    node: FileNode,
    /// The name of the member that comes next.
    key: Option<(String, NodePosition)>,
}

impl OpenNodes {
    /// Puts a node where it belongs.
    fn take(&mut self, done: FileNode) {
        match &mut self.node.children {
            NodeChildren::List(items) => items.push(done),
            NodeChildren::Map(members) => match self.key.take() {
                Some((name, at)) => drop(members.insert(name, (at, done))),
                // a name that is no text
                None => self.key = Some((String::new(), done.at)),
            },
            NodeChildren::None => {}
        }
    }
}

fn of_yaml(text: &str) -> Option<FileNode> {
    let mut open: Vec<OpenNodes> = Vec::new();
    let mut first: Option<FileNode> = None;
    for event in Parser::new_from_str(text).take(MAX_EVENTS) {
        let Ok((event, span)) = event else { break };
        let at = (narrow(span.start.line()), narrow(span.start.col() + 1));
        let done = match event {
            Event::Scalar(value, ..) => {
                if let Some(OpenNodes { node: FileNode { children: NodeChildren::Map(_), .. }, key: key @ None }) =
                    open.last_mut()
                {
                    *key = Some((value.into_owned(), at));
                    continue;
                }
                FileNode { at, children: NodeChildren::None }
            }
            Event::Alias(..) => FileNode { at, children: NodeChildren::None },
            Event::SequenceStart(..) | Event::MappingStart(..) if open.len() > MAX_NESTING => break,
            Event::SequenceStart(..) => {
                open.push(OpenNodes { node: FileNode { at, children: NodeChildren::List(Vec::new()) }, key: None });
                continue;
            }
            Event::MappingStart(..) => {
                open.push(OpenNodes {
                    node: FileNode { at, children: NodeChildren::Map(FxHashMap::default()) },
                    key: None,
                });
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => match open.pop() {
                Some(OpenNodes { node, .. }) => node,
                None => break,
            },
            _ => continue,
        };
        match open.last_mut() {
            Some(around) => around.take(done),
            None if done.is_description() => return Some(done),
            None => first = first.or(Some(done).filter(|node| !matches!(node.children, NodeChildren::None))),
        }
    }
    if first.is_some() {
        return first;
    }
    // a text that ends early still has its beginning
    let outermost = open.into_iter().rev().reduce(|inner, mut outer| {
        outer.take(inner.node);
        outer
    });
    outermost.map(|open| open.node)
}

fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// A problem of a part of a document, whose place is a pointer of the document.
pub(super) type PartProblem = Problem<String>;

/// Finds where parts of descriptions stand, in files that are read when the first part of each is asked for.
pub(super) struct PartPlaces<'t> {
    tree: &'t SourceTree,
    files: FxHashMap<FileId, FilePlaces>,
}

impl<'t> PartPlaces<'t> {
    pub(super) fn new(tree: &'t SourceTree) -> Self {
        Self { tree, files: FxHashMap::default() }
    }

    /// Path, line and column of a part of the document of a file.
    pub(super) fn find(&mut self, file: FileId, pointer: &str) -> (&'t str, u32, u32) {
        let (file, pointer) = match pointer_origin(pointer) {
            Some((path, rest)) => (self.tree.find_any(&path).unwrap_or(file), rest),
            None => (file, pointer),
        };
        let read = || FilePlaces::read(&self.tree.read_text(file, DESCRIPTION_BYTES).unwrap_or_default());
        let (line, column) = self.files.entry(file).or_insert_with(read).find(pointer).unwrap_or_default();
        (self.tree.path(file), line, column)
    }
}

/// Shows problems where the parts of the document that they are about stand in their files.
pub(super) fn place_spec_problems(problems: Vec<PartProblem>, file: FileId, tree: &SourceTree) -> Vec<Diagnostic> {
    let mut places = PartPlaces::new(tree);
    let reported = problems.into_iter().map(|it| it.into_diagnostic(|pointer| places.find(file, &pointer)));
    reported.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, pointer: &str, expect: NodePosition) {
        assert_eq!(FilePlaces::read(text).find(pointer), Some(expect), "{pointer}");
    }

    #[test]
    fn parts_are_found_in_json() {
        let text = "{\n  \"a\": [1, {\"b/c\": 2}],\n  \"é\": {\"x\": 1}\n}";
        check(text, "", (1, 1));
        check(text, "/a", (2, 3));
        check(text, "/a/1/b~1c", (2, 13));
        check(text, "/a/7", (2, 3));
        check(text, "/é/x", (3, 9));
        check(text, "/none/x", (1, 1));
        let older = "{\"swagger\": \"2.0\",\n \"definitions\": {\n  \"A\": {\"type\": []}}}";
        check(older, "/components/schemas/A/type", (3, 9));
    }

    #[test]
    fn parts_are_found_in_yaml() {
        let text = "# first\na: &x\n  - 1\n  - b/c: 2\n    d: {e: [f, {g: h}]}\n200: *x\nlast: |\n  text\n";
        check(text, "/a/1/b~1c", (4, 5));
        check(text, "/a/1/d/e/1/g", (5, 17));
        check(text, "/200/0", (6, 1));
        check(text, "/last", (7, 1));
        check("---\n# none\n---\na: 1\n---\nopenapi: 3\nb: 2\n", "/b", (7, 1));
        check("---\n# none\n---\na: 1\n---\nb: 2\n", "/a", (4, 1));
    }

    #[test]
    fn broken_texts_have_the_places_of_their_beginning() {
        assert_eq!(FilePlaces::read("a: 1\nb: [").find("/a").map(|place| place.0), Some(1));
        assert_eq!(FilePlaces::read("").find("/a"), None);
    }
}
