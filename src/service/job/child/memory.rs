//! Control groups: where one is delegated to this process, the memory and the threads of each job are bounded by the
//! kernel, exactly and for both processes together. The limits of each process stay, and are all that others have.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// Where control groups of version 2 are.
const MOUNT: &str = "/sys/fs/cgroup";
/// Most threads of a job.
const MAX_JOB_THREADS: u64 = 4_096;

/// The group that this process has for itself; those of jobs are made in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ControlGroup(PathBuf);

impl ControlGroup {
    /// The group of this process, if it is delegated: nothing else runs in it, and it bounds memory. This process moves
    /// into a group below it, as groups with others below may have no process.
    pub fn find() -> Option<Self> {
        let own = fs::read_to_string("/proc/self/cgroup").ok()?;
        Self::find_in(Path::new(MOUNT), &own, std::process::id())
    }

    /// The same below a mount, by the groups of the process as the system lists them. A line of version 2 is there on
    /// systems that bound memory by version 1, too.
    fn find_in(mount: &Path, own: &str, process: u32) -> Option<Self> {
        let path = own.lines().find_map(|line| line.strip_prefix("0::/"))?;
        // one outside of the namespace of groups is not at that place of the mount
        let is_below = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
        if is_below { Self::take(&mount.join(path), process).ok() } else { None }
    }

    fn take(group: &Path, process: u32) -> io::Result<Self> {
        let not_ours = |why| io::Error::new(io::ErrorKind::Unsupported, why);
        let controllers = fs::read_to_string(group.join("cgroup.controllers"))?;
        let has = |name| controllers.split_whitespace().any(|controller| controller == name);
        if !has("memory") || !has("pids") {
            return Err(not_ours("it does not bound memory"));
        }
        let processes = fs::read_to_string(group.join("cgroup.procs"))?;
        if processes.split_whitespace().ne([process.to_string().as_str()]) {
            return Err(not_ours("others are in it"));
        }
        let below = group.join("service");
        fs::create_dir_all(&below)?;
        fs::write(below.join("cgroup.procs"), process.to_string())?;
        if let Err(error) = fs::write(group.join("cgroup.subtree_control"), "+memory +pids") {
            // as it was
            fs::write(group.join("cgroup.procs"), process.to_string())?;
            return Err(error);
        }
        Ok(Self(group.to_owned()))
    }

    /// A group for the processes of a job, of which one is there already.
    pub(super) fn enclose(&self, process: u32, memory_bytes: u64) -> io::Result<JobGroup> {
        let group = JobGroup(self.0.join(format!("job-{process}")));
        fs::create_dir(&group.0)?;
        fs::write(group.0.join("memory.max"), memory_bytes.to_string())?;
        // without it, memory beyond the limit would be moved to the disk; the kernel may not have it
        let _ = fs::write(group.0.join("memory.swap.max"), "0");
        // both processes or none
        fs::write(group.0.join("memory.oom.group"), "1")?;
        fs::write(group.0.join("pids.max"), MAX_JOB_THREADS.to_string())?;
        fs::write(group.0.join("cgroup.procs"), process.to_string())?;
        Ok(group)
    }
}

/// The group of a job; dropping it removes it, once its processes are gone.
#[derive(Debug)]
pub(super) struct JobGroup(PathBuf);

impl JobGroup {
    /// Whether the kernel has ended processes of it because they took too much memory.
    pub(super) fn has_exceeded_memory(&self) -> bool {
        let events = fs::read_to_string(self.0.join("memory.events")).unwrap_or_default();
        let kills = events.lines().find_map(|line| line.strip_prefix("oom_kill ")?.trim().parse::<u64>().ok());
        kills.is_some_and(|kills| kills > 0)
    }
}

impl Drop for JobGroup {
    fn drop(&mut self) {
        // one that still has a process is left to the end of the service's own group
        let _ = fs::remove_dir(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder that looks like a group.
    fn group(controllers: &str, processes: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in
            [("cgroup.controllers", controllers), ("cgroup.procs", processes), ("cgroup.subtree_control", "")]
        {
            fs::write(folder.path().join(name), text).unwrap();
        }
        folder
    }

    #[test]
    fn a_group_is_taken_that_is_ours_alone() {
        let read = |path: &Path| fs::read_to_string(path).unwrap();
        let folder = group("cpu memory pids", "7\n");
        let taken = ControlGroup::take(folder.path(), 7).unwrap();
        assert_eq!(read(&folder.path().join("service/cgroup.procs")), "7");
        assert_eq!(read(&folder.path().join("cgroup.subtree_control")), "+memory +pids");
        let job = taken.enclose(8, 1 << 30).unwrap();
        let at = |name: &str| folder.path().join("job-8").join(name);
        assert_eq!((read(&at("memory.max")), read(&at("cgroup.procs"))), ("1073741824".to_owned(), "8".to_owned()));
        assert_eq!((read(&at("memory.oom.group")), read(&at("pids.max"))), ("1".to_owned(), "4096".to_owned()));
        assert!(!job.has_exceeded_memory());
        fs::write(at("memory.events"), "low 0\noom 1\noom_kill 2\n").unwrap();
        assert!(job.has_exceeded_memory());
        for folder in [group("cpu", "7\n"), group("memory pids", "7\n9\n"), group("memory pids", "9\n")] {
            assert!(ControlGroup::take(folder.path(), 7).is_err());
            assert!(!folder.path().join("service").exists(), "nothing is changed");
        }
    }

    #[test]
    fn the_group_of_this_process_is_found_by_its_line_of_version_2() {
        let mount = tempfile::tempdir().unwrap();
        let unit = group("memory pids", "7\n");
        let place = mount.path().join("system.slice/offprint.service");
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        fs::rename(unit.path(), &place).unwrap();
        let find = |own: &str| ControlGroup::find_in(mount.path(), own, 7);
        for own in [
            "",
            // version 1 alone, or with a version 2 that bounds no memory
            "4:memory:/system.slice/offprint.service\n1:cpu:/\n",
            "4:memory:/system.slice/offprint.service\n0::/\n",
            "0::/system.slice/other.service\n",
            "0::/../system.slice/offprint.service\n",
        ] {
            assert_eq!(find(own), None, "{own}");
        }
        assert_eq!(find("1:name=systemd:/x\n0::/system.slice/offprint.service\n"), Some(ControlGroup(place)));
    }
}
