//! Connections that have to go on: one on which nothing was written for a while ends. That is a client that sends
//! nothing, one that sends the head of a request byte by byte, and one that does not read the response; each
//! would hold memory for ever.
//!
//! One timer for a connection, not one for each request: it looks now and then whether anything was written since it
//! looked last.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

/// A stream that fails when nothing is written for one to two times its timeout. It belongs to one task.
pub struct IdleTimeout<S> {
    stream: S,
    timeout: Duration,
    /// Whether waiting for the client to send counts, beside waiting for it to take what is written.
    includes_reads: bool,
    /// Fires when it is time to look.
    look: Pin<Box<Sleep>>,
    /// The timer has a waker. The task is always the same, so the waker is not set with every request.
    is_set: bool,
    /// Something was written since the last look.
    is_active: bool,
}

impl<S> IdleTimeout<S> {
    /// Bounds the time between two writes, whatever is waited for.
    pub fn new(stream: S, timeout: Duration) -> Self {
        Self { stream, timeout, includes_reads: true, look: Box::pin(sleep(timeout)), is_set: false, is_active: true }
    }

    /// Bounds the time in which the other end takes nothing of what is to be written: a response may take as long as it
    /// needs.
    pub fn of_writes(stream: S, timeout: Duration) -> Self {
        Self { includes_reads: false, ..Self::new(stream, timeout) }
    }

    /// While the other end is waited for: whether its time is up.
    fn wait<T>(&mut self, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        if self.is_set && !self.look.is_elapsed() {
            return Poll::Pending;
        }
        loop {
            self.is_set = true;
            ready!(self.look.as_mut().poll(context));
            if !std::mem::take(&mut self.is_active) {
                return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
            }
            self.look.as_mut().reset(Instant::now() + self.timeout);
        }
    }

    fn written(&mut self, context: &mut Context<'_>, done: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        if done.is_pending() {
            return self.wait(context);
        }
        self.is_active = true;
        done
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for IdleTimeout<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let done = Pin::new(&mut self.stream).poll_read(context, buffer);
        if done.is_pending() && self.includes_reads { self.wait(context) } else { done }
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for IdleTimeout<S> {
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

    fn pair(timeout: Duration) -> (IdleTimeout<DuplexStream>, DuplexStream) {
        let (ours, theirs) = duplex(8);
        (IdleTimeout::new(ours, timeout), theirs)
    }

    #[test]
    fn a_client_that_takes_or_sends_nothing_is_cut_off() {
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
    fn a_response_may_take_its_time_where_only_writes_count() {
        run(async {
            let (ours, mut theirs) = duplex(8);
            let mut ours = IdleTimeout::of_writes(ours, Duration::from_millis(20));
            tokio::spawn(async move {
                sleep(Duration::from_millis(100)).await;
                theirs.write_all(b"x").await.map(|()| theirs)
            });
            assert_eq!(ours.read_u8().await.unwrap(), b'x');
            let (ours, _theirs) = duplex(8);
            let mut ours = IdleTimeout::of_writes(ours, Duration::from_millis(20));
            ours.write_all(b"12345678").await.unwrap();
            assert_eq!(ours.write_all(b"9").await.map_err(|error| error.kind()), Err(io::ErrorKind::TimedOut));
        });
    }

    #[test]
    fn a_slow_client_gets_everything() {
        run(async {
            let (mut ours, mut theirs) = pair(Duration::from_secs(60));
            let slow = tokio::spawn(async move { ours.write_all(&[7; 64]).await });
            let mut all = [0; 64];
            theirs.read_exact(&mut all).await.unwrap();
            slow.await.unwrap().unwrap();
        });
    }
}
