//! One loading of the site. What pages share borrows from the site, so both are on the stack of a thread of their own;
//! questions come to it by a channel and are answered in parallel. When the last holder of the edition is dropped, the
//! channel closes and all of it goes.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, mpsc};

use tokio::sync::oneshot;

use crate::{Workspace, WorkspaceSettings};
use base::limits::STACK_BYTES;
use load::LoadError;

type EditionQuestion = Box<dyn for<'w> FnOnce(&Workspace<'w>) + Send>;

/// A loaded site on a thread of its own, used through messages.
#[derive(Debug)]
pub(super) struct Edition {
    questions: mpsc::Sender<EditionQuestion>,
    /// Pages of the site.
    pub(super) pages: usize,
    /// The file that configures it, if there is one.
    pub(super) config: Option<String>,
}

impl Edition {
    /// Loads the site; returns when it is ready.
    ///
    /// # Errors
    /// The folder or its configuration is of no use, or the system gives no thread (`None`).
    pub(super) fn open(settings: WorkspaceSettings, pool: Arc<rayon::ThreadPool>) -> Result<Self, Option<LoadError>> {
        let (questions, receiver) = mpsc::channel::<EditionQuestion>();
        let (opened, opening) = mpsc::channel::<Result<(usize, Option<String>), LoadError>>();
        let serve = move || {
            let failed = opened.clone();
            let answer = |workspace: &Workspace<'_>| {
                // the receiver is gone if the program ends
                let _ =
                    opened.send(Ok((workspace.site().pages.len(), workspace.site().config_path().map(str::to_owned))));
                pool.in_place_scope(|scope| {
                    for question in &receiver {
                        scope.spawn(move |_| question(workspace));
                    }
                });
            };
            // loading uses all threads, as an export does
            if let Err(error) = crate::open_workspace(&settings, Some(&pool), answer) {
                let _ = failed.send(Err(error));
            }
        };
        // where the site is not loaded in parallel, it is loaded on this thread
        std::thread::Builder::new().name("site".to_owned()).stack_size(STACK_BYTES).spawn(serve).map_err(|_| None)?;
        match opening.recv() {
            Ok(Ok((pages, config))) => Ok(Self { questions, pages, config }),
            Ok(Err(error)) => Err(Some(error)),
            Err(_) => Err(None),
        }
    }

    /// Runs a function on the site's thread; `None` if it failed.
    pub(super) async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&Workspace<'_>) -> T + Send + 'static,
    ) -> Option<T> {
        self.put(question).await.ok().flatten()
    }

    /// The same, for threads that may wait.
    pub(super) fn ask_and_wait<T: Send + 'static>(
        &self,
        question: impl FnOnce(&Workspace<'_>) -> T + Send + 'static,
    ) -> Option<T> {
        self.put(question).blocking_recv().ok().flatten()
    }

    fn put<T: Send + 'static>(
        &self,
        question: impl FnOnce(&Workspace<'_>) -> T + Send + 'static,
    ) -> oneshot::Receiver<Option<T>> {
        let (answer, answered) = oneshot::channel();
        let question: EditionQuestion = Box::new(move |workspace| {
            let answered = catch_unwind(AssertUnwindSafe(|| question(workspace))).ok();
            // a browser that went away needs none
            let _ = answer.send(answered);
        });
        // if the thread is gone, so is the receiver's other end
        let _ = self.questions.send(question);
        answered
    }
}
