//! How fast the queue is over PostgreSQL, however much waits.

use super::*;

/// Starts, takes and ends work as fast as possible by two processes. Each worker waits for every step to be on the disk,
/// so few of them show how long that takes, and many how much the queue can do: steps that wait are written together.
/// Gives the jobs that went the whole way in a second.
async fn jobs_a_second(processes: &[Ledger; 2], workers: usize, jobs: usize) -> f64 {
    let began = std::time::Instant::now();
    let mut tasks = tokio::task::JoinSet::new();
    let left = Arc::new(std::sync::atomic::AtomicUsize::new(jobs));
    for (number, store) in processes.iter().cycle().take(workers).cloned().enumerate() {
        let left = Arc::clone(&left);
        tasks.spawn(async move {
            let caps = Caps::default();
            for n in 0..jobs / workers {
                store.start_export(job(&format!("org-{}", (number + n) % 50)), caps, None, at(0)).await.unwrap();
                let lease = claim(&store, at(1)).await;
                store.renew(&lease, WorkReport { progress: 50, pages: 1, commit: None }, LEASE, at(1)).await.unwrap();
                assert!(store.hold(&lease, &archive('a').key, at(1)).await.unwrap());
                store.finish(&lease, exported('a')).await.unwrap();
                left.fetch_sub(1, std::sync::atomic::Ordering::Relaxed);
            }
        });
    }
    tasks.join_all().await;
    let done = jobs - left.load(std::sync::atomic::Ordering::Relaxed);
    done as f64 / began.elapsed().as_secs_f64()
}

/// Run by hand: `cargo test --lib speed_of_the_queue -- --ignored --nocapture`.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a measurement: it needs a quiet machine"]
#[expect(clippy::print_stdout, reason = "it is what it is for")]
async fn speed_of_the_queue() {
    // what is measured has to be on the disk
    let server = postgres::durable();
    for waiting in [1, 1_000, 100_000] {
        let url = server.url(&format!("speed_{waiting}"));
        let processes = [process(&url).await, process(&url).await];
        // an organization that waits in a lane of its own is not served, but its rows lie between the others
        let filler = start(&processes[0], "filler").await;
        processes[0].cancel_export("filler", &filler.id).await.unwrap();
        server.sql(&format!(
            "SET search_path = speed_{waiting};
             INSERT INTO offprint_rows
             SELECT convert_to('waiting', 'UTF8') || '\\x00'::bytea || convert_to('export', 'UTF8') || '\\x00'::bytea ||
                 convert_to('filler', 'UTF8') || '\\x00'::bytea || convert_to(lpad(to_hex(n), 16, '0'), 'UTF8'), '\"x\"'
             FROM generate_series(1, {waiting}) AS n;
             INSERT INTO offprint_rows
             SELECT convert_to('task', 'UTF8') || '\\x00'::bytea || convert_to('export', 'UTF8') || '\\x00'::bytea ||
                 convert_to('se_' || n, 'UTF8'), repeat('x', 200)::bytea FROM generate_series(1, {waiting}) AS n;
             INSERT INTO offprint_rows
             SELECT convert_to('export', 'UTF8') || '\\x00'::bytea || convert_to('se_' || n, 'UTF8'),
                 repeat('x', 500)::bytea FROM generate_series(1, {waiting}) AS n;"
        ));
        jobs_a_second(&processes, 16, 160).await;
        for workers in [16, 64, 128] {
            let mut rates = Vec::new();
            for _ in 0..3 {
                rates.push(jobs_a_second(&processes, workers, workers * 20).await);
            }
            println!("{waiting} waiting, {workers} workers: {rates:.0?} jobs a second");
        }
    }
}
