//! What holds whatever happens in whatever order.

use std::collections::HashMap;

use proptest::prelude::*;

use super::*;

/// Runs a future to its end.
fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

/// Something that happens to a queue; numbers choose among what there is.
#[derive(Clone, Debug)]
enum QueueEvent {
    Start(u8),
    Cancel(usize),
    Claim,
    Renew(usize),
    Finish(usize),
    Crash(usize),
    Stop(usize),
    Later(u8),
}

fn event() -> impl Strategy<Value = QueueEvent> {
    prop_oneof![
        4 => (0u8..3).prop_map(QueueEvent::Start),
        1 => any::<usize>().prop_map(QueueEvent::Cancel),
        4 => Just(QueueEvent::Claim),
        2 => any::<usize>().prop_map(QueueEvent::Renew),
        3 => any::<usize>().prop_map(QueueEvent::Finish),
        1 => any::<usize>().prop_map(QueueEvent::Crash),
        1 => any::<usize>().prop_map(QueueEvent::Stop),
        2 => (1u8..8).prop_map(QueueEvent::Later),
    ]
}

/// A queue under events, with every lease that was ever given.
struct LeaseQueue {
    store: Ledger,
    jobs: Vec<ExportJob>,
    leases: Vec<Lease>,
    now: u64,
    finished: HashMap<String, u32>,
}

impl LeaseQueue {
    async fn happen(&mut self, event: &QueueEvent) {
        let caps = Caps { running: 2, waiting: 3 };
        let store = self.store.clone();
        let lease = |at: usize| (!self.leases.is_empty()).then(|| self.leases[at % self.leases.len()].clone());
        match event {
            QueueEvent::Start(organization) => {
                match store.start_export(job(&format!("org-{organization}")), caps, None, at(self.now)).await {
                    Ok(job) => self.jobs.push(job),
                    Err(error) => assert_eq!(error, StoreError::QueueFull),
                }
            }
            QueueEvent::Cancel(at) if !self.jobs.is_empty() => {
                let job = &self.jobs[at % self.jobs.len()];
                assert!(matches!(
                    store.cancel_export(&job.organization, &job.id).await,
                    Ok(_) | Err(StoreError::Conflict(_))
                ));
            }
            QueueEvent::Cancel(_) => {}
            QueueEvent::Claim => {
                if let Some(claimed) = store.claim(Lane::Build, LEASE, at(self.now)).await.unwrap() {
                    assert!(self.leases.iter().all(|lease| lease.fence < claimed.lease.fence), "fences grow");
                    self.leases.push(claimed.lease);
                }
            }
            QueueEvent::Renew(choice) => {
                if let Some(lease) = lease(*choice) {
                    let report = WorkReport {
                        progress: u8::try_from(choice % 120).unwrap(),
                        pages: *choice as u64 % 4,
                        commit: None,
                    };
                    assert!(matches!(
                        store.renew(&lease, report, LEASE, at(self.now)).await,
                        Ok(()) | Err(StoreError::Lost)
                    ));
                }
            }
            QueueEvent::Finish(at) => {
                if let Some(lease) = lease(*at)
                    && store.finish(&lease, exported('a')).await.is_ok()
                {
                    *self.finished.entry(lease.id).or_default() += 1;
                }
            }
            QueueEvent::Crash(at) | QueueEvent::Stop(at) => {
                if let Some(lease) = lease(*at) {
                    let why = if matches!(event, QueueEvent::Stop(_)) {
                        Release::Stopped
                    } else {
                        Release::Crashed("it died".to_owned())
                    };
                    assert!(matches!(
                        store.release(&lease, why, super::at(self.now)).await,
                        Ok(()) | Err(StoreError::Lost)
                    ));
                }
            }
            QueueEvent::Later(seconds) => self.now += u64::from(*seconds),
        }
    }

    /// Every record as it is now.
    async fn records(&self) -> Vec<ExportJob> {
        let mut records = Vec::new();
        for job in &self.jobs {
            records.push(read(&self.store, job).await);
        }
        records
    }

    /// What must hold between two moments.
    async fn check(&self, before: &[ExportJob]) -> Vec<ExportJob> {
        let records = self.records().await;
        for (before, now) in before.iter().zip(&records) {
            assert!(
                before.status <= now.status || before.status.is_terminal() && before.status == now.status,
                "{before:?} {now:?}"
            );
            assert!(
                before.progress <= now.progress && before.pages <= now.pages && before.updated_at <= now.updated_at
            );
            assert!(!before.status.is_terminal() || before == now, "what has ended stays");
            assert_eq!(now.progress == 100, now.status == ExportStatus::Completed);
            assert_eq!(now.error.is_some(), now.status == ExportStatus::Failed);
        }
        let count = |status| records.iter().filter(|job| job.status == status).count() as u64;
        let counts = StoreCounts { waiting: count(ExportStatus::Queued), running: count(ExportStatus::Running) };
        assert_eq!(self.store.counts().await.unwrap(), counts);
        for organization in 0..3 {
            let running = |job: &&ExportJob| {
                job.status == ExportStatus::Running && job.organization == format!("org-{organization}")
            };
            assert!(records.iter().filter(running).count() <= 2, "no more than the cap run");
        }
        assert!(self.finished.values().all(|times| *times == 1), "nothing ends twice");
        records
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn a_queue_under_any_events(events in prop::collection::vec(event(), 1..80)) {
        block_on(async {
            let mut queue = LeaseQueue {
                store: Ledger::in_memory(),
                jobs: Vec::new(),
                leases: Vec::new(),
                now: 0,
                finished: HashMap::new(),
            };
            let mut records = Vec::new();
            for event in &events {
                queue.happen(event).await;
                records = queue.check(&records).await;
            }
            // in the end everything ends
            for _ in 0..1000 {
                queue.now += 1;
                match queue.store.claim(Lane::Build, LEASE, at(queue.now)).await.unwrap() {
                    Some(claimed) => {
                        queue.store.finish(&claimed.lease, exported('b')).await.unwrap();
                        *queue.finished.entry(claimed.lease.id).or_default() += 1;
                    }
                    None if queue.store.counts().await.unwrap() == StoreCounts::default() => break,
                    None => {}
                }
                records = queue.check(&records).await;
            }
            assert!(queue.check(&records).await.iter().all(|job| job.status.is_terminal()));
        });
    }

    #[test]
    fn no_window_holds_more_than_its_limit(limit in 1u32..7, steps in prop::collection::vec((0u64..40_000_000, any::<bool>()), 1..60)) {
        block_on(async {
            let (store, length) = (Ledger::in_memory(), SECOND * 60);
            let (mut now, mut accepted) = (at(0), Vec::<Time>::new());
            for (step, small) in steps {
                now = now.plus(Duration::from_micros(if small { step / 100 } else { step }));
                let rate = store.take("acme", limit, length, now).await.unwrap();
                let within = |now: Time| accepted.iter().filter(|moment| now.since(**moment) < length).count();
                assert_eq!(rate.accepted, within(now) < limit as usize);
                if rate.accepted {
                    accepted.push(now);
                } else {
                    // what it says about the next one is exact
                    let moment = now.plus(rate.reset);
                    assert!(within(moment) < limit as usize && within(moment.minus(Duration::from_micros(1))) >= limit as usize);
                    assert!(rate.reset <= length);
                }
            }
        });
    }

    #[test]
    fn pages_together_are_the_whole_list(jobs in prop::collection::vec((0u8..2, 0u8..2, any::<bool>()), 0..40), limit in 1usize..12) {
        block_on(async {
            let store = Ledger::in_memory();
            let mut expect = Vec::new();
            for (organization, domain, canceled) in &jobs {
                let mut job = job(&format!("org-{organization}"));
                job.domain = format!("{domain}.example");
                let job = store.start_export(job, Caps::default(), None, at(0)).await.unwrap();
                if *canceled {
                    store.cancel_export(&job.organization, &job.id).await.unwrap();
                }
                if (*organization, *domain, *canceled) == (0, 1, true) {
                    expect.insert(0, job.id);
                }
            }
            let (mut found, mut cursor) = (Vec::new(), None);
            loop {
                let (domain, status) = (Some("1.example".to_owned()), Some(ExportStatus::Failed));
                let filter = ExportFilter { domain, status, limit, cursor };
                let page = store.exports("org-0", filter).await.unwrap();
                found.extend(page.items.into_iter().map(|job| job.id));
                cursor = page.next;
                if cursor.is_none() {
                    break;
                }
            }
            assert_eq!(found, expect);
        });
    }
}
