//! Sets of bytes, for loops that look at every byte of a text.

/// By byte: whether it is one of `members`.
pub const fn set(members: &[u8]) -> [bool; 256] {
    let mut set = [false; 256];
    let mut rest = members;
    while let [first, others @ ..] = rest {
        set[*first as usize] = true;
        rest = others;
    }
    set
}
