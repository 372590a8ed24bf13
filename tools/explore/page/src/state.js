// What a link holds, and what the server is asked.

export const state = {
  name: "", text: "", row: [], at: 0, tab: "ir", side: "after", changing: true, follow: null,
  knobs: {}, run: { arguments: [], from: "shown" },
};
// The row holds passes {text, off}; `at` is how many of it, off or not, come before what is shown.

export const passes = (end = state.row.length) =>
  state.row.slice(0, end).filter((one) => !one.off).map((one) => one.text);

const bytes = async (stream) => new Uint8Array(await new Response(stream).arrayBuffer());
const through = (data, kind) => bytes(new Blob([data]).stream().pipeThrough(kind));

export async function fragment() {
  const text = JSON.stringify(state);
  const packed = await through(new TextEncoder().encode(text), new CompressionStream("deflate"));
  let letters = "";
  for (const one of packed) letters += String.fromCharCode(one);
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export async function restore(hash) {
  const letters = atob(hash.replaceAll("-", "+").replaceAll("_", "/"));
  const packed = Uint8Array.from(letters, (one) => one.charCodeAt(0));
  const text = new TextDecoder().decode(await through(packed, new DecompressionStream("deflate")));
  take(JSON.parse(text));
}

export function take(given) {
  for (const key of Object.keys(state)) if (given[key] !== undefined) state[key] = given[key];
  state.at = Math.min(Math.max(0, state.at | 0), state.row.length);
}

export async function ask(what, about = {}) {
  const path = what === "start" ? "start" : `do/${what}`;
  try {
    const answer = await fetch(path, { method: "POST", body: JSON.stringify(about) });
    if (answer.status === 403) return { error: await answer.text() };
    return await answer.json();
  } catch {
    return { error: "the server does not answer: start gs-explore again" };
  }
}

export const show = (more) => ask("show", {
  name: state.name, text: state.text, passes: passes(), at: passes(state.at).length,
  knobs: state.knobs, ...more,
});

// An element with attributes, listeners (`on...`) and children.
export function h(kind, attributes = {}, ...children) {
  const made = document.createElement(kind);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value != null) made.setAttribute(name, value);
  }
  made.append(...children.flat().filter((one) => one != null && one !== false));
  return made;
}

export const $ = (id) => document.getElementById(id);
