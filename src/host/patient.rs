//! Connections whose other end has to take what it is given: whoever asks and does not read holds a piece of a file in memory, and not for ever.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// A stream that breaks off when nothing of it is taken for long.
pub(super) struct Patient<S> {
    stream: S,
    /// Longest time in which nothing is taken.
    patience: Duration,
    /// Runs while the client takes nothing.
    waiting: Option<Pin<Box<Sleep>>>,
}

impl<S> Patient<S> {
    pub(super) fn new(stream: S, patience: Duration) -> Self {
        Self { stream, patience, waiting: None }
    }

    /// Whether what is not done yet has taken too long.
    fn judge<T>(&mut self, context: &mut Context<'_>, done: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if done.is_ready() {
            self.waiting = None;
            return done;
        }
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(sleep(self.patience)));
        if waiting.as_mut().poll(context).is_ready() { Poll::Ready(Err(io::ErrorKind::TimedOut.into())) } else { Poll::Pending }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Patient<S> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Patient<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let done = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.judge(context, done)
    }

    fn poll_write_vectored(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[IoSlice<'_>]) -> Poll<io::Result<usize>> {
        let done = Pin::new(&mut self.stream).poll_write_vectored(context, bytes);
        self.judge(context, done)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let done = Pin::new(&mut self.stream).poll_flush(context);
        self.judge(context, done)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, duplex};

    use super::*;

    #[test]
    fn who_takes_nothing_is_given_up_and_who_is_slow_is_not() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let (ours, mut theirs) = duplex(8);
            let mut ours = Patient::new(ours, Duration::from_millis(20));
            ours.write_all(b"12345678").await.unwrap();
            assert_eq!(ours.write_all(b"9").await.map_err(|error| error.kind()), Err(io::ErrorKind::TimedOut));
            let mut read = [0; 8];
            theirs.read_exact(&mut read).await.unwrap();
            let (ours, mut theirs) = duplex(8);
            let mut ours = Patient::new(ours, Duration::from_secs(60));
            let slow = tokio::spawn(async move { ours.write_all(&[7; 64]).await.map(|()| ours.waiting.is_none()) });
            let mut all = [0; 64];
            theirs.read_exact(&mut all).await.unwrap();
            assert!(slow.await.unwrap().unwrap());
        });
    }
}
