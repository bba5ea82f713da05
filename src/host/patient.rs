//! Connections that have to go on: one on which nothing was written for a while ends. That is whoever asks for nothing,
//! whoever sends the head of a request byte by byte, and whoever asks and does not take the answer; each would hold
//! memory for ever.
//!
//! One timer for a connection, not one for each request: it looks now and then whether anything was written since it
//! looked last.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

/// A stream that breaks off when nothing is written for one to two times its patience. It belongs to one task.
pub(super) struct Patient<S> {
    stream: S,
    patience: Duration,
    /// Fires when it is time to look.
    look: Pin<Box<Sleep>>,
    /// The timer knows whom to wake. It is the same task all the time, so it need not be told with every request.
    is_set: bool,
    /// Something was written since the last look.
    is_going: bool,
}

impl<S> Patient<S> {
    pub(super) fn new(stream: S, patience: Duration) -> Self {
        Self { stream, patience, look: Box::pin(sleep(patience)), is_set: false, is_going: true }
    }

    /// While the other end is waited for: whether that is worth while.
    fn wait<T>(&mut self, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        if self.is_set && !self.look.is_elapsed() {
            return Poll::Pending;
        }
        loop {
            self.is_set = true;
            ready!(self.look.as_mut().poll(context));
            if !std::mem::take(&mut self.is_going) {
                return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
            }
            self.look.as_mut().reset(Instant::now() + self.patience);
        }
    }

    fn written(&mut self, context: &mut Context<'_>, done: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        if done.is_pending() {
            return self.wait(context);
        }
        self.is_going = true;
        done
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Patient<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let done = Pin::new(&mut self.stream).poll_read(context, buffer);
        if done.is_pending() { self.wait(context) } else { done }
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Patient<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let done = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.written(context, done)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let done = Pin::new(&mut self.stream).poll_write_vectored(context, bytes);
        self.written(context, done)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let done = Pin::new(&mut self.stream).poll_flush(context);
        if done.is_pending() { self.wait(context) } else { done }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, duplex};

    use super::*;

    fn run(test: impl Future<Output = ()>) {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test);
    }

    fn pair(patience: Duration) -> (Patient<DuplexStream>, DuplexStream) {
        let (ours, theirs) = duplex(8);
        (Patient::new(ours, patience), theirs)
    }

    #[test]
    fn who_takes_or_sends_nothing_is_given_up() {
        run(async {
            let (mut ours, _theirs) = pair(Duration::from_millis(20));
            ours.write_all(b"12345678").await.unwrap();
            assert_eq!(ours.write_all(b"9").await.map_err(|error| error.kind()), Err(io::ErrorKind::TimedOut));
            let (mut ours, mut theirs) = pair(Duration::from_millis(20));
            // byte by byte is nothing too
            tokio::spawn(async move {
                while theirs.write_all(b"x").await.is_ok() {
                    sleep(Duration::from_millis(5)).await
                }
            });
            let mut all = Vec::new();
            assert_eq!(ours.read_to_end(&mut all).await.map_err(|error| error.kind()), Err(io::ErrorKind::TimedOut));
        });
    }

    #[test]
    fn who_is_slow_gets_everything() {
        run(async {
            let (mut ours, mut theirs) = pair(Duration::from_secs(60));
            let slow = tokio::spawn(async move { ours.write_all(&[7; 64]).await });
            let mut all = [0; 64];
            theirs.read_exact(&mut all).await.unwrap();
            slow.await.unwrap().unwrap();
        });
    }
}
