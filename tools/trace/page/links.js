// ---- links.js: what belongs together, wherever it stands ---------------------------------------
// Two lines are linked if they are there for the same place in the source: the parser gave it to
// the op, passes carry it along, and the loops and the instructions that are made of the op have it
// still. Two names are linked if they mean the same value.

const held = { place: 0, value: undefined, name: undefined };
let hovered = 0; // a place

function paint(name, selector) {
  for (const node of document.querySelectorAll(`.${name}`)) node.classList.remove(name);
  if (selector) for (const node of document.querySelectorAll(selector)) node.classList.add(name);
}

const linesAt = (place) => (place ? `.line[data-place="${place}"]` : "");

// After something was drawn anew, too.
function paintLinks() {
  paint("hovered", linesAt(hovered));
  paint("held", linesAt(held.place));
  paint("lit", held.value !== undefined ? `[data-value="${held.value}"]` : "");
  if (held.name !== undefined)
    for (const node of document.querySelectorAll(".sentence [data-name]"))
      if (node.dataset.name === held.name) node.classList.add("lit");
  sayLinks();
}

// Brings the linked lines of the other columns into sight; the page itself stays where it is.
function reveal(from) {
  for (const column of document.querySelectorAll(".column .scroll")) {
    if (column.contains(from)) continue;
    const first = column.querySelector(".line.held");
    if (first) column.scrollTop = first.offsetTop - column.clientHeight / 3;
  }
}

function holdPlace(place, from) {
  held.place = held.place === place ? 0 : place;
  paintLinks();
  if (held.place) reveal(from);
}

function holdValue(value, name) {
  const again = held.value === value;
  held.value = again ? undefined : value;
  held.name = again ? undefined : name;
  paintLinks();
}

function letGo() {
  const any = held.place !== 0 || held.value !== undefined;
  held.place = 0;
  held.value = held.name = undefined;
  paintLinks();
  return any;
}

// A remark names a value as it was printed; which one that is, the text beside it says.
function valueNamed(name) {
  for (const node of document.querySelectorAll("#detail .diff [data-value]"))
    if (node.textContent === name) return Number(node.dataset.value);
  return undefined;
}

function onClick(event) {
  const name = event.target.closest("[data-value], [data-name]");
  if (name) {
    const value = name.dataset.value === undefined ? valueNamed(name.dataset.name) : Number(name.dataset.value);
    if (value !== undefined) holdValue(value, name.textContent);
    return;
  }
  const line = event.target.closest(".line[data-place]");
  if (line && getSelection().isCollapsed) holdPlace(Number(line.dataset.place), line);
}

function onHover(event) {
  const line = event.target.closest?.(".line[data-place]");
  const place = line ? Number(line.dataset.place) : 0;
  if (place === hovered) return;
  hovered = place;
  paint("hovered", linesAt(hovered));
  sayLinks();
}

// ---- the current line of a column of code or of a diff, for the keyboard

function currentLine(column) {
  return column.querySelector(".line.current");
}

function setCurrentLine(column, line) {
  const last = currentLine(column);
  last?.classList.remove("current");
  last?.setAttribute("aria-selected", "false");
  line.classList.add("current");
  line.setAttribute("aria-selected", "true");
  line.id ||= `line-${setCurrentLine.count = (setCurrentLine.count ?? 0) + 1}`;
  column.setAttribute("aria-activedescendant", line.id);
  line.scrollIntoView({ block: "nearest" });
  hovered = Number(line.dataset.place ?? 0);
  paint("hovered", linesAt(hovered));
  sayLinks();
}

function moveInColumn(column, by) {
  // What stands twice in a diff is gone over once.
  const all = [...column.querySelectorAll(".line:not(.row:not(.differs) > .line + .line)")];
  if (all.length === 0) return;
  const at = all.indexOf(currentLine(column));
  setCurrentLine(column, all[at < 0 ? 0 : Math.max(0, Math.min(all.length - 1, at + by))]);
}

// The next value of the current line, then the one behind it, then none.
function nextValue(column) {
  const names = [...(currentLine(column)?.querySelectorAll("[data-value]") ?? [])];
  if (names.length === 0) return;
  const at = names.findIndex((name) => Number(name.dataset.value) === held.value);
  const next = names.slice(at + 1).find((name) => Number(name.dataset.value) !== held.value);
  if (next) holdValue(Number(next.dataset.value), next.textContent);
  else holdValue(undefined, undefined);
}

document.addEventListener("click", onClick);
document.addEventListener("pointerover", onHover);
