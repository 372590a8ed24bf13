// The page: what changes asks the server, and what the server says is drawn.

import * as editors from "./editors.js";
import * as panels from "./panels.js";
import { add, drawRow, setKnown, setSteps } from "./row.js";
import { $, ask, fragment, h, passes, restore, show, state, take } from "./state.js";

const TABS = { ir: "IR", pictures: "Pictures", explain: "Explain", schedule: "Schedule", follow: "Follow" };
const WAIT = 200, LONG = 20_000;
let source, ir;
let strategies = {};
let shown = null;
let last = {};
let trail = null;
let assembly = null, outcome = null;

// One request is on its way, and the newest of those behind it waits.
let busy = false, again = null, since = 0;
const work = new Set();

function working(name, on) {
  on ? work.add(name) : work.delete(name);
  $("progress").className = work.size ? "on" : "";
  $("stop").hidden = !work.size;
  if (work.size && !since) since = performance.now();
  if (!work.size) since = 0;
}

function say(text, wrong = false) {
  $("status").textContent = text;
  $("status").className = wrong ? "wrong" : "dim";
}

async function refresh(also) {
  if (busy) { again = also ?? again ?? []; return; }
  busy = true;
  const began = performance.now();
  working("passes", true);
  const wanted = [...(also ?? []), ...({ pictures: ["pictures"], schedule: ["schedules"] }[state.tab] ?? [])];
  // Of a long text the IR is shown before it is compared.
  const isLong = state.text.length > LONG;
  let found = await show({ also: wanted, compared: !isLong });
  took(found);
  const until = performance.now() - began;
  if (found.shown?.partly && again === null) took(found = await show({ also: wanted }));
  if (!found.error && !found.problems && again === null && found.steps.length < passes().length) {
    // To know what the others change, after what is looked at is there.
    took(await show({ rest: true }));
  }
  document.body.dataset.milliseconds = until.toFixed(0);
  if (!last.error && !last.problems) say(`${until.toFixed(0)} ms`);
  working("passes", false);
  busy = false;
  if (again !== null) { const next = again; again = null; refresh(next); } else document.body.dataset.ready = String(Number(document.body.dataset.ready ?? 0) + 1);
}

function took(found) {
  if (found.error) { last = found; say(found.error, true); return; }
  if (found.shown) shown = { ...found.shown, pictures: found.pictures };
  const before = last;
  last = { ...found, schedules: found.schedules ?? before.schedules };
  const problems = found.problems ?? [];
  // What the passes did to the text before still says most.
  if (problems[0]?.step !== 0) setSteps(found.steps, problems[0]?.step ?? -1);
  drawProblems(problems);
  drawRow(changed);
  drawResult(Boolean(found.shown));
  if (state.follow) follow(state.follow);
}

function drawProblems(problems) {
  editors.setProblems(source, problems);
  $("problems").hidden = !problems.length;
  const said = (one) => {
    const where = one.line ? `${state.name}:${one.line}:${one.column}: ` : "";
    const by = one.step ? `${(passes()[one.step - 1] ?? "").split(/[{(]/, 1)[0]}: ` : "";
    return h("li", {}, h("button", { onclick: () => editors.goTo(source, one.line, one.column) }, `${where}${one.kind}: ${by}${one.text}`));
  };
  $("problems").replaceChildren(...problems.map(said));
  if (problems.length) say(problems[0].step ? "A pass refuses the IR" : "The source has an error", true);
}

const side = () => (state.side === "before" && shown?.before) || shown?.after;

function drawResult(isNew) {
  const isText = state.tab === "ir";
  for (const each of $("tabs").children) each.setAttribute("aria-selected", String(each.dataset.tab === state.tab));
  $("ir").hidden = $("op").hidden = !isText;
  $("other").hidden = isText;
  $("sides").hidden = $("next").hidden = $("kinds").hidden = !isText;
  for (const each of $("sides").children) each.setAttribute("aria-pressed", String(each.dataset.side === state.side));
  if (isText) { drawIr(isNew); return; }
  const inSource = (line, column) => editors.goTo(source, line, column);
  const chosen = (number) => { state.at = rowAt(number); state.tab = "ir"; changed("at"); };
  const made = {
    pictures: () => panels.pictures(shown?.pictures),
    explain: () => panels.explained(last.notes, inSource),
    schedule: () => panels.schedules(last.schedules, strategies, () => changed("row")),
    follow: () => panels.followed(trail, chosen, assembly),
  }[state.tab]();
  $("other").replaceChildren(...made);
}

// How many of the row come before what is shown after so many passes that are on.
function rowAt(number) {
  let seen = 0;
  for (let index = 0; index < state.row.length; index++) {
    if (!state.row[index].off && ++seen === number) return index + 1;
  }
  return 0;
}

function drawIr(isNew) {
  const now = side();
  if (!now) return;
  if (isNew || ir.state.doc.toString() !== now.text) editors.setText(ir, now.text);
  drawMarks();
  const kinds = new Map();
  for (const [first, , , kind] of now.ops) if (first && kind) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  const parts = [...kinds].map(([kind, count]) => h("span", { class: `kind ${kind}` }, `${count} ${kind}`));
  const isOld = last.problems?.length;
  $("kinds").replaceChildren(...(isOld ? ["as it was before the error"] : shown.partly ? ["comparing …"] : parts.length ? parts : [state.at ? "no op changed" : "as it is read"]));
  $("next").disabled = !kinds.size;
  $("sides").hidden = !shown.before;
}

function drawMarks() {
  const now = side();
  if (!now) return;
  const found = now.ops.filter((op) => op[0] && op[3]).map((op) => [op[0], op[3], op[5]]);
  editors.setLines(ir, found, now.ops.filter((op) => op[0] && panels.comes(op[2])).map((op) => op[0]));
  editors.setLines(source, [], state.follow ? [state.follow[0]] : []);
}

function opAt(line) {
  let best = null;
  for (const op of side()?.ops ?? []) if (op[0] && op[0] <= line && line <= op[1] && (!best || op[0] >= best[0])) best = op;
  return best;
}

function lookedAt(line) {
  const op = opAt(line);
  if (!op) return;
  const where = op[2].map((one) => one.join(":")).join(", ");
  const other = state.side === "before" ? "after" : "before";
  const lines = op[4].map((one) => shown[other]?.ops[one]?.[0]).filter(Boolean).join(", ");
  $("op").textContent = [op[3] && `${op[3]}: ${op[5]}${lines ? ` (${other}: line ${lines})` : ""}`, where ? `source ${where}` : "it comes from no place of the source"].filter(Boolean).join(" · ");
  if (op[2].length) follow(op[2][0], true);
}

let following = null;
async function follow(at, reveals = false) {
  following = at;
  const found = await ask("follow", { place: at });
  if (following !== at || found.error) return;
  const place = found.place;
  const isOther = !state.follow || String(place) !== String(state.follow);
  state.follow = place;
  trail = found;
  $("followed-note").textContent = place ? `following the op at ${place.join(":")}` : "";
  if (isOther || reveals) drawMarks();
  if (isOther && outcome) panels.drawOutcome(outcome);
  if (state.tab === "follow") drawResult(false);
  if (isOther && !reveals) {
    const first = side()?.ops.find((op) => op[0] && panels.comes(op[2]));
    if (first) editors.reveal(ir, first[0]);
  } else if (isOther && place) editors.reveal(source, place[0]);
  if (isOther) remember();
}

let saving = 0;
function remember() {
  clearTimeout(saving);
  saving = setTimeout(async () => history.replaceState(null, "", `#${await fragment()}`), 300);
}

let typing = 0;
function changed(what) {
  remember();
  if (what === "view") { drawRow(changed); drawResult(false); return; }
  if (what === "text") {
    clearTimeout(typing);
    typing = setTimeout(() => { refresh(); panels.drawArguments(); }, WAIT);
    return;
  }
  if (what !== "tab") drawRow(changed);
  refresh();
}

async function running() {
  panels.readRun();
  remember();
  $("go").disabled = true;
  working("run", true);
  const tick = setInterval(() => { $("go").textContent = `Running, ${((performance.now() - since) / 1e3).toFixed(1)} s`; }, 100);
  const found = await panels.run();
  clearInterval(tick);
  working("run", false);
  $("go").textContent = "Run";
  $("go").disabled = false;
  assembly = found.assembly?.lines ? found.assembly : null;
  outcome = found;
  panels.drawOutcome(found);
  if (state.tab === "follow") drawResult(false);
  $("outcome").dataset.runs = String(Number($("outcome").dataset.runs ?? 0) + 1);
}

async function copyLink() {
  const hash = await fragment();
  history.replaceState(null, "", `#${hash}`);
  try {
    await navigator.clipboard.writeText(location.href);
    say("The link is copied: gs-explore LINK opens it elsewhere");
  } catch { say("The link is in the address bar: gs-explore LINK opens it elsewhere"); }
}

function theme(name) {
  document.documentElement.dataset.theme = name;
  try { localStorage.setItem("theme", name); } catch { /* No storage: until the page is left. */ }
}

function draw() {
  document.title = `${state.name} – gs-explore`;
  $("name").textContent = state.name;
  $("changing").checked = state.changing;
  panels.writeRun();
  editors.setText(source, state.text);
  panels.drawArguments();
  changed("row");
}

async function start() {
  let kept = null;
  try { kept = localStorage.getItem("theme"); } catch { /* No storage. */ }
  theme(kept ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));
  working("start", true);
  const found = await ask("start");
  working("start", false);
  if (found.error && !found.state) { say(found.error, true); return; }
  setKnown(found.passes ?? []);
  strategies = found.strategies ?? {};
  take({ row: (found.row ?? []).map((text) => ({ text, off: false })), ...found.state });
  if (location.hash.length > 1) {
    try { await restore(location.hash.slice(1)); } catch { say("The link holds nothing that can be read", true); }
  }
  source = editors.makeSource($("editor"), state.text, (text) => { if (text !== state.text) { state.text = text; changed("text"); } }, (at) => follow(at));
  ir = editors.makeListing($("ir"), lookedAt);
  $("tabs").replaceChildren(...Object.entries(TABS).map(([tab, text]) => h("button", { role: "tab", "data-tab": tab, onclick: () => { state.tab = tab; drawResult(false); changed("tab"); } }, text)));
  $("sides").replaceChildren(...["after", "before"].map((each) => h("button", { "data-side": each, onclick: () => { state.side = each; remember(); drawResult(true); } }, each)));
  $("next").addEventListener("click", () => {
    const now = ir.state.doc.lineAt(ir.state.selection.main.head).number;
    const lines = side().ops.filter((op) => op[0] && op[3]).map((op) => op[0]).sort((a, b) => a - b);
    const line = lines.find((one) => one > now) ?? lines[0];
    if (line) { editors.goTo(ir, line); lookedAt(line); }
  });
  $("changing").addEventListener("change", () => { state.changing = $("changing").checked; changed("view"); });
  $("add").addEventListener("click", () => add(false, (text) => say(text, true), changed));
  $("replace").addEventListener("click", () => add(true, (text) => say(text, true), changed));
  $("add-text").addEventListener("keydown", (event) => { if (event.key === "Enter") add(false, (text) => say(text, true), changed); });
  $("run").addEventListener("submit", (event) => { event.preventDefault(); running(); });
  $("run").addEventListener("change", () => { panels.readRun(); remember(); });
  $("run-entry").addEventListener("change", panels.drawArguments);
  $("stop").addEventListener("click", () => ask("stop"));
  $("link").addEventListener("click", copyLink);
  $("theme").addEventListener("click", () => theme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));
  addEventListener("hashchange", async () => {
    try { await restore(location.hash.slice(1)); draw(); } catch { say("The link holds nothing that can be read", true); }
  });
  if (found.error) say(found.error, true);
  draw();
}

start();
