//! What the two kinds of processes that a job starts have in common: ours that exports, and the operator's agent.

use std::io;

use tokio::io::{AsyncRead, AsyncReadExt as _};

/// Kills a process group, by the number of the process that it began with. That it is gone already is well.
pub(super) fn kill_group(leader: Option<u32>) {
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    if let Some(leader) = leader.and_then(|leader| i32::try_from(leader).ok()).and_then(rustix::process::Pid::from_raw)
    {
        let _ = rustix::process::kill_process_group(leader, rustix::process::Signal::KILL);
    }
    #[cfg(not(any(target_os = "linux", target_os = "macos")))]
    let _ = leader;
}

/// Reads a stream to its end and keeps its last bytes, `most` of them. What came before an error stays, too.
pub(super) async fn keep_end(mut stream: impl AsyncRead + Unpin, most: usize, end: &mut Vec<u8>) -> io::Result<()> {
    let mut piece = vec![0; 16 << 10];
    loop {
        let read = stream.read(&mut piece).await?;
        if read == 0 {
            return Ok(());
        }
        end.extend_from_slice(&piece[..read]);
        end.drain(..end.len().saturating_sub(most));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_end_of_a_stream_is_kept() {
        let long: Vec<u8> = (0..100_000u32).map(|number| number.to_le_bytes()[0]).collect();
        for most in [0, 1, 16 << 10, 200_000] {
            let mut end = Vec::new();
            keep_end(long.as_slice(), most, &mut end).await.unwrap();
            assert_eq!(end, &long[long.len().saturating_sub(most)..]);
        }
    }
}
