// ---- text.js: building elements, lines of code among them -------------------------------------
// Every text goes in as a text node. No string is ever read as HTML.

// element("p", { class: "muted" }, "text", child, ...)
function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (name === "onclick") node.addEventListener("click", value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== undefined && child !== null));
  return node;
}

// Characters that cannot be seen, or that turn the direction of what follows, are shown as what
// they are.
const unseen = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
function shown(text) {
  return text.replace(unseen, (c) => `⟨U+${c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`);
}

// The words of the IR, of loops and of assembly that are worth a colour.
const words = new RegExp(
  [
    /(?<comment>\/\/.*$|(?<=\s)# .*$)/,
    /(?<string>"[^"]*")/,
    /(?<type>\b(?:tensor|memref|affine_map)<(?:->|[^>])*>|\b(?:f32|f64|i1|i32|i64|index)\b)/,
    /(?<op>\b(?:func|linalg|arith|math|tensor|memref|bufferization)\.\w+|\b(?:return|kernel|for|load|store(?:\.stream)?|alloc|free|prefetch|constant|scratch|next|carrying|vector)\b(?!\.))/,
    /(?<map>#map\d*)/,
  ].map((r) => r.source).join("|"), "g");

function* coloured(text) {
  let at = 0;
  for (const match of text.matchAll(words)) {
    if (match.index > at) yield { text: text.slice(at, match.index) };
    yield { text: match[0], kind: Object.keys(match.groups).find((name) => match.groups[name] !== undefined) };
    at = match.index + match[0].length;
  }
  if (at < text.length) yield { text: text.slice(at) };
}

// The pieces of a line, each of one colour; `changed` are [begin, end) of the line's text.
function* piecesOf(line, changed) {
  let at = 0;
  const cuts = changed.flat();
  for (const part of line.parts) {
    const coloursOf = part.value === undefined ? coloured(part.text) : [{ text: part.text, kind: "value" }];
    for (const { text, kind } of coloursOf) {
      const end = at + text.length;
      const bounds = [at, ...cuts.filter((cut) => cut > at && cut < end), end];
      for (let i = 0; i + 1 < bounds.length; ++i) {
        const is_changed = changed.some(([b, e]) => b <= bounds[i] && bounds[i + 1] <= e);
        yield { text: text.slice(bounds[i] - at, bounds[i + 1] - at), kind, value: part.value, is_changed };
      }
      at = end;
    }
  }
}

function codeOf(line, changed = []) {
  const code = element("code");
  const indent = line.text.match(/^ */)[0].length;
  code.style.setProperty("--indent", `${indent}ch`);
  for (const piece of piecesOf(line, changed)) {
    const text = shown(piece.text);
    const classes = [piece.kind, piece.is_changed && "changed"].filter(Boolean).join(" ");
    if (classes === "") code.append(text);
    else code.append(element("span", { class: classes, "data-value": piece.value }, text));
  }
  return code;
}

// One line with its number. Lines of one place are linked to each other (links.js).
function lineElement(line, number, { mark = "", changed = [], code } = {}) {
  return element("div", { class: `line ${mark}`, role: "option", "aria-selected": "false", "data-place": line.place || undefined },
    element("span", { class: "number", "aria-hidden": "true" }, String(number)),
    element("span", { class: "sign", "aria-hidden": mark === "" }, { added: "+", removed: "−" }[mark] ?? ""),
    code ?? codeOf(line, changed));
}

// A sentence of a remark: values, functions and maps in it as code.
function sentence(text, classes = "") {
  const p = element("p", { class: `sentence ${classes}` });
  const code = /%[\w$.#-]*[\w$#]|@[\w$.]+|\(d\d[^()]*\) -> \([^()]*\)|\(\) -> \([^()]*\)/g;
  let at = 0;
  for (const match of text.matchAll(code)) {
    p.append(shown(text.slice(at, match.index)));
    const is_value = match[0].startsWith("%");
    p.append(element("code", { class: is_value ? "value" : match[0].length < 32 ? "short" : "", "data-name": is_value ? match[0] : undefined }, shown(match[0])));
    at = match.index + match[0].length;
  }
  p.append(shown(text.slice(at)));
  return p;
}
