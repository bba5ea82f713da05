//! Heads that say in two ways how long their body is (threats S28). The HTTP library follows one and drops the other;
//! a proxy in front of the service may have followed the other one, and then would take a part of a body for a
//! request. So the bytes are looked at before the library has them.

/// The longest name that matters, and its colon.
const NAME_BYTES: usize = 18;

/// Looks for `Content-Length` and `Transfer-Encoding` among the lines of one head. A body is seen as lines as well:
/// those with both names in it are none that any operation takes.
#[derive(Default)]
pub(super) struct Framing {
    /// The first bytes of the line that has not ended, in lower case.
    line: Vec<u8>,
    has_length: bool,
    has_coding: bool,
}

impl Framing {
    /// Takes in what has come; `true` if a head has both.
    pub(super) fn is_doubled_by(&mut self, bytes: &[u8]) -> bool {
        let mut is_doubled = false;
        for byte in bytes {
            if *byte != b'\n' {
                if self.line.len() < NAME_BYTES {
                    self.line.push(byte.to_ascii_lowercase());
                }
                continue;
            }
            match self.line.as_slice() {
                b"" | b"\r" => (self.has_length, self.has_coding) = (false, false),
                line => {
                    self.has_length |= line.starts_with(b"content-length:");
                    self.has_coding |= line.starts_with(b"transfer-encoding:");
                }
            }
            is_doubled |= self.has_length && self.has_coding;
            self.line.clear();
        }
        is_doubled
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: bool) {
        assert_eq!(Framing::default().is_doubled_by(text.as_bytes()), expect, "{text:?}");
        // however it comes
        let mut framing = Framing::default();
        let answers: Vec<bool> = text.as_bytes().chunks(1).map(|byte| framing.is_doubled_by(byte)).collect();
        assert_eq!(answers.contains(&true), expect, "{text:?}");
    }

    #[test]
    fn heads_with_two_lengths_are_found() {
        check("POST / HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n", true);
        check("POST / HTTP/1.1\r\nTRANSFER-ENCODING:chunked\r\nHost: x\r\ncontent-length:5\r\n\r\n", true);
        check("GET / HTTP/1.1\r\n\r\nPOST / HTTP/1.1\nContent-Length: 5\nTransfer-Encoding: chunked\n\n", true);
        check(
            "POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n",
            false,
        );
        check("POST / HTTP/1.1\r\nContent-Length: 2\r\nX-Transfer-Encoding: chunked\r\n\r\n", false);
        check(
            "POST / HTTP/1.1\r\nContent-Length: 90\r\n\r\n{\"x\": \"\nContent-Length: 1\", \"y\":\r\n\"Transfer-Encoding: chunked\"}",
            false,
        );
        check("", false);
    }
}
