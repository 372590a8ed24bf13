// The row of passes, and the form of the pass that is chosen.

import { $, ask, h, state } from "./state.js";

let known = new Map();
let steps = [];
let failed = -1;

const nameOf = (text) => text.split(/[{(]/, 1)[0].trim();

// `a=1 b={x y} c` as pairs.
function optionsOf(text) {
  const inside = /^[^{(]*\{([\s\S]*)\}$/.exec(text.trim())?.[1] ?? "";
  const found = new Map();
  let at = 0;
  while (at < inside.length) {
    if (/\s/.test(inside[at])) { at++; continue; }
    const start = at;
    let depth = 0;
    while (at < inside.length && (depth || !/\s/.test(inside[at]))) {
      depth += (inside[at] === "{") - (inside[at] === "}");
      at++;
    }
    const [name, ...rest] = inside.slice(start, at).split("=");
    found.set(name, rest.length ? rest.join("=").replace(/^\{([\s\S]*)\}$/, "$1") : "true");
  }
  return found;
}

function withOption(text, name, value) {
  const found = optionsOf(text);
  if (value === "") found.delete(name);
  else found.set(name, value);
  const spelled = (one) => (/[\s,{}()=]/.test(one) || !one ? `{${one}}` : one);
  const inside = [...found].map(([key, one]) => `${key}=${spelled(one)}`).join(" ");
  return nameOf(text) + (inside ? `{${inside}}` : "");
}

export function setKnown(passes) {
  known = new Map(passes.map((one) => [one.name, one]));
  $("known").replaceChildren(...passes.map((one) => h("option", { value: one.name }, one.doc)));
}

// `computed`: time and effect of each pass that is on and has run; `at`: which failed, from 1.
export function setSteps(computed, at) {
  steps = computed;
  failed = at;
}

const move = (from, to) => {
  if (from === to || to < 0 || to >= state.row.length) return;
  const [one] = state.row.splice(from, 1);
  state.row.splice(to, 0, one);
  state.at = to + 1;
};

let dragged = -1;

export function drawRow(changed) {
  let number = 0;
  const hidden = [];
  const items = [];
  const chosen = document.activeElement?.closest?.("#row") ? state.at : -1;
  const flush = () => {
    if (!hidden.length) return;
    const names = hidden.splice(0);
    const all = () => { $("changing").checked = state.changing = false; changed("view"); };
    items.push(h("li", {}, h("button", { class: "gap", title: `Without a change: ${names.join(", ")}`, "aria-label": `${names.length} passes without a change: show them`, onclick: all }, `·${names.length}·`)));
  };
  items.push(h("li", {}, chip(0, "source", "", () => { state.at = 0; changed("at"); })));
  state.row.forEach((one, index) => {
    const step = one.off ? null : steps[number];
    const isFailed = !one.off && number + 1 === failed;
    if (!one.off) number++;
    const still = step && !step.changed;
    if (state.changing && still && state.at !== index + 1) { hidden.push(nameOf(one.text)); return; }
    flush();
    const kinds = [one.off && "off", still && "still", isFailed && "failed"].filter(Boolean).join(" ");
    const item = h("li", { draggable: "true" }, chip(index + 1, label(one.text), kinds, () => { state.at = index + 1; changed("at"); }, step, one));
    item.addEventListener("dragstart", (event) => { dragged = index; event.dataTransfer.setData("text/plain", one.text); });
    item.addEventListener("dragover", (event) => { event.preventDefault(); item.classList.add("over"); });
    item.addEventListener("dragleave", () => item.classList.remove("over"));
    item.addEventListener("drop", (event) => {
      event.preventDefault();
      if (dragged < 0) return;
      move(dragged, dragged < index ? index - 1 : index);
      dragged = -1;
      changed("row");
    });
    item.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!by) return;
      event.preventDefault();
      if (event.altKey) { move(index, index + by); changed("row"); } else {
        state.at = Math.max(0, Math.min(state.row.length, state.at + by));
        changed("at");
      }
    });
    items.push(item);
  });
  flush();
  $("row").replaceChildren(...items);
  const now = $("row").querySelector('[aria-pressed="true"]');
  if (chosen >= 0) now?.focus();
  now?.scrollIntoView({ block: "nearest" });
  const effective = steps.filter((one) => one.changed).length;
  const seconds = steps.reduce((sum, one) => sum + one.seconds, 0);
  $("counts").textContent = steps.length ? `${effective} of ${steps.length} change something, ${(seconds * 1e3).toFixed(seconds < 0.1 ? 1 : 0)} ms` : "";
  drawPass(changed);
}

export function label(text) {
  const name = nameOf(text);
  const inner = /^(?:gs-if|func\.func)(?:\{[^}]*\})?\(([\s\S]*)\)$/.exec(text);
  if (!inner) return name;
  return `${inner[1].split(/[{,(]/, 1)[0]}${inner[1].includes(",") ? ", …" : ""}${name === "gs-if" ? " ?" : ""}`;
}

function chip(number, text, kinds, chosen, step, one) {
  const time = step ? `${(step.seconds * 1e3).toFixed(2)} ms${step.changed ? "" : ", no change"}` : one?.off ? "off" : "";
  return h("button", {
    class: `chip ${kinds}`, "aria-pressed": String(state.at === number), onclick: chosen,
    title: one ? `${one.text}${time ? `\n${time}` : ""}` : "The IR as it is read",
  }, text);
}

function drawPass(changed) {
  const index = state.at - 1;
  const one = state.row[index];
  $("pass").hidden = !one;
  if (!one || $("pass").contains(document.activeElement) && $("pass").dataset.text === one.text) return;
  $("pass").dataset.text = one.text;
  const about = known.get(label(one.text).replace(" ?", "")) ?? known.get(nameOf(one.text));
  const edit = (text) => { one.text = text; $("pass").dataset.text = text; changed("row"); };
  const given = optionsOf(one.text);
  const options = (about?.name === nameOf(one.text) ? about.options : []).map((option) => {
    const set = (event) => {
      const input = event.target;
      edit(withOption(one.text, option.name, input.type === "checkbox" ? String(input.checked) : input.value.trim()));
    };
    const value = given.get(option.name) ?? "";
    let input;
    if (option.type === "bool") {
      input = h("input", { type: "checkbox", checked: (value || option.default) === "true", onchange: set });
    } else if (option.type.includes("|")) {
      input = h("select", { onchange: set }, option.type.split("|").map((each) => h("option", { selected: each === (value || option.default) }, each)));
    } else {
      input = h("input", { class: "mono", value, placeholder: option.default, size: 10, onchange: set, spellcheck: "false" });
    }
    return h("label", { title: `${option.help} (${option.type})` }, option.name, input);
  });
  const button = (text, act, disabled = false) => h("button", { onclick: act, disabled }, text);
  $("pass").replaceChildren(...[
    about && h("p", {}, about.doc),
    h("label", { class: "check" }, h("input", { type: "checkbox", checked: !one.off, onchange: (event) => { one.off = !event.target.checked; changed("row"); } }), "on"),
    h("label", {}, "Pass", h("input", { class: "mono", value: one.text, size: Math.min(60, Math.max(24, one.text.length)), spellcheck: "false", onchange: (event) => edit(event.target.value.trim()) })),
    ...options,
    button("← Earlier", () => { move(index, index - 1); changed("row"); }, index === 0),
    button("Later →", () => { move(index, index + 1); changed("row"); }, index === state.row.length - 1),
    button("Remove", () => { state.row.splice(index, 1); state.at = index; changed("row"); }),
  ].filter(Boolean));
}

export async function add(replace, failedToAdd, changed) {
  const text = $("add-text").value.trim();
  if (!text && !replace) return;
  const found = await ask("expand", { pipeline: text });
  if (found.error) { failedToAdd(found.error); return; }
  const made = found.row.map((one) => ({ text: one, off: false }));
  if (replace) { state.row = made; state.at = made.length; } else {
    state.row.splice(state.at, 0, ...made);
    state.at += made.length;
  }
  $("add-text").value = "";
  changed("row");
}
