//! Runs of the agent: the operator's command in a process group of its own and an empty folder, with nothing of our
//! environment but where programs are, and the fence of its claim.

use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use serde_json::json;
use tokio::fs;
use tokio::io::{AsyncRead, AsyncWriteExt as _};
use tokio::process::{Child, Command};
use tokio::time::{sleep, timeout};
use url::Url;

use super::process::{keep_end, kill_group};
use super::run::{Cancel, JobEnd, clear};
use super::{AgentSettings, ServiceShared};
use crate::store::{AgentJob, Lease, WorkOutcome};

/// The variable with the number of the claim under which a run was started. A later claim of the same job, or of any
/// other, has a larger one: what a run changes elsewhere can refuse those of earlier claims by it.
const FENCE_VARIABLE: &str = "OFFPRINT_AGENT_FENCE";

/// Longest last line of an agent that counts, bytes; and how much of what it complains about is logged.
const LINE_BYTES: usize = 64 << 10;
const COMPLAINT_BYTES: usize = 2 << 10;
/// How long the output of an agent that has ended may go on.
const OUTPUT_TIMEOUT: Duration = Duration::from_secs(5);
/// Longest address of a pull request, bytes.
const LINK_BYTES: usize = 2048;

/// Does one run of an agent job.
pub(super) async fn run_agent(shared: &ServiceShared, lease: &Lease, job: AgentJob, cancel: Cancel) -> JobEnd {
    let Some(agent) = &shared.settings.agent else {
        return JobEnd::Done(WorkOutcome::Agent(Err("there is no agent any more".to_owned())));
    };
    let folder = shared.settings.scratch.join(format!("{}-{}", job.id, lease.fence));
    clear(&folder).await;
    let ended = match fs::create_dir_all(&folder).await {
        Ok(()) => in_folder(agent, &job, lease.fence, &folder, cancel).await,
        Err(error) => Err(AgentTrouble::Failed(format!("its folder cannot be made: {error}"))),
    };
    clear(&folder).await;
    match ended {
        Ok(link) => JobEnd::Done(WorkOutcome::Agent(Ok(link))),
        Err(AgentTrouble::CalledOff) => JobEnd::CalledOff,
        Err(AgentTrouble::Failed(cause)) => {
            tracing::warn!(id = job.id, cause, "a run of the agent has failed");
            JobEnd::Done(WorkOutcome::Agent(Err(cause)))
        }
    }
}

/// Why a run has no result.
enum AgentTrouble {
    Failed(String),
    CalledOff,
}

async fn in_folder(
    agent: &AgentSettings,
    job: &AgentJob,
    fence: u64,
    folder: &std::path::Path,
    cancel: Cancel,
) -> Result<Option<String>, AgentTrouble> {
    let failed = |what: &str, error: &dyn std::fmt::Display| AgentTrouble::Failed(format!("{what}: {error}"));
    let (program, arguments) =
        agent.command.split_first().ok_or_else(|| AgentTrouble::Failed("no command is set".to_owned()))?;
    let mut command = match &agent.keeper {
        Some(keeper) => {
            let mut command = Command::new(keeper);
            // killed first it could not end the others; it ends when its input does
            command.arg("agent").arg("--").arg(program).kill_on_drop(false);
            command
        }
        None => {
            let mut command = Command::new(program);
            command.kill_on_drop(true);
            command
        }
    };
    command.args(arguments).current_dir(folder).env_clear().env(FENCE_VARIABLE, fence.to_string());
    if let Some(path) = &agent.path {
        command.env("PATH", path);
    }
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    #[cfg(unix)]
    command.process_group(0);
    let mut child = command.spawn().map_err(|error| failed("it cannot be started", &error))?;
    let group = child.id();
    let ended = exchange_with_agent(&mut child, group, request(job), agent, cancel).await;
    // whatever it has started ends with it
    kill_group(group);
    let (status, output, complaint) = match ended {
        Ok(ended) => ended,
        Err(trouble) => {
            let _ = child.wait().await;
            return Err(trouble);
        }
    };
    if !status.success() {
        return Err(AgentTrouble::Failed(format!(
            "it ended with {status}: {}",
            String::from_utf8_lossy(&complaint).trim()
        )));
    }
    result(&output).map_err(AgentTrouble::Failed)
}

/// The request to the agent.
fn request(job: &AgentJob) -> Vec<u8> {
    let request = json!({
        "id": job.id,
        "projectId": job.project,
        "source": {"repository": job.repository, "ref": job.reference},
        "model": job.model,
        "messages": job.messages,
    });
    request.to_string().into_bytes()
}

/// Sends the agent its request and reads until it has ended: its status, the end of its output, and of its error
/// output.
async fn exchange_with_agent(
    child: &mut Child,
    group: Option<u32>,
    mut request: Vec<u8>,
    agent: &AgentSettings,
    cancel: Cancel,
) -> Result<(ExitStatus, Vec<u8>, Vec<u8>), AgentTrouble> {
    let failed = |error: &dyn std::fmt::Display| AgentTrouble::Failed(format!("it cannot be talked to: {error}"));
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    if agent.keeper.is_some() {
        request.push(b'\n');
    }
    let tell = async {
        let mut stdin = stdin?;
        // an agent that does not listen may still answer
        let _ = stdin.write_all(&request).await;
        let _ = stdin.flush().await;
        // the keeper's input stays open until the run ends or is canceled
        agent.keeper.as_ref().map(|_| stdin)
    };
    let talk = async { tokio::join!(tell, last_bytes(stdout, LINE_BYTES), last_bytes(stderr, COMPLAINT_BYTES)) };
    let (late, canceled) = (time_is_up(agent.time), cancel.canceled());
    tokio::pin!(talk, late, canceled);
    let mut talked = None;
    let status = loop {
        tokio::select! {
            status = child.wait() => break status.map_err(|error| failed(&error))?,
            said = &mut talk, if talked.is_none() => talked = Some(said),
            () = &mut late => return Err(AgentTrouble::Failed("its time is up".to_owned())),
            () = &mut canceled => return Err(AgentTrouble::CalledOff),
        }
    };
    // others that it has left behind may keep its output open
    kill_group(group);
    let talked = match talked {
        Some(said) => said,
        None => timeout(OUTPUT_TIMEOUT, talk)
            .await
            .map_err(|_| AgentTrouble::Failed("its output does not end".to_owned()))?,
    };
    let (_held, output, complaint) = talked;
    Ok((status, output.map_err(|error| failed(&error))?, complaint.map_err(|error| failed(&error))?))
}

/// The last bytes of a stream: one more than `most`, so that a line that is too long is detected.
async fn last_bytes(stream: Option<impl AsyncRead + Unpin>, most: usize) -> std::io::Result<Vec<u8>> {
    let mut last = Vec::new();
    if let Some(stream) = stream {
        keep_end(stream, most + 1, &mut last).await?;
    }
    Ok(last)
}

/// The pull request that the last line of the agent's output names, if any.
fn result(output: &[u8]) -> Result<Option<String>, String> {
    let text = output.trim_ascii_end();
    let line = text.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    if line.len() > LINE_BYTES {
        return Err("its last line is too long".to_owned());
    }
    let value: serde_json::Value = serde_json::from_slice(line).map_err(|_| "its last line is not JSON".to_owned())?;
    match value.get("prLink") {
        Some(serde_json::Value::Null) => Ok(None),
        Some(serde_json::Value::String(link)) => pull_request(link).map(Some),
        _ => Err("its last line has no `prLink`".to_owned()),
    }
}

/// Checks the address of a pull request: it is shown to people.
fn pull_request(link: &str) -> Result<String, String> {
    let refuse = || "its `prLink` is no https address without user info".to_owned();
    let url = Url::parse(link).map_err(|_| refuse())?;
    let is_plain = url.scheme() == "https" && url.username().is_empty() && url.password().is_none() && url.has_host();
    // an empty user info is not kept by the parser, but it is one
    let is_bare = !link.split(['/', '?', '#']).nth(2).is_some_and(|authority| authority.contains('@'));
    if is_plain && is_bare && link.len() <= LINK_BYTES { Ok(url.into()) } else { Err(refuse()) }
}

async fn time_is_up(time: Duration) {
    if time.is_zero() {
        std::future::pending::<()>().await;
    }
    sleep(time).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_says_how_it_went() {
        let check = |output: &str, expect: Result<Option<&str>, ()>| {
            assert_eq!(result(output.as_bytes()).map_err(drop), expect.map(|link| link.map(str::to_owned)), "{output}")
        };
        check("working\n{\"prLink\": null}\n", Ok(None));
        check("{\"prLink\":\"https://git.example/a/b/pull/7\"}", Ok(Some("https://git.example/a/b/pull/7")));
        check("{\"prLink\":null}\nbye\n", Err(()));
        for wrong in ["", "\n", "{}", "[]", "null", "{\"prLink\":7}", "{\"prLink\":\"\"}"] {
            check(wrong, Err(()));
        }
    }

    #[test]
    fn a_pull_request_is_a_plain_https_address() {
        for wrong in [
            "http://git.example/1",
            "javascript:alert(1)",
            "https://user@git.example/1",
            "https://user:secret@git.example/1",
            "https://@git.example/1",
            "https://:@git.example/1",
            "//git.example/1",
            "https://",
            "data:text/html,x",
            "file:///etc/passwd",
            "https:/\\user@git.example",
        ] {
            assert!(pull_request(wrong).is_err(), "{wrong}");
        }
        assert!(pull_request(&format!("https://git.example/{}", "a".repeat(LINK_BYTES))).is_err());
        assert_eq!(
            pull_request("https://git.example/a/@b/pull/1?x=@y"),
            Ok("https://git.example/a/@b/pull/1?x=@y".to_owned())
        );
    }
}
