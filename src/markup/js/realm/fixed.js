// ---- the same on every day and machine

/** Whether something asked for the time. */
let timed = false;
const now = () => {
  timed = true;
  return moment;
};
const NativeDate = Date;
const zoned = (value) => {
  const text = String(value).slice(0, 100);
  return NativeDate.parse(/^\d{4}(-\d\d){0,2}$|Z$|[+-]\d\d:?\d\d$|GMT|UTC/.test(text) ? text : /^\d{4}-\d\d-\d\dT/.test(text) ? text + 'Z' : text + ' UTC');
};
globalThis.Date = function Date(...args) {
  if (!new.target) return new Date().toString();
  let time;
  if (args.length > 1) time = NativeDate.UTC(...args);
  else if (args.length > 0) time = typeof args[0] === 'string' ? zoned(args[0]) : args[0];
  else time = now();
  return construct(NativeDate, [time], new.target);
};
Date.prototype = NativeDate.prototype;
hide(Date.prototype, 'constructor', Date);
hide(Date, 'UTC', NativeDate.UTC);
hide(Date, 'now', () => now());
hide(Date, 'parse', zoned);
const PARTS = ['FullYear', 'Month', 'Date', 'Day', 'Hours', 'Minutes', 'Seconds', 'Milliseconds'];
for (let at = 0; at < PARTS.length; at++) {
  hide(Date.prototype, 'get' + PARTS[at], NativeDate.prototype['getUTC' + PARTS[at]]);
  if (PARTS[at] !== 'Day') hide(Date.prototype, 'set' + PARTS[at], NativeDate.prototype['setUTC' + PARTS[at]]);
}
const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const two = (number, style) => (style === '2-digit' ? String(number % 100).padStart(2, '0') : String(number));
const NUMERIC = { year: 'numeric', month: 'numeric', day: 'numeric' };
const dateText = (date, options = NUMERIC) => {
  if (isNaN(date)) return 'Invalid Date';
  const day = options.day && two(date.getUTCDate(), options.day);
  const year = options.year && two(date.getUTCFullYear(), options.year);
  const weekday = options.weekday && (options.weekday === 'long' ? DAYS[date.getUTCDay()] : DAYS[date.getUTCDay()].slice(0, 3));
  let text;
  if (options.month === 'long' || options.month === 'short') {
    const month = options.month === 'long' ? MONTHS[date.getUTCMonth()] : MONTHS[date.getUTCMonth()].slice(0, 3);
    text = (day ? month + ' ' + day : month) + (year ? (day ? ', ' : ' ') + year : '');
  } else {
    text = [options.month && two(date.getUTCMonth() + 1, options.month), day, year].filter(Boolean).join('/');
  }
  return weekday ? (text ? weekday + ', ' + text : weekday) : text;
};
const timeText = (date) => (date.getUTCHours() % 12 || 12) + ':' + two(date.getUTCMinutes(), '2-digit') + ':' + two(date.getUTCSeconds(), '2-digit') + ' ' + (date.getUTCHours() < 12 ? 'AM' : 'PM');
const DATES = {
  getTimezoneOffset() { return 0; },
  getYear() { return this.getUTCFullYear() - 1900; },
  toString() { return this.toUTCString(); },
  toDateString() { return this.toUTCString().slice(0, 16); },
  toTimeString() { return this.toUTCString().slice(17); },
  toLocaleDateString(_locale, options) { return dateText(this, options); },
  toLocaleTimeString() { return timeText(this); },
  toLocaleString(_locale, options) { return options ? dateText(this, options) : dateText(this) + ', ' + timeText(this); },
};
for (const name in DATES) hide(Date.prototype, name, DATES[name]);
drop(Date.prototype, ['setYear']);
hide(Number.prototype, 'toLocaleString', { toLocaleString(_locale, options = {}) {
  const percent = options.style === 'percent';
  const money = options.style === 'currency';
  const most = options.maximumFractionDigits ?? (percent ? 0 : money ? 2 : max(3, options.minimumFractionDigits ?? 0));
  const least = options.minimumFractionDigits ?? (money ? min(2, most) : 0);
  const value = Number(this) * (percent ? 100 : 1);
  if (!isFinite(value)) return String(value);
  let [whole, part = ''] = Math.abs(value).toFixed(min(most, 20)).split('.');
  while (part.length > least && part.endsWith('0')) part = part.slice(0, -1);
  if (options.useGrouping !== false) whole = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  const sign = value < 0 ? '-' : '';
  const symbol = money ? ({ USD: '$', EUR: '€', GBP: '£', JPY: '¥' }[options.currency] ?? options.currency + ' ') : '';
  return sign + symbol + whole + (part && '.' + part) + (percent ? '%' : '');
} }.toLocaleString);
globalThis.Intl = {
  NumberFormat: class {
    constructor(locale, options) { this.format = (value) => Number(value).toLocaleString(locale, options); }
  },
  DateTimeFormat: class {
    constructor(locale, options) { this.format = (date) => dateText(new Date(date ?? now()), options); }
  },
};
let seed = 0x2545f491;
Math.random = () => {
  seed ^= seed << 13;
  seed ^= seed >>> 17;
  seed ^= seed << 5;
  return (seed >>> 0) / 4294967296;
};
