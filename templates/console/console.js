// Keeps the exports of a page up to date, and asks before what cannot be undone. Without it the pages work, too.
const rows = new Map([...document.querySelectorAll('[data-export]')].map((row) => [row.dataset.export, row]));
const isOver = (status) => status === 'completed' || status === 'failed';

if ([...rows.values()].some((row) => !isOver(row.dataset.status))) {
  const events = new EventSource('/console/events');
  events.addEventListener('exports', ({ data }) => {
    for (const { id, status, progress, pages } of JSON.parse(data)) {
      const row = rows.get(id);
      if (!row || isOver(row.dataset.status)) continue;
      if (isOver(status)) {
        // what it has found stands on the page that the service writes
        events.close();
        location.reload();
        return;
      }
      row.dataset.status = status;
      const label = row.querySelector('.status');
      if (label.textContent !== status) Object.assign(label, { className: `status ${status}`, textContent: status });
      const bar = row.querySelector('progress');
      if (bar) bar.value = progress;
      const count = row.querySelector('[data-pages]');
      if (count) count.textContent = pages;
    }
  });
}

document.addEventListener('submit', (event) => {
  const question = event.submitter?.dataset.confirm;
  if (question && !confirm(question)) event.preventDefault();
});
