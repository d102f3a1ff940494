// ---- diff.js: what changed from one text to the next ------------------------------------------

// Pairs of indices [i, j] with a[i] === b[j], as many as there can be, both ascending. Where that
// would take long, only what is the same at the beginning and at the end.
function common(a, b) {
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) ++head;
  let tail = 0;
  while (tail < Math.min(a.length, b.length) - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) ++tail;
  const n = a.length - head - tail;
  const m = b.length - head - tail;
  const pairs = [];
  for (let i = 0; i < head; ++i) pairs.push([i, i]);
  if (n * m <= 4e6) {
    // best[i][j]: how many of a[i..] and b[j..] can be paired
    const best = new Uint32Array((n + 1) * (m + 1));
    const at = (i, j) => i * (m + 1) + j;
    for (let i = n - 1; i >= 0; --i)
      for (let j = m - 1; j >= 0; --j)
        best[at(i, j)] = a[head + i] === b[head + j] ? best[at(i + 1, j + 1)] + 1
                                                     : Math.max(best[at(i + 1, j)], best[at(i, j + 1)]);
    for (let i = 0, j = 0; i < n && j < m;) {
      if (a[head + i] === b[head + j]) pairs.push([head + i++, head + j++]);
      else if (best[at(i + 1, j)] >= best[at(i, j + 1)]) ++i;
      else ++j;
    }
  }
  for (let i = tail; i > 0; --i) pairs.push([a.length - i, b.length - i]);
  return pairs;
}

// The two texts as stretches that are the same and stretches that differ: {same: bool, before:
// [begin, end), after: [begin, end)}. Only what is written counts here, not which value a name means.
function stretchesOf(before, after) {
  const stretches = [];
  let i = 0;
  let j = 0;
  const add = (same, to_i, to_j) => {
    if (to_i === i && to_j === j) return;
    const last = stretches.at(-1);
    if (last && last.same === same) {
      last.before[1] = to_i;
      last.after[1] = to_j;
    } else {
      stretches.push({ same, before: [i, to_i], after: [j, to_j] });
    }
    i = to_i;
    j = to_j;
  };
  for (const [x, y] of common(before.map((line) => line.text), after.map((line) => line.text))) {
    add(false, x, y);
    add(true, x + 1, y + 1);
  }
  add(false, before.length, after.length);
  return stretches;
}

// The words in which two lines differ, as [begin, end) of each; none where they have little in
// common, and marking words would say nothing.
function changedWords(a, b) {
  const split = (text) => text.match(/\s+|[%#@]?[\w.$-]+|[^]/gu) ?? [];
  const [x, y] = [split(a), split(b)];
  const pairs = common(x, y);
  const same = pairs.reduce((sum, [i]) => sum + x[i].trim().length, 0);
  if (2 * same < Math.max(a.trim().length, b.trim().length)) return [[], []];
  const rest = (list, kept) => {
    const ranges = [];
    let at = 0;
    list.forEach((word, index) => {
      if (!kept.has(index)) {
        if (ranges.at(-1)?.[1] === at) ranges.at(-1)[1] += word.length;
        else ranges.push([at, at + word.length]);
      }
      at += word.length;
    });
    return ranges;
  };
  return [rest(x, new Set(pairs.map(([i]) => i))), rest(y, new Set(pairs.map(([, j]) => j)))];
}

// Which words to mark in the lines of a stretch: each is compared with the next one on the other
// side that is the same kind of op.
function marksOf(removed, added) {
  const marks = new Map();
  const opOf = (line) => line.text.match(/[a-z]+\.[a-z_]+|\^bb0|[#}]/)?.[0];
  let from = 0;
  for (const line of removed) {
    const at = added.findIndex((it, index) => index >= from && opOf(it) === opOf(line));
    if (at < 0) continue;
    from = at + 1;
    const other = added[at];
    const [a, b] = changedWords(line.text, other.text);
    marks.set(line, a);
    marks.set(other, b);
  }
  return marks;
}

const context = 6; // lines shown around a change of a long text

// Lines that are the same on both sides; the middle of many is folded away.
function sameRows(before, after, { before: [i, end], after: [j] }, is_first, is_last) {
  const rows = [];
  for (let k = 0; i + k < end; ++k)
    rows.push(element("div", { class: "row" }, lineElement(before[i + k], i + k + 1), lineElement(after[j + k], j + k + 1)));
  const from = is_first ? 0 : context;
  const to = rows.length - (is_last ? 0 : context);
  if (to - from < 4 * context) return rows;
  const folded = rows.splice(from, to - from);
  const button = element("button", { type: "button", class: "fold", onclick: () => button.replaceWith(...folded) },
    `${counted(folded.length, "line")} that stay the same`);
  rows.splice(from, 0, button);
  return rows;
}

// Two texts side by side; below each other where there is little room (page.css).
function diffElement(before, after) {
  const diff = element("div", { class: "diff", role: "listbox", "aria-label": "Before and after", tabindex: "0", "data-column": "diff" },
    element("div", { class: "row heads", "aria-hidden": "true" }, element("span", {}, "before"), element("span", {}, "after")));
  const stretches = stretchesOf(before, after);
  stretches.forEach((stretch, index) => {
    if (stretch.same) {
      diff.append(...sameRows(before, after, stretch, index === 0, index + 1 === stretches.length));
      return;
    }
    const [removed, added] = [before.slice(...stretch.before), after.slice(...stretch.after)];
    const marks = marksOf(removed, added);
    const side = (list, first, mark) => element("div", { class: "side-of" },
      ...list.map((line, k) => lineElement(line, first + k + 1, { mark, changed: marks.get(line) ?? [] })));
    diff.append(element("div", { class: "row differs" },
      side(removed, stretch.before[0], "removed"), side(added, stretch.after[0], "added")));
  });
  return diff;
}

function textElement(text, label) {
  return element("div", { class: "diff single", role: "listbox", "aria-label": label, tabindex: "0", "data-column": "text" },
    ...text.map((line, index) => lineElement(line, index + 1)));
}
