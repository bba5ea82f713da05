//! The queue: caps, and turns between organizations. What workers do with its tasks is in `lease`.
//!
//! A party is one organization's work of one kind. Parties that may run one more are in `ready`, in the order of the
//! last turn, so the next one to be served is always the first row, however long any queue is. A running task counts
//! as running until it ends, even while no worker has it.

use serde::{Deserialize, Serialize};

use super::super::rows::{StoreRows, Transaction, load_row, row_key, sortable_number};
use super::super::work::WAITING;
use super::{Caps, StoreCounts, StoreError, Time, WorkKind, archives};

/// A piece of work in the queue.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Task {
    pub(super) kind: WorkKind,
    #[serde(rename = "organisation")]
    pub(super) organization: String,
    pub(super) id: String,
    pub(super) order: u64,
    #[serde(default)]
    pub(super) running: bool,
    #[serde(default)]
    pub(super) fence: u64,
    /// The end of the lease.
    pub(super) until: Option<Time>,
    #[serde(default)]
    pub(super) crashes: u32,
    #[serde(default)]
    pub(super) interruptions: u32,
    #[serde(default)]
    pub(super) delays: u32,
    /// When it is tried again, if it waits for that.
    #[serde(default)]
    pub(super) later: Option<Time>,
    /// The archive that it is about to name.
    pub(super) held: Option<String>,
    /// The process that has the lease, where there are several.
    #[serde(default)]
    pub(super) node: Option<String>,
}

/// One organization's work of one kind.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct Party {
    pub(super) running: u32,
    pub(super) waiting: u32,
    /// Most that run.
    cap: u32,
    /// When it was last served.
    pub(super) turn: u64,
}

impl Party {
    const fn is_ready(&self) -> bool {
        self.waiting > 0 && (self.cap == 0 || self.running < self.cap)
    }
}

/// Whether one more would be accepted.
pub(super) fn room(rows: &dyn StoreRows, organization: &str, kind: WorkKind, caps: Caps) -> Result<(), StoreError> {
    rows.expect(&party_key(organization, kind));
    expect_counts(rows);
    let party = load_row::<Party>(rows, &party_key(organization, kind))?.unwrap_or_default();
    let (running, waiting) = (u64::from(party.running), u64::from(party.waiting));
    // what could run and does not run yet has a place of its own: whether a worker was quick must not show
    let is_full = match (caps.running, caps.waiting) {
        (_, 0) => false,
        (0, most) => waiting >= u64::from(most),
        (run, wait) => running + waiting >= u64::from(run) + u64::from(wait),
    };
    if is_full {
        return Err(StoreError::QueueFull);
    }
    let free = WAITING.saturating_sub(counts(rows)?.waiting);
    if free == 0 {
        return Err(StoreError::Saturated);
    }
    // whoever has more waiting than there are places left leaves these to others: one organization gets half of all
    // places, the next one half of the rest
    if waiting_of(rows, organization)? >= free { Err(StoreError::QueueFull) } else { Ok(()) }
}

/// How much of all kinds an organization has waiting.
fn waiting_of(rows: &dyn StoreRows, organization: &str) -> Result<u64, StoreError> {
    WorkKind::ALL.iter().for_each(|kind| rows.expect(&party_key(organization, *kind)));
    let mut waiting = 0;
    for kind in WorkKind::ALL {
        let party = load_row::<Party>(rows, &party_key(organization, kind))?.unwrap_or_default();
        waiting += u64::from(party.waiting);
    }
    Ok(waiting)
}

/// How much of one kind an organization has running.
pub(super) fn running_of(rows: &dyn StoreRows, organization: &str, kind: WorkKind) -> Result<u32, StoreError> {
    Ok(load_row::<Party>(rows, &party_key(organization, kind))?.map_or(0, |party| party.running))
}

/// How much there is.
pub(super) fn counts(rows: &dyn StoreRows) -> Result<StoreCounts, StoreError> {
    expect_counts(rows);
    let count = |name| load_row::<u64>(rows, &count_key(name));
    Ok(StoreCounts { waiting: count("waiting")?.unwrap_or_default(), running: count("running")?.unwrap_or_default() })
}

/// Puts work at the end of its party's queue.
pub(super) fn enqueue(
    rows: &mut Transaction<'_>,
    kind: WorkKind,
    organization: &str,
    id: &str,
    order: u64,
) -> Result<(), StoreError> {
    let task = Task {
        kind,
        organization: organization.to_owned(),
        id: id.to_owned(),
        order,
        running: false,
        fence: 0,
        until: None,
        crashes: 0,
        interruptions: 0,
        delays: 0,
        later: None,
        held: None,
        node: None,
    };
    rows.touch(kind.lane().word());
    rows.put(waiting_key(&task), &task.id)?;
    rows.put(task_key(kind, id), &task)?;
    count_tasks(rows, 1, 0)?;
    change_party(rows, organization, kind, |party| party.waiting += 1)
}

/// Sets the cap of a party: the settings may have changed since its last job.
pub(super) fn cap(
    rows: &mut Transaction<'_>,
    organization: &str,
    kind: WorkKind,
    caps: Caps,
) -> Result<(), StoreError> {
    change_party(rows, organization, kind, |party| party.cap = caps.running)
}

/// Takes a task out of the queue, wherever it is; its worker's lease is worth nothing any more.
pub(super) fn withdraw(rows: &mut Transaction<'_>, kind: WorkKind, id: &str) -> Result<(), StoreError> {
    let Some(task) = load_row::<Task>(rows, &task_key(kind, id))? else { return Ok(()) };
    if task.running {
        return remove_running_task(rows, &task, None);
    }
    rows.remove(waiting_key(&task));
    rows.remove(task_key(kind, id));
    count_tasks(rows, -1, 0)?;
    change_party(rows, &task.organization, kind, |party| party.waiting = party.waiting.saturating_sub(1))
}

/// Removes a running task; `keeps` is the archive that its record is going to name.
pub(super) fn remove_running_task(
    rows: &mut Transaction<'_>,
    task: &Task,
    keeps: Option<&str>,
) -> Result<(), StoreError> {
    if let Some(until) = task.until {
        rows.remove(until_key(task, until));
    }
    if let Some(later) = task.later {
        rows.remove(later_key(task, later));
    }
    rows.remove(row_key("again", &[task.kind.lane().word(), &sortable_number(task.order), task.kind.word(), &task.id]));
    rows.remove(task_key(task.kind, &task.id));
    if let Some(held) = task.held.as_deref().filter(|held| Some(*held) != keeps) {
        archives::remove_reference(rows, held, &task.id);
    }
    if let Some(archive) = keeps {
        archives::add_reference(rows, archive, &task.id);
    }
    count_tasks(rows, 0, -1)?;
    change_party(rows, &task.organization, task.kind, |party| party.running = party.running.saturating_sub(1))
}

/// Changes a party, and its place among those that are ready.
pub(super) fn change_party(
    rows: &mut Transaction<'_>,
    organization: &str,
    kind: WorkKind,
    change: impl FnOnce(&mut Party),
) -> Result<(), StoreError> {
    let place = |party: &Party| {
        row_key("ready", &[kind.lane().word(), &sortable_number(party.turn), kind.word(), organization])
    };
    let at = party_key(organization, kind);
    let mut party = load_row::<Party>(rows, &at)?.unwrap_or_default();
    if party.is_ready() {
        rows.remove(place(&party));
    }
    change(&mut party);
    if party.is_ready() {
        rows.mark(place(&party));
    }
    rows.put(at, &party)
}

pub(super) fn count_tasks(rows: &mut Transaction<'_>, waiting: i64, running: i64) -> Result<(), StoreError> {
    for (name, change) in [("waiting", waiting), ("running", running)] {
        if change != 0 {
            let at = count_key(name);
            let last = load_row::<u64>(rows, &at)?.unwrap_or_default();
            rows.put(at, &last.saturating_add_signed(change))?;
        }
    }
    Ok(())
}

/// Announces what every change of the queue reads.
pub(super) fn expect_counts(rows: &dyn StoreRows) {
    for name in ["waiting", "running"] {
        rows.expect(&count_key(name));
    }
}

fn count_key(name: &str) -> String {
    row_key("count", &[name])
}

pub(super) fn task_key(kind: WorkKind, id: &str) -> String {
    row_key("task", &[kind.word(), id])
}

pub(super) fn party_key(organization: &str, kind: WorkKind) -> String {
    row_key("party", &[organization, kind.word()])
}

pub(super) fn waiting_key(task: &Task) -> String {
    row_key("waiting", &[task.kind.word(), &task.organization, &sortable_number(task.order)])
}

pub(super) fn later_key(task: &Task, later: Time) -> String {
    row_key("later", &[task.kind.lane().word(), &sortable_number(later.micros()), task.kind.word(), &task.id])
}

pub(super) fn until_key(task: &Task, until: Time) -> String {
    row_key("until", &[task.kind.lane().word(), &sortable_number(until.micros()), task.kind.word(), &task.id])
}
