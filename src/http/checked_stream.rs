//! A connection of a server that strangers reach directly: heads that mean two things are found before the HTTP library
//! has them, and a response that comes before the end of its request is not lost.

use std::io;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

use super::framing::Framing;

/// How long, and for how many bytes, the rest of a request is read that was answered before its end: closing at once
/// would make the system forget the answer.
const LINGER_TIME: Duration = Duration::from_secs(1);
const LINGER_BYTES: usize = 1 << 20;

/// The stream.
pub struct CheckedStream<S> {
    stream: S,
    /// Runs when nothing more is sent, with the bytes that may still come.
    lingering: Option<(Pin<Box<Sleep>>, usize)>,
    framing: Framing,
    is_doubled: Arc<AtomicBool>,
}

impl<S> CheckedStream<S> {
    /// Checks a stream; the flag is set when a head has said in two ways how long its body is.
    pub fn new(stream: S) -> (Self, Arc<AtomicBool>) {
        let is_doubled = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&is_doubled);
        (Self { stream, lingering: None, framing: Framing::default(), is_doubled }, flag)
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for CheckedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let result = pin!(&mut self.stream).poll_read(context, buffer);
        if self.framing.is_doubled_by(buffer.filled().get(before..).unwrap_or_default()) {
            self.is_doubled.store(true, Ordering::Relaxed);
        }
        result
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for CheckedStream<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        pin!(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        pin!(&mut self.stream).poll_write_vectored(context, pieces)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        pin!(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = &mut *self;
        if this.lingering.is_none() {
            ready!(pin!(&mut this.stream).poll_shutdown(context))?;
        }
        let (timer, left) =
            this.lingering.get_or_insert_with(|| (Box::pin(tokio::time::sleep(LINGER_TIME)), LINGER_BYTES));
        let mut piece = [0; 4096];
        while timer.as_mut().poll(context).is_pending() {
            let mut buffer = ReadBuf::new(&mut piece);
            match ready!(pin!(&mut this.stream).poll_read(context, &mut buffer)) {
                Ok(()) if !buffer.filled().is_empty() && *left > 0 => {
                    *left = left.saturating_sub(buffer.filled().len())
                }
                _ => break,
            }
        }
        Poll::Ready(Ok(()))
    }
}
