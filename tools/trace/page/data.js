// ---- data.js: what the page is made of --------------------------------------------------------
// The layout of the JSON is in tools/trace/README.md. Here it becomes lines and texts.

const data = JSON.parse(document.getElementById("data").textContent);

// A line: its number in the table, its place, its parts in order. A part that names a value has
// the number of that value; the same number is the same value, in whichever text.
const lines = data.lines.map(([place, ...rest], id) => {
  const parts = [];
  for (let i = 0; i < rest.length; i += 3) {
    if (rest[i] !== "") parts.push({ text: rest[i] });
    if (i + 1 < rest.length) parts.push({ text: rest[i + 1], value: rest[i + 2] });
  }
  return { id, place, parts, text: parts.map((part) => part.text).join("") };
});

const linesOf = (ids) => ids.map((id) => lines[id]);

// A version is stored as what it changes in an earlier one: [base, first, dropped, added].
for (const trace of data.traces) {
  const ids = [];
  for (const [base, first, dropped, added] of trace.versions) {
    const from = base === null ? [] : ids[base];
    ids.push([...from.slice(0, first), ...added, ...from.slice(first + dropped)]);
  }
  trace.texts = ids.map(linesOf);
}

// What can be selected in a trace, in order: the input, then each pass and its steps. `changes`:
// which texts to show, per function.
function itemsOf(trace) {
  const all = data.functions.map((_, index) => index);
  const items = [{ kind: "input", changes: all.map((f) => ({ function: f, after: trace.input[f] })) }];
  trace.passes.forEach((pass, index) => {
    const changes = all.map((f) => ({ function: f, before: pass.before[f], after: pass.after[f] }));
    items.push({ kind: "pass", pass, number: index + 1, changes });
    for (const step of pass.steps) {
      const is_rewrite = step.what !== undefined;
      const change = is_rewrite ? { function: step.function, before: step.before, after: step.after }
                                : { function: step.function, after: pass.after[step.function] ?? null };
      items.push({ kind: is_rewrite ? "rewrite" : "remark", pass, step, changes: [change] });
    }
  });
  let rewrites = 0;
  for (const item of items) if (item.kind === "rewrite") item.number = ++rewrites;
  return items;
}
for (const trace of data.traces) trace.items = itemsOf(trace);

function placeName(place) {
  const [line, column] = data.places[place];
  return place === 0 ? "" : `${data.file}:${line}:${column}`;
}

function bytesText(bytes) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  while (bytes >= 1024 && unit + 1 < units.length) {
    bytes /= 1024;
    ++unit;
  }
  return `${Number.isInteger(bytes) ? bytes : bytes.toFixed(1)} ${units[unit]}`;
}

function counted(number, one, several = one + "s") {
  return `${number.toLocaleString("en")} ${number === 1 ? one : several}`;
}
