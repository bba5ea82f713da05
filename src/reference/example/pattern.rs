//! Text that a regular expression matches, for the plain ones that descriptions use.

/// Longest text that is made.
const MAX_EXAMPLE_LETTERS: usize = 512;
/// How deep groups may be.
const MAX_GROUP_DEPTH: usize = 16;
/// How many steps are taken to make one.
const MAX_PATTERN_STEPS: usize = 20_000;
/// Counts that are tried, one after the other, where an expression sets no upper bound.
const REPEATS: [usize; 6] = [8, 4, 16, 2, 1, 0];

/// Readable text of a length that the expression matches; `None` where the expression is not plain.
pub(super) fn text_matching_pattern(pattern: &str, fewest: usize, most: usize) -> Option<String> {
    let letters: Vec<char> = pattern.chars().collect();
    for repeats in REPEATS.into_iter().chain([fewest, most]) {
        let repeats = repeats.min(MAX_EXAMPLE_LETTERS);
        let mut maker = PatternExample { letters: &letters, at: 0, out: String::new(), repeats, picks: 0, steps: 0 };
        maker.alternatives(0, true)?;
        if maker.at < letters.len() {
            return None;
        }
        if (fewest..=most).contains(&maker.out.chars().count()) {
            return Some(maker.out);
        }
    }
    None
}

struct PatternExample<'a> {
    letters: &'a [char],
    at: usize,
    out: String,
    /// How often what may occur any number of times does.
    repeats: usize,
    /// How many letters were taken from classes: their members are used in turn.
    picks: usize,
    steps: usize,
}

impl PatternExample<'_> {
    fn peek(&self) -> Option<char> {
        self.letters.get(self.at).copied()
    }

    fn take(&mut self) -> Option<char> {
        let letter = self.peek()?;
        self.at += 1;
        Some(letter)
    }

    fn take_if(&mut self, letter: char) -> bool {
        let found = self.peek() == Some(letter);
        self.at += usize::from(found);
        found
    }

    /// Writes the first alternative, reads the others.
    fn alternatives(&mut self, depth: usize, writes: bool) -> Option<()> {
        self.sequence(depth, writes)?;
        while self.take_if('|') {
            self.sequence(depth, false)?;
        }
        Some(())
    }

    fn sequence(&mut self, depth: usize, writes: bool) -> Option<()> {
        if depth > MAX_GROUP_DEPTH {
            return None;
        }
        while let Some(letter) = self.peek() {
            if matches!(letter, '|' | ')') {
                break;
            }
            self.at += 1;
            if matches!(letter, '^' | '$') {
                continue;
            }
            let start = self.at;
            self.atom(depth, letter, false)?;
            let (fewest, most) = self.quantifier()?;
            if !writes {
                continue;
            }
            let count = most.unwrap_or_else(|| self.repeats.max(fewest)).min(self.repeats.max(fewest));
            let after = self.at;
            for _ in 0..count {
                if self.out.len() > MAX_EXAMPLE_LETTERS {
                    return None;
                }
                self.at = start;
                self.atom(depth, letter, true)?;
            }
            self.at = after;
        }
        Some(())
    }

    /// How often: at least, at most.
    fn quantifier(&mut self) -> Option<(usize, Option<usize>)> {
        let counts = match self.peek() {
            Some('?') => (0, Some(1)),
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('{') => {
                let rest = &self.letters[self.at + 1..];
                let end = rest.iter().position(|letter| *letter == '}')?;
                let inside: String = rest[..end].iter().collect();
                self.at += end + 1;
                match inside.split_once(',') {
                    None => (inside.parse().ok()?, Some(inside.parse().ok()?)),
                    Some((fewest, "")) => (fewest.parse().ok()?, None),
                    Some((fewest, most)) => (fewest.parse().ok()?, Some(most.parse().ok()?)),
                }
            }
            _ => return Some((1, Some(1))),
        };
        self.at += 1;
        // lazy or possessive
        if matches!(self.peek(), Some('?' | '+')) {
            self.at += 1;
        }
        (counts.0 <= MAX_EXAMPLE_LETTERS).then_some(counts)
    }

    fn atom(&mut self, depth: usize, letter: char, writes: bool) -> Option<()> {
        self.steps += 1;
        if self.steps > MAX_PATTERN_STEPS {
            return None;
        }
        match letter {
            '(' => {
                if self.take_if('?') {
                    match self.take()? {
                        ':' => {}
                        'P' | '<' if self.letters.get(self.at).is_some_and(|next| !matches!(next, '=' | '!')) => {
                            while self.take()? != '>' {}
                        }
                        // what looks ahead or behind
                        _ => return None,
                    }
                }
                self.alternatives(depth + 1, writes)?;
                self.take_if(')').then_some(())
            }
            '[' => {
                let class = self.class()?;
                self.one_of(&class, writes)
            }
            '\\' => match self.take()? {
                'b' | 'A' | 'z' | 'Z' => Some(()),
                escape => {
                    let class = escape_members(escape)?;
                    if matches!(escape, 'p') {
                        self.property()?;
                    }
                    self.one_of(&class, writes)
                }
            },
            '.' => self.one_of(&letters_in_order(), writes),
            '*' | '+' | '?' => None,
            other => {
                if writes {
                    self.out.push(other);
                }
                Some(())
            }
        }
    }

    /// The name of a property of letters, which is taken for one that Latin letters have.
    fn property(&mut self) -> Option<()> {
        if self.take()? == '{' {
            while self.take()? != '}' {}
        }
        Some(())
    }

    fn one_of(&mut self, class: &[char], writes: bool) -> Option<()> {
        if class.is_empty() {
            return None;
        }
        if writes {
            self.out.push(class[self.picks % class.len()]);
            self.picks += usize::from(class.len() > 1);
        }
        Some(())
    }

    /// The members of a class, those that read best first.
    fn class(&mut self) -> Option<Vec<char>> {
        let negated = self.take_if('^');
        let mut ranges: Vec<(char, char)> = Vec::new();
        let mut first = true;
        loop {
            let letter = self.take()?;
            match letter {
                ']' if !first => break,
                '\\' => {
                    let escape = self.take()?;
                    if escape == 'p' {
                        self.property()?;
                    }
                    ranges.extend(escape_members(escape)?.into_iter().map(|member| (member, member)));
                }
                _ => {
                    let ends = self.letters.get(self.at + 1).is_none_or(|next| matches!(next, ']' | '\\'));
                    if self.peek() == Some('-') && !ends {
                        self.at += 1;
                        ranges.push((letter, self.take()?));
                    } else {
                        ranges.push((letter, letter));
                    }
                }
            }
            first = false;
        }
        let has = |member: char| ranges.iter().any(|(start, end)| (*start..=*end).contains(&member));
        let mut members: Vec<char> = letters_in_order().into_iter().filter(|member| has(*member) != negated).collect();
        if members.is_empty() && !negated {
            members.extend(ranges.iter().map(|(start, _)| *start));
        }
        if members.is_empty() {
            members.extend("-_. /:".chars().filter(|member| has(*member) != negated));
        }
        // letters or digits alone read better than both in turn
        let group = |member: &char| (member.is_ascii_lowercase(), member.is_ascii_uppercase());
        let best = members.first().map(group);
        members.retain(|member| Some(group(member)) == best);
        Some(members)
    }
}

/// Lower case, digits, upper case.
fn letters_in_order() -> Vec<char> {
    ('a'..='z').chain('1'..='9').chain(['0']).chain('A'..='Z').collect()
}

/// The members of an escape.
fn escape_members(escape: char) -> Option<Vec<char>> {
    Some(match escape {
        'd' => ('1'..='9').chain(['0']).collect(),
        'w' | 'p' | 'S' | 'D' => ('a'..='z').collect(),
        's' => vec![' '],
        'W' => vec!['-'],
        'n' => vec!['\n'],
        't' => vec!['\t'],
        'r' => vec!['\r'],
        letter if letter.is_ascii_alphanumeric() => return None,
        letter => vec![letter],
    })
}
