//! Rows that lie elsewhere, for rules that read them as if they were here.
//!
//! 1. A rule runs over the rows that are known ([`ReplayView`]). What it reads beyond them is noted, and its run is
//!    void.
//! 2. The back end reads all that was noted, of all rules that wait, in one round trip ([`MissingRows`], [`RowsRead`]).
//! 3. The rule runs again. It sees the same rows as before and some more, so it comes further, until nothing is missing.
//!
//! Rules announce what they are about to read ([`StoreRows::expect`]), so that most need one round trip. The rows that
//! are known must be those of one moment, which the back end sees to.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Bound;

use super::StoreError;
use super::rows::{RowChanges, StoreRows, Transaction, Write};

/// Most rows of a range that one round trip reads.
const MAX_PAGE: usize = 1000;
/// How many rows a range is continued with, at least.
const MIN_NEXT_PAGE: usize = 64;
/// Ranges of at most so many rows are found by their keys too: rules scan keys, then load the values of some.
const MAX_LOADED: usize = 128;
/// How many transactions behind one that lacks rows run too, to learn what they lack.
const MAX_AHEAD: usize = 64;

/// From a key, up to but without another.
type KeyRange = (String, String);

/// The rows of one moment that have been read.
#[derive(Default)]
pub(super) struct RowsRead {
    values: HashMap<String, Option<Vec<u8>>>,
    ranges: HashMap<KeyRange, RowsPart>,
}

/// The first rows of a range.
#[derive(Default)]
struct RowsPart {
    rows: Vec<(String, Vec<u8>)>,
    /// There are no others.
    is_whole: bool,
}

/// Rows that have to be read.
#[derive(Clone, Default)]
pub(super) struct MissingRows {
    keys: BTreeSet<String>,
    /// With how many rows of it.
    ranges: BTreeMap<KeyRange, RowsPage>,
}

/// A part of a range.
#[derive(Clone)]
pub(super) struct RowsPage {
    /// Where it begins: the range's start, or behind the last row that is known.
    pub(super) from: String,
    pub(super) most: usize,
}

impl MissingRows {
    pub(super) fn is_empty(&self) -> bool {
        self.keys.is_empty() && self.ranges.is_empty()
    }

    pub(super) fn merge(&mut self, other: Self) {
        self.keys.extend(other.keys);
        for (range, page) in other.ranges {
            let most = self.ranges.get(&range).map_or(0, |page| page.most).max(page.most);
            self.ranges.insert(range, RowsPage { most, ..page });
        }
    }

    pub(super) fn keys(&self) -> impl Iterator<Item = &str> {
        self.keys.iter().map(String::as_str)
    }

    /// The pages, each with the end of its range, in the order in which [`RowsRead::add`] takes what was found.
    pub(super) fn pages(&self) -> impl Iterator<Item = (&RowsPage, &str)> {
        self.ranges.iter().map(|((_, to), page)| (page, to.as_str()))
    }
}

impl RowsRead {
    /// Takes rows that were read: those of the keys, and for each page its rows in order.
    pub(super) fn add(
        &mut self,
        missing: MissingRows,
        mut found: HashMap<String, Vec<u8>>,
        pages: Vec<Vec<(String, Vec<u8>)>>,
    ) {
        for key in missing.keys {
            let value = found.remove(&key);
            self.values.insert(key, value);
        }
        for ((range, page), rows) in missing.ranges.into_iter().zip(pages) {
            let part = self.ranges.entry(range).or_default();
            part.is_whole = rows.len() < page.most;
            if rows.len() <= MAX_LOADED {
                self.values.extend(rows.iter().map(|(key, value)| (key.clone(), Some(value.clone()))));
            }
            part.rows.extend(rows);
        }
    }
}

/// The rows that are known, under changes that are not written yet.
pub(super) struct ReplayView<'a> {
    known: &'a RowsRead,
    over: &'a RowChanges,
    missing: RefCell<MissingRows>,
}

impl<'a> ReplayView<'a> {
    pub(super) fn new(known: &'a RowsRead, over: &'a RowChanges) -> Self {
        Self { known, over, missing: RefCell::default() }
    }

    /// What was lacking. If anything was, the run over this view is void, whatever it returned.
    pub(super) fn into_missing(self) -> MissingRows {
        self.missing.into_inner()
    }

    fn want(&self, range: KeyRange, page: RowsPage) {
        let mut missing = MissingRows::default();
        missing.ranges.insert(range, page);
        self.missing.borrow_mut().merge(missing);
    }
}

/// Ends a void run early. No caller sees it: the view says that the run is void.
fn void() -> StoreError {
    StoreError::Unavailable("a row has not been read yet".to_owned())
}

impl StoreRows for ReplayView<'_> {
    fn value(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        if let Some(value) = self.over.get(key).or_else(|| self.known.values.get(key)) {
            return Ok(value.clone());
        }
        self.missing.borrow_mut().keys.insert(key.to_owned());
        Err(void())
    }

    fn scan(
        &self,
        from: &str,
        to: &str,
        most: usize,
        each: &mut dyn FnMut(&str, &[u8]) -> bool,
    ) -> Result<(), StoreError> {
        if from >= to {
            return Ok(());
        }
        let range = (from.to_owned(), to.to_owned());
        let Some(part) = self.known.ranges.get(&range) else {
            self.want(range, RowsPage { from: from.to_owned(), most: most.clamp(1, MAX_PAGE) });
            return Err(void());
        };
        let mut known = part.rows.iter().map(|(key, value)| (key.as_str(), value)).peekable();
        let mut over = self.over.range::<str, _>((Bound::Included(from), Bound::Excluded(to))).peekable();
        loop {
            let (key, value) = match (known.peek(), over.peek()) {
                (None, _) if !part.is_whole => {
                    // the rows that follow are not known, and changes may lie behind them
                    let last = part.rows.last().map_or(from, |(key, _)| key.as_str());
                    let most = part.rows.len().clamp(MIN_NEXT_PAGE, MAX_PAGE);
                    self.want(range, RowsPage { from: format!("{last}\0"), most });
                    return Err(void());
                }
                (None, None) => return Ok(()),
                (Some((known_key, _)), Some((over_key, _))) if *known_key >= over_key.as_str() => {
                    // a change hides the row
                    known.next_if(|(key, _)| *key == over_key.as_str());
                    let Some((key, value)) = over.next() else { return Ok(()) };
                    (key.as_str(), value.as_ref())
                }
                (None, Some(_)) => {
                    let Some((key, value)) = over.next() else { return Ok(()) };
                    (key.as_str(), value.as_ref())
                }
                (Some(_), _) => {
                    let Some((key, value)) = known.next() else { return Ok(()) };
                    (key, Some(value))
                }
            };
            if let Some(value) = value
                && !each(key, value)
            {
                return Ok(());
            }
        }
    }

    fn expect(&self, key: &str) {
        if !self.over.contains_key(key) && !self.known.values.contains_key(key) {
            self.missing.borrow_mut().keys.insert(key.to_owned());
        }
    }

    fn expect_scan(&self, from: &str, to: &str, most: usize) {
        let range = (from.to_owned(), to.to_owned());
        if from < to && !self.known.ranges.contains_key(&range) {
            self.want(range, RowsPage { from: from.to_owned(), most: most.clamp(1, MAX_PAGE) });
        }
    }
}

/// Transactions that become one: each sees what those before it have changed.
pub(super) struct TransactionBatch<'a> {
    writes: &'a mut [Write],
    results: Vec<Result<Vec<String>, StoreError>>,
    changes: RowChanges,
}

impl<'a> TransactionBatch<'a> {
    pub(super) fn new(writes: &'a mut [Write]) -> Self {
        Self { writes, results: Vec::new(), changes: RowChanges::new() }
    }

    /// Runs those that have not run yet. What is returned has to be read before the others can.
    pub(super) fn run(&mut self, known: &RowsRead) -> MissingRows {
        let mut missing = MissingRows::default();
        let mut ahead = 0;
        let done = self.results.len();
        for write in &mut self.writes[done..] {
            let view = ReplayView::new(known, &self.changes);
            let mut transaction = Transaction::new(&view);
            let result = write(&mut transaction);
            let (changes, touched) = transaction.end();
            let lacks = view.into_missing();
            if missing.is_empty() && lacks.is_empty() && ahead == 0 {
                if result.is_ok() {
                    self.changes.extend(changes);
                }
                self.results.push(result.map(|()| touched));
                continue;
            }
            missing.merge(lacks);
            ahead += 1;
            if ahead > MAX_AHEAD {
                break;
            }
        }
        missing
    }

    /// What all of them have changed together, and the result of each.
    pub(super) fn end(self) -> (RowChanges, Vec<Result<Vec<String>, StoreError>>) {
        (self.changes, self.results)
    }
}

#[cfg(test)]
mod tests {
    use super::super::rows::{keys, load_row, row_key};
    use super::*;

    /// Rows elsewhere, which count the round trips.
    #[derive(Default)]
    struct Elsewhere {
        rows: BTreeMap<String, Vec<u8>>,
        trips: usize,
    }

    impl Elsewhere {
        fn read(&mut self, missing: MissingRows, known: &mut RowsRead) {
            self.trips += 1;
            let found = missing.keys().filter_map(|key| Some((key.to_owned(), self.rows.get(key)?.clone()))).collect();
            let pages = missing
                .pages()
                .map(|(page, to)| {
                    let rows = self.rows.range::<str, _>((Bound::Included(page.from.as_str()), Bound::Excluded(to)));
                    rows.take(page.most).map(|(key, value)| (key.clone(), value.clone())).collect()
                })
                .collect();
            known.add(missing, found, pages);
        }

        fn run(&mut self, mut writes: Vec<Write>) -> Vec<Result<Vec<String>, StoreError>> {
            let (mut known, mut batch) = (RowsRead::default(), TransactionBatch::new(&mut writes));
            loop {
                let missing = batch.run(&known);
                if missing.is_empty() {
                    break;
                }
                self.read(missing, &mut known);
            }
            let (changes, results) = batch.end();
            for (key, value) in changes {
                match value {
                    Some(value) => self.rows.insert(key, value),
                    None => self.rows.remove(&key),
                };
            }
            results
        }
    }

    fn count_up() -> Write {
        Box::new(|rows| rows.next("n").map(|number| rows.touch(&number.to_string())))
    }

    #[test]
    fn transactions_see_those_before_them_and_share_round_trips() {
        let mut rows = Elsewhere::default();
        let results = rows.run((0..100).map(|_| count_up()).collect());
        assert_eq!(results.last(), Some(&Ok(vec!["100".to_owned()])));
        assert_eq!((results.len(), rows.trips), (100, 1));
    }

    #[test]
    fn what_fails_leaves_nothing_to_those_behind_it() {
        let mut rows = Elsewhere::default();
        let fails: Write = Box::new(|rows| rows.next("n").and(Err(StoreError::Absent)));
        let results = rows.run(vec![count_up(), fails, count_up()]);
        assert_eq!(results, [Ok(vec!["1".to_owned()]), Err(StoreError::Absent), Ok(vec!["2".to_owned()])]);
    }

    #[test]
    fn ranges_are_read_page_by_page_under_changes() {
        let mut rows = Elsewhere::default();
        for n in 0..3000 {
            rows.rows.insert(row_key("t", &[&format!("{n:04}")]), vec![b'1']);
        }
        let change: Write = Box::new(|rows| {
            rows.remove(row_key("t", &["0000"]));
            rows.mark(row_key("t", &["0001x"]));
            rows.remove(row_key("t", &["2999"]));
            rows.mark(row_key("t", &["3"]));
            Ok(())
        });
        let look: Write = Box::new(|rows| {
            let found = keys(rows, "t", &[], usize::MAX)?;
            keys(rows, "t", &[], 2)?.iter().chain(found.last()).for_each(|key| rows.touch(key));
            rows.touch(&found.len().to_string());
            Ok(())
        });
        let gone: Write = Box::new(|rows| {
            (0..40).for_each(|n| rows.remove(row_key("t", &[&format!("{n:04}")])));
            Ok(())
        });
        let first: Write = Box::new(|rows| {
            let first = keys(rows, "t", &[], 1)?;
            first.iter().for_each(|key| rows.touch(key));
            rows.touch(&format!("{:?}", load_row::<u32>(rows, &row_key("t", &["0040"]))?));
            Ok(())
        });
        let results: Vec<_> = rows.run(vec![change, look, gone, first]).into_iter().map(Result::unwrap).collect();
        let key = |name: &str| row_key("t", &[name]);
        assert_eq!(results[1], [key("0001"), key("0001x"), key("3"), "3000".to_owned()]);
        assert_eq!(results[3], [key("0001x"), "Some(1)".to_owned()]);
        assert!(rows.trips < 20, "{}", rows.trips);
    }
}
