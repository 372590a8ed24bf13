// What stands beside the IR: pictures, notes, schedules, the op that is followed; and the run.

import { label } from "./row.js";
import { $, ask, h, passes, state } from "./state.js";

const place = ([line, column]) => `${line}:${column}`;

export const comes = (places) => state.follow && places.some((one) => place(one) === place(state.follow));

export function pictures(found) {
  if (!found) return [h("p", { class: "dim" }, "…")];
  if (!found.length) return [h("p", { class: "dim" }, "The IR after this pass has no indirect op: earlier passes have more.")];
  return found.map(([at, svg]) => {
    const figure = h("figure", { "aria-label": `The op at ${at}` });
    // The server's own drawing; names in it are escaped.
    figure.innerHTML = svg;
    return figure;
  });
}

export function explained(notes, goTo) {
  if (!notes?.length) return [h("p", { class: "dim" }, "No pass had anything to say of an indirect op.")];
  const rows = notes.map(([number, where, op, kind, text]) => {
    const [line, column] = where.split(":").slice(-2).map(Number);
    return h("tr", {},
      h("td", {}, h("button", { onclick: () => goTo(line, column) }, `${line}:${column}`)),
      h("td", { class: "mono" }, op), h("td", { class: "kind" }, kind), h("td", {}, text),
      h("td", { class: "mono dim" }, label(passes()[number - 1] ?? "")));
  });
  return [h("table", {}, h("tr", {}, ["at", "op", "", "what", "pass"].map((one) => h("th", {}, one))), rows)];
}

const spelled = (value) => (typeof value === "object" ? `{${Object.entries(value).map(([k, v]) => `${k} = ${spelled(v)}`).join(", ")}}` : String(value));

// Sliders go by powers of two, where numbers are sizes; a field takes any.
export function schedules(found, strategies, changed) {
  if (!found) return [h("p", { class: "dim" }, "…")];
  if (!found.length) return [h("p", { class: "dim" }, "The pipeline makes no loops of indirect ops: convert-gs-to-scf has a schedule for each.")];
  const parts = [];
  for (const one of found) {
    const entries = structuredClone(one.entries);
    const set = () => { state.knobs[one.place] = spelled(entries); changed(); };
    const knob = (holder, name, value) => {
      if (typeof value === "boolean") return h("label", {}, name, h("input", { type: "checkbox", checked: value, onchange: (event) => { holder[name] = event.target.checked; set(); } }));
      const field = h("input", { type: "number", min: 0, value, style: "width: 9em", onchange: (event) => { holder[name] = Math.max(0, event.target.valueAsNumber | 0); set(); } });
      const slide = h("input", {
        type: "range", min: 0, max: 30, value: value ? Math.round(Math.log2(value)) : 0, "aria-label": `${name}, by powers of two`,
        oninput: (event) => { field.value = 2 ** event.target.value; }, onchange: () => { holder[name] = Number(field.value); set(); },
      });
      return h("label", {}, name, field, slide);
    };
    const isSet = state.knobs[one.place] !== undefined;
    const rows = Object.entries(entries).map(([name, value]) => (typeof value !== "object" ? h("tr", {}, h("td", {}, knob(entries, name, value)), h("td", { class: "dim" }, "")) : h("tr", {},
      h("td", {}, h("label", { class: "check" }, h("input", { type: "checkbox", checked: true, onchange: () => { delete entries[name]; set(); } }), h("b", {}, name.replaceAll("_", "-"))), " ", ...Object.entries(value).map(([key, each]) => knob(value, key, each))),
      h("td", { class: "dim" }, strategies[name.replaceAll("_", "-")] ?? ""))));
    parts.push(h("h3", {}, `The op at ${one.place}${isSet ? " — set here" : ""}`), h("table", {}, rows),
      h("p", { class: "mono dim" }, `gs.schedule = ${one.text}`));
    if (isSet) parts.push(h("button", { onclick: () => { delete state.knobs[one.place]; changed(); } }, "As the target says"));
  }
  return parts;
}

export function followed(answer, chosen, assembly) {
  if (!state.follow) return [h("p", { class: "dim" }, "Put the cursor on an op, in the source or in the IR: it is followed through all passes.")];
  if (!answer) return [h("p", { class: "dim" }, "…")];
  const rows = answer.followed.map(([number, counts]) => {
    const names = Object.entries(counts).sort((a, b) => b[1] - a[1]);
    const shown = names.map(([name, count]) => (count > 1 ? `${name} × ${count}` : name)).join(", ") || "nothing that is known to come from it";
    const name = number ? label(passes()[number - 1] ?? "") : "source";
    return h("tr", {}, h("td", {}, h("button", { class: "mono name", onclick: () => chosen(number) }, name)), h("td", { class: "mono" }, shown));
  });
  if (assembly) {
    const mine = assembly.lines.filter((one) => comes(one[3]));
    const names = [...new Set(mine.map((one) => one[1].split(/\s/, 1)[0]))];
    rows.push(h("tr", {}, h("td", {}, "instructions"), h("td", { class: "mono" }, mine.length ? `${mine.length} of the hottest loop: ${names.join(", ")}` : "none in the hottest loop")));
  }
  return [h("h3", {}, `The op at ${place(state.follow)}, after each pass that changes what comes of it`), h("table", {}, rows)];
}

export async function drawArguments() {
  const found = await ask("signature", { name: state.name, text: state.text, entry: $("run-entry").value.trim() });
  if (found.error || found.problems) return;
  const given = state.run.arguments;
  $("arguments").replaceChildren(...found.arguments.map(([label, type], index) => h("label", {}, h("span", {}, `${label}: ${type}`),
    h("input", { class: "mono", value: given[index] ?? "", placeholder: "made up", spellcheck: "false", title: "A number, an array such as [0, 2, 5], a file .npy or b.npz:key, or a shape such as 1000x64", onchange: (event) => { given[index] = event.target.value.trim(); } }))));
  if (!found.arguments.length) $("arguments").replaceChildren(h("p", { class: "dim" }, "It takes no arguments."));
}

const FIELDS = ["entry", "from", "size", "seed", "threads", "target"];

export function readRun() {
  for (const name of FIELDS) state.run[name] = $(`run-${name}`).value.trim();
}

export function writeRun() {
  for (const name of FIELDS) if (state.run[name] !== undefined) $(`run-${name}`).value = state.run[name];
}

export const run = () => ask("run", {
  name: state.name, text: state.text, passes: state.run.from === "source" ? [] : passes(state.at),
  knobs: state.knobs, run: state.run,
});

export function drawOutcome(found) {
  if (found.error || found.problems) {
    const text = found.error ?? found.problems.map((one) => (one.line ? `${one.line}:${one.column}: ` : "") + one.text).join("\n");
    $("outcome").replaceChildren(h("p", { class: "verdict bad" }, "It did not run."), h("pre", {}, text));
    return;
  }
  const figure = ([name, value]) => h("div", {}, h("b", {}, value), h("span", {}, name));
  const parts = [
    h("p", { class: `verdict ${{ true: "good", false: "bad" }[found.equal] ?? ""}` }, `${{ true: "✓", false: "✗" }[found.equal] ?? "Not compared:"} ${found.check}`),
    h("div", { class: "figures" }, found.figures.map(figure)),
  ];
  const asm = found.assembly;
  if (asm?.lines) {
    parts.push(h("h3", {}, asm.title), h("table", { class: "asm" }, asm.lines.map(([share, text, hot, from, op]) =>
      h("tr", { class: [hot && "hot", comes(from) && "from"].filter(Boolean).join(" "), title: from.length ? `from ${from.map(place).join(", ")}` : "" },
        h("td", {}, share), h("td", {}, text), h("td", { class: "dim" }, op)))));
  } else if (asm?.missing) parts.push(h("p", { class: "dim" }, asm.missing));
  if (found.how) parts.push(h("h3", {}, "How it runs"), h("pre", {}, found.how));
  const arrays = (rows) => h("table", {}, rows.map(([label, text]) => h("tr", {}, h("th", {}, label), h("td", {}, h("pre", {}, text)))));
  parts.push(arrays(found.results), h("details", {}, h("summary", {}, "Arguments"), arrays(found.arguments)));
  $("outcome").replaceChildren(...parts);
}
