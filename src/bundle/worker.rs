//! A thread that works through what it is given.

use std::io;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

/// The thread and its queue. Dropped, it ends first.
#[derive(Debug)]
pub(super) struct Worker<T, R> {
    queue: Option<SyncSender<T>>,
    thread: Option<JoinHandle<io::Result<R>>>,
}

impl<T: Send + 'static, R: Send + 'static> Worker<T, R> {
    /// Starts one, for which up to `room` pieces of work may wait.
    pub(super) fn start(
        name: &str,
        room: usize,
        work: impl FnOnce(Receiver<T>) -> io::Result<R> + Send + 'static,
    ) -> io::Result<Self> {
        let (queue, pieces) = sync_channel(room);
        let thread = std::thread::Builder::new().name(name.to_owned()).spawn(move || work(pieces))?;
        Ok(Self { queue: Some(queue), thread: Some(thread) })
    }
}

impl<T, R> Worker<T, R> {
    /// Gives it a piece of work and waits until there is room for that; `false` if it has ended.
    pub(super) fn give(&self, piece: T) -> bool {
        self.queue.as_ref().is_some_and(|queue| queue.send(piece).is_ok())
    }

    /// Gives it a piece of work if there is room.
    pub(super) fn offer(&self, piece: T) -> bool {
        self.queue.as_ref().is_some_and(|queue| queue.try_send(piece).is_ok())
    }

    /// Lets it finish what it has, and returns the result, once. A thread that panicked is a `BrokenPipe`.
    pub(super) fn end(&mut self) -> io::Result<R> {
        self.queue = None;
        let ended = self.thread.take().and_then(|thread| thread.join().ok());
        ended.unwrap_or_else(|| Err(io::ErrorKind::BrokenPipe.into()))
    }
}

impl<T, R> Drop for Worker<T, R> {
    fn drop(&mut self) {
        // what it worked on is thrown away, so how that ended does not matter
        if self.thread.is_some() {
            let _ = self.end();
        }
    }
}
