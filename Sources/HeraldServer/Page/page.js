"use strict";
// The page of a store. All data becomes text nodes, never markup.
const $ = id => document.getElementById(id);
const element = (name, text, members = {}) => Object.assign(document.createElement(name), { textContent: text ?? "" }, members);
const mostRows = 500, minutes = 5;
let token = new URLSearchParams(location.hash.slice(1)).get("token") ?? sessionStorage.getItem("token") ?? "";
if (location.hash.includes("token=")) {
  sessionStorage.setItem("token", token);
  history.replaceState(null, "", location.pathname);
}

// Requests

async function request(path, options = {}) {
  const headers = { ...options.headers, ...(token ? { Authorization: "Bearer " + token } : {}) };
  const answer = await fetch(path, { ...options, headers });
  if (answer.status == 401) return askForToken();
  const lines = (await answer.text()).split("\n").filter(line => line).map(line => JSON.parse(line));
  const failed = lines.find(line => line.error);
  if (failed) throw failed.error;
  return lines;
}
const query = text => request("query?q=" + encodeURIComponent(text));

function askForToken() {
  $("admission").hidden = false;
  $("token").focus();
  throw { message: "this server needs its token" };
}

$("admission").onsubmit = event => {
  event.preventDefault();
  token = $("token").value;
  sessionStorage.setItem("token", token);
  location.reload();
};

function showError(error, text = "") {
  const place = text && error.column && error.line == 1 ? text + "\n" + " ".repeat(error.column - 1) + "^\n" : "";
  $("error").textContent = error ? place + error.message : "";
  $("error").hidden = !error;
  $("query").setAttribute("aria-invalid", String(!!error));
}

// Classes

const counts = new Map();
let schemaText = "", newest = 0;

async function readSchema() {
  const [{ schema }] = await request("schema");
  const names = schema.map(type => type.class).filter(name => !schema.find(type => type.class == name).embedded);
  if (names.join() == schemaText) return;
  schemaText = names.join();
  $("classes").replaceChildren(...names.map(name => {
    const button = element("button", name, { type: "button", onclick: () => follow(name) });
    const count = element("span", "", { className: "count" });
    button.append(" ", count);
    counts.get(name)?.();
    counts.set(name, live(`value (${name}).@count`, (value, _, version) => {
      count.textContent = value;
      button.setAttribute("aria-label", `${name}, ${value} ${value == 1 ? "object" : "objects"}`);
      advance(version);
    }, { token, onerror }));
    const item = element("li");
    item.append(button);
    return item;
  }));
  if (!$("query").value && names.length) follow(new URLSearchParams(location.search).get("q") ?? names[0]);
}

let isReading = false;
function advance(version) {
  if (version <= newest) return;
  newest = version;
  $("state").textContent = "version " + newest;
  if (isReading) return;
  isReading = true;
  setTimeout(() => {
    isReading = false;
    readLog().catch(showError);
    readSchema().catch(showError);
  }, 300);
}

function onerror(error) { $("state").textContent = error.message; }

// Following

let end, text = "", rows, points = [];

function follow(wanted) {
  text = wanted.trim();
  $("query").value = text;
  end?.();
  showError("");
  $("rows").replaceChildren();
  points = [];
  $("title").textContent = text;
  document.title = text + " – Herald";
  showNow();
  if (!text) return;
  end = live(text, (next, event, version) => {
    rows = next;
    if ("value" in event || event.event == "value") points.push({ time: Date.now(), value: next });
    advance(version);
    if (event.event == "deleted") $("title").textContent = text + " (deleted)";
    draw();
  }, { token, onerror: error => (error.code ? onerror(error) : showError(error, text)) });
}

let isDue = false;
/// Draws once in each frame, however many events come.
function draw() {
  if (isDue || !isLive) return;
  isDue = true;
  requestAnimationFrame(() => {
    isDue = false;
    if (isLive) show(rows);
  });
}

$("form").onsubmit = event => {
  event.preventDefault();
  closeCompletions();
  follow($("query").value);
};

// Rows

const isObject = row => row && typeof row == "object" && row.class && row.properties;
const cells = row => isObject(row) ? row.properties
  : row && typeof row == "object" && !Array.isArray(row) && !row.class ? row : { value: row };

function shown(value) {
  if (value === null || value === undefined) return "nil";
  if (typeof value != "object") return String(value);
  if (Array.isArray(value)) return "[" + value.map(shown).join(", ") + "]";
  if (value.class) return `${value.class}#${value.key}`;
  return "{" + Object.entries(value).map(([name, each]) => `${name}: ${shown(each)}`).join(", ") + "}";
}

function show(content) {
  if (content === undefined) return;
  if (points.length) return showValue(content);
  const flat = !Array.isArray(content)
    ? Object.entries(content).map(([key, value]) => ({ key, value }))
    : content.length && content[0]?.rows && "key" in content[0]
      ? content.flatMap(section => [{ section: section.key, count: section.rows.length }, ...section.rows]) : content;
  showTable(flat);
}

function showTable(all) {
  const visible = all.slice(0, mostRows);
  const names = [...new Set(visible.filter(row => !row?.section && !("count" in (row ?? {}) && "section" in row)).flatMap(row => Object.keys(cells(row))))];
  let table = $("rows").querySelector("table");
  if (!table || table.names != names.join()) {
    table = element("table", "", { names: names.join() });
    table.setAttribute("aria-labelledby", "title");
    const head = table.createTHead().insertRow();
    const areNumbers = name => visible.some(row => typeof cells(row)?.[name] == "number");
    names.forEach(name => head.append(element("th", name, { scope: "col", className: areNumbers(name) ? "number" : "" })));
    table.append(element("tbody"));
    $("rows").replaceChildren(table, element("p", "", { className: "more" }));
  }
  const isGrouped = visible.length && !visible.some(isObject);
  const most = {};
  if (isGrouped) for (const name of names) most[name] = Math.max(...visible.map(row => Math.abs(cells(row)[name]) || 0));
  const body = table.tBodies[0], old = new Map(), isFirst = !body.rows.length;
  for (const line of body.rows) if (!line.classList.contains("gone")) old.set(line.identity, line);
  const before = new Map([...old].map(([key, line]) => [key, line.offsetTop]));
  const seen = {};
  let place = body.firstChild;
  visible.forEach(row => {
    let identity = isObject(row) ? `${row.class}#${row.key}` : JSON.stringify(row && "section" in row ? { section: row.section } : groupKey(row, names));
    seen[identity] = (seen[identity] ?? 0) + 1;
    identity += " " + seen[identity];
    const line = old.get(identity) ?? newLine(identity, row);
    if (!old.delete(identity) && !isFirst) line.classList.add("come");
    fill(line, row, names, isGrouped ? most : null);
    while (place?.classList.contains("gone")) place = place.nextSibling;
    if (line == place) place = place.nextSibling; else body.insertBefore(line, place);
  });
  for (const line of old.values()) leave(line);
  slide(body, before);
  $("rows").querySelector(".more").textContent = all.length > mostRows
    ? `${all.length - mostRows} more rows` : all.length ? "" : "0 rows";
}

/// What tells a group from the others: all but its last number, or a value as a whole.
function groupKey(row, names) {
  const values = cells(row), numbers = names.filter(name => typeof values[name] == "number");
  return names.length == numbers.length ? values[names[0]] : names.filter(name => !numbers.includes(name)).map(name => values[name]);
}

function newLine(identity, row) {
  const line = element("tr", "", { identity, texts: [] });
  if (isObject(row)) {
    line.tabIndex = 0;
    line.onclick = () => showHistory(line.row);
    line.onkeydown = event => {
      if (event.key == "Enter") showHistory(line.row);
      if (event.key == "ArrowDown") line.nextSibling?.focus();
      if (event.key == "ArrowUp") line.previousSibling?.focus();
    };
  }
  return line;
}

function fill(line, row, names, most) {
  line.row = row;
  if (row && typeof row == "object" && "section" in row) {
    line.className = "section";
    return line.replaceChildren(element("th", `${shown(row.section)} (${row.count})`, { scope: "rowgroup", colSpan: names.length || 1 }));
  }
  if (isObject(row)) line.setAttribute("aria-label", `${row.class} ${row.key}, show its history`);
  names.forEach((name, index) => {
    const value = cells(row)[name], text = shown(value), cell = line.cells[index] ?? line.insertCell();
    const isNumber = typeof value == "number";
    if (line.texts[index] !== text) {
      cell.textContent = text;
      cell.className = (isNumber ? "number " : "") + (value === null ? "nil " : "");
      if (line.texts[index] !== undefined) flash(cell, "change");
      line.texts[index] = text;
    }
    if (most?.[name] && isNumber && index) {
      const bar = cell.querySelector(".bar") ?? cell.appendChild(element("span", "", { className: "bar" }));
      bar.setAttribute("aria-hidden", "true");
      bar.style.width = Math.abs(value) / most[name] * 100 + "%";
    }
  });
}

function flash(cell, name) {
  cell.classList.remove(name);
  void cell.offsetWidth;
  cell.classList.add(name);
}

function leave(line) {
  line.classList.add("gone");
  line.setAttribute("aria-hidden", "true");
  line.removeAttribute("tabindex");
  setTimeout(() => line.remove(), 500);
}

function slide(body, before) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  for (const line of body.rows) {
    const old = before.get(line.identity), distance = old - line.offsetTop;
    if (old !== undefined && distance && !line.classList.contains("gone")) {
      line.animate([{ transform: `translateY(${distance}px)` }, { transform: "none" }], { duration: 350, easing: "ease-out" });
    }
  }
}

// A value

function showValue(value) {
  const from = Date.now() - minutes * 60000;
  while (points.length > 1 && points[1].time < from) points.shift();
  let number = $("rows").querySelector(".value");
  if (!number) {
    const drawing = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    drawing.setAttribute("viewBox", "0 0 1000 100");
    drawing.setAttribute("preserveAspectRatio", "none");
    drawing.setAttribute("role", "img");
    drawing.append(document.createElementNS("http://www.w3.org/2000/svg", "path"));
    number = element("p", "", { className: "value" });
    $("rows").replaceChildren(number, drawing);
  }
  if (number.textContent != shown(value)) {
    number.textContent = shown(value);
    flash(number, "change");
  }
  const numbers = points.map(point => Number(point.value) || 0), low = Math.min(...numbers), high = Math.max(...numbers);
  const x = time => Math.max(0, (time - from) / (minutes * 60000) * 1000).toFixed(1);
  const y = value => (high == low ? 50 : 95 - (value - low) / (high - low) * 90).toFixed(1);
  let path = `M${x(points[0].time)} ${y(numbers[0])}`;
  points.slice(1).forEach((point, index) => (path += `H${x(point.time)}V${y(numbers[index + 1])}`));
  const drawing = $("rows").querySelector("svg");
  drawing.firstChild.setAttribute("d", path + "H1000");
  drawing.setAttribute("aria-label", `the last ${minutes} minutes, from ${low} to ${high}`);
}
setInterval(() => points.length && draw(), 1000);

// Versions

let commits = [], isLive = true;

async function readLog() {
  const [{ result }] = await request("log?n=200");
  commits = result.reverse();
  $("version").max = commits.length;
  if (isLive) $("version").value = commits.length;
}

function showNow() {
  isLive = true;
  $("version").value = commits.length;
  $("moment").textContent = "now";
  draw();
}

let wanted;
async function showVersion(index) {
  const commit = commits[index];
  if (!commit) return showNow();
  isLive = false;
  wanted = commit.version;
  const message = commit.message ? ": " + commit.message : "";
  $("moment").textContent = `version ${commit.version}, ${new Date(commit.time).toLocaleString()}${message}`;
  try {
    const source = text.replace(/^value /, "").replace(/( by .*| sections .*)?$/, tail => ` at ${commit.version}${tail}`);
    const [answer] = await query(text.startsWith("group ") || text.includes(" sections ") ? text + ` at ${commit.version}` : "show " + source);
    if (isLive || wanted != commit.version) return;
    const result = answer.result;
    if (points.length) $("rows").querySelector(".value").textContent = shown(Array.isArray(result) ? result[0] : result);
    else show(result);
    showError("");
  } catch (error) { showError({ message: error.message }); }
}

$("version").oninput = () => showVersion(+$("version").value);
$("now").onclick = showNow;

// The history of a row

async function showHistory(row) {
  const name = `${row.class}#${typeof row.key == "string" ? JSON.stringify(row.key) : row.key}`;
  $("history-title").textContent = "History of " + name;
  $("changes").replaceChildren();
  $("history").hidden = false;
  try {
    const [{ result }] = await query("log 20 " + name);
    for (const commit of result) {
      const [{ result: { changes } }] = await request("log?version=" + commit.version);
      const change = changes.find(each => each.class == row.class && each.key == row.key) ?? {};
      const item = element("li"), said = change.inserted ? "added " + shown(change.inserted)
        : change.deleted ? "deleted" : Object.entries(change.modified ?? {}).map(([property, [old, now]]) => `${property}: ${shown(old)} → ${shown(now)}`).join(", ");
      const index = commits.findIndex(each => each.version == commit.version);
      const button = element("button", String(commit.version), { type: "button", onclick: () => { $("version").value = index; showVersion(index); } });
      button.setAttribute("aria-label", `Show version ${commit.version}`);
      item.append(button, `${new Date(commit.time).toLocaleTimeString()}  ${said}`);
      $("changes").append(item);
    }
  } catch (error) { showError(error); }
  $("close").focus();
}
$("close").onclick = () => {
  $("history").hidden = true;
  $("query").focus();
};

// Undo

$("undo").onclick = async () => {
  try {
    const [answer] = await request("write", { method: "POST", headers: { "Content-Type": "application/x-herald" }, body: "undo" });
    showError("");
    advance(answer.version);
  } catch (error) { showError(error); }
};

// Completion

let offers = [], chosen = -1, asked = 0;

async function complete() {
  const typed = $("query").value.slice(0, $("query").selectionStart), number = ++asked;
  try {
    const [found] = await request("complete?q=" + encodeURIComponent(typed));
    if (number != asked) return;
    offers = found.filter(offer => offer.text != new TextDecoder().decode(new TextEncoder().encode(typed).slice(offer.start))).slice(0, 30);
  } catch { offers = []; }
  chosen = -1;
  $("completions").replaceChildren(...offers.map((offer, index) => {
    const item = element("li", offer.text, { id: "offer" + index, onmousedown: event => { event.preventDefault(); accept(index); } });
    item.setAttribute("role", "option");
    item.setAttribute("aria-selected", "false");
    return item;
  }));
  $("completions").hidden = !offers.length;
  $("query").setAttribute("aria-expanded", String(!!offers.length));
}

function choose(index) {
  chosen = (index + offers.length) % offers.length;
  [...$("completions").children].forEach((item, at) => item.setAttribute("aria-selected", String(at == chosen)));
  $("completions").children[chosen].scrollIntoView({ block: "nearest" });
  $("query").setAttribute("aria-activedescendant", "offer" + chosen);
}

function accept(index) {
  const input = $("query"), { start, text, suffix } = offers[index];
  // Offsets are of UTF-8.
  const before = new TextDecoder().decode(new TextEncoder().encode(input.value).slice(0, start)) + text + suffix;
  input.setRangeText(before, 0, input.selectionStart, "end");
  complete();
}

function closeCompletions() {
  asked++;
  offers = [];
  $("completions").hidden = true;
  $("query").setAttribute("aria-expanded", "false");
  $("query").removeAttribute("aria-activedescendant");
}

$("query").oninput = complete;
$("query").onblur = closeCompletions;
$("query").onkeydown = event => {
  if (!offers.length) {
    if (event.key == "ArrowDown") complete();
    return;
  }
  switch (event.key) {
    case "ArrowDown": choose(chosen + 1); break;
    case "ArrowUp": choose(chosen - 1 < -1 ? -1 : chosen - 1); break;
    case "Escape": closeCompletions(); break;
    case "Tab":
    case "Enter":
      if (chosen < 0 && event.key == "Enter") return;
      accept(Math.max(chosen, 0));
      break;
    default: return;
  }
  event.preventDefault();
};
document.onkeydown = event => {
  if (event.key == "/" && !event.target.matches("input")) {
    event.preventDefault();
    $("query").focus();
  }
};

readSchema().then(readLog).catch(error => {
  $("state").textContent = error.message;
});
