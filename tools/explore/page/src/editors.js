// The two editors: the source, and the IR after a pass with its marks.

import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, RangeSet, RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration, EditorView, GutterMarker, gutter, highlightActiveLine, highlightActiveLineGutter,
  keymap, lineNumbers,
} from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";

const mlir = StreamLanguage.define({
  name: "mlir",
  languageData: { commentTokens: { line: "//" } },
  token(stream) {
    if (stream.eatSpace()) return null;
    if (stream.match("//")) { stream.skipToEnd(); return "comment"; }
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return "string";
    if (stream.match(/^[%^][\w$.#-]+/)) return "variableName";
    if (stream.match(/^@[\w$.-]+/)) return "variableName";
    if (stream.match(/^[#!][\w.]+/)) return "meta";
    if (stream.match(/^(?:tensor|memref|vector|complex|tuple)\b|^(?:[su]?i\d+|b?f\d+\w*|index|none)\b|^x(?=[\d?]|[if]\d|index|bf)/)) return "typeName";
    if (stream.match(/^-?(?:0x[\da-fA-F]+|\d+(?:\.\d*)?(?:e[+-]?\d+)?)/)) return "number";
    if (stream.match(/^[a-z_]\w*\.[\w.]+|^(?:func|return|module|loc|attributes|ins|outs|to|step|else)\b/)) return "keyword";
    if (stream.match(/^[A-Za-z_]\w*/)) return null;
    stream.next();
    return null;
  },
});

const SIGNS = { rewritten: "~", moved: "↕", merged: "⊕", new: "+", erased: "−" };
class Sign extends GutterMarker {
  constructor(kind, what) { super(); this.kind = kind; this.what = what; }
  eq(other) { return other.kind === this.kind && other.what === this.what; }
  toDOM() {
    const made = document.createElement("span");
    made.className = this.kind;
    made.textContent = SIGNS[this.kind];
    made.title = made.ariaLabel = `${this.kind}: ${this.what}`;
    return made;
  }
}

const setMarks = StateEffect.define();
const marks = StateField.define({
  create: () => ({ lines: Decoration.none, signs: RangeSet.empty }),
  update(value, transaction) {
    for (const effect of transaction.effects) if (effect.is(setMarks)) return effect.value;
    if (!transaction.docChanged) return value;
    return { lines: value.lines.map(transaction.changes), signs: value.signs.map(transaction.changes) };
  },
  provide: (field) => EditorView.decorations.from(field, (value) => value.lines),
});

const common = [
  lineNumbers(), highlightActiveLine(), highlightActiveLineGutter(), highlightSelectionMatches(),
  bracketMatching(), mlir, syntaxHighlighting(classHighlighter), marks,
];

export function makeSource(parent, text, changed, moved) {
  const listener = EditorView.updateListener.of((update) => {
    if (update.docChanged) changed(update.state.doc.toString());
    if (update.selectionSet && !update.docChanged && update.view.hasFocus) {
      const line = update.state.doc.lineAt(update.state.selection.main.head);
      moved([line.number, update.state.selection.main.head - line.from + 1]);
    }
  });
  const keys = keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, indentWithTab]);
  const label = EditorView.contentAttributes.of({ "aria-label": "MLIR source" });
  const extensions = [common, history(), keys, lintGutter(), label, listener];
  return new EditorView({ parent, state: EditorState.create({ doc: text, extensions }) });
}

export function makeListing(parent, moved) {
  const listener = EditorView.updateListener.of((update) => {
    if (!update.selectionSet || update.docChanged || !update.view.hasFocus) return;
    moved(update.state.doc.lineAt(update.state.selection.main.head).number);
  });
  const signs = gutter({ class: "cm-mark", markers: (view) => view.state.field(marks).signs });
  const label = EditorView.contentAttributes.of({ "aria-label": "IR after the pass" });
  const extensions = [
    signs, common, keymap.of([...searchKeymap, ...defaultKeymap]), EditorState.readOnly.of(true), label, listener,
  ];
  return new EditorView({ parent, state: EditorState.create({ extensions }) });
}

export function setText(view, text) {
  const now = view.state.doc.toString();
  if (now === text) return;
  // Only what differs, so that the place that is looked at stays.
  let start = 0;
  const least = Math.min(now.length, text.length);
  while (start < least && now.charCodeAt(start) === text.charCodeAt(start)) start++;
  let end = 0;
  while (end < least - start && now.charCodeAt(now.length - 1 - end) === text.charCodeAt(text.length - 1 - end)) end++;
  view.dispatch({ changes: { from: start, to: now.length - end, insert: text.slice(start, text.length - end) } });
}

// `found`: [line, kind, what] of what is marked; `from`: the lines that come from what is followed.
export function setLines(view, found, from) {
  const count = view.state.doc.lines;
  const by = new Map();
  for (const [line, kind, what] of found) if (line >= 1 && line <= count) by.set(line, [kind, what]);
  const followed = new Set(from.filter((line) => line >= 1 && line <= count));
  const lines = new RangeSetBuilder();
  const signs = new RangeSetBuilder();
  for (const line of [...new Set([...by.keys(), ...followed])].sort((a, b) => a - b)) {
    const at = view.state.doc.line(line).from;
    const [kind, what] = by.get(line) ?? ["", ""];
    const name = [kind, followed.has(line) && "from"].filter(Boolean).join(" ");
    lines.add(at, at, Decoration.line({ class: name }));
    if (kind) signs.add(at, at, new Sign(kind, what));
  }
  view.dispatch({ effects: setMarks.of({ lines: lines.finish(), signs: signs.finish() }) });
}

export function setProblems(view, problems) {
  const found = problems.filter((one) => one.line >= 1 && one.line <= view.state.doc.lines).map((one) => {
    const line = view.state.doc.line(one.line);
    const from = Math.min(line.from + Math.max(0, one.column - 1), line.to);
    const word = /^[%@\w.$-]+/.exec(line.text.slice(from - line.from));
    const severity = { warning: "warning", error: "error" }[one.kind] ?? "info";
    return { from, to: Math.min(from + (word?.[0].length ?? 1), line.to), severity, message: one.text };
  });
  view.dispatch(setDiagnostics(view.state, found));
}

export function goTo(view, line, column = 1, focus = true) {
  if (line < 1 || line > view.state.doc.lines) return;
  const at = view.state.doc.line(line);
  const anchor = Math.min(at.from + column - 1, at.to);
  view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
  if (focus) view.contentDOM.focus({ preventScroll: true });
}

export const reveal = (view, line) =>
  view.dispatch({ effects: EditorView.scrollIntoView(view.state.doc.line(line).from, { y: "center" }) });
