// ---- steps.js: the list of passes, rewrites and remarks, and the one that is looked at ----------

const state = { view: "rewrites", trace: 0, item: 0, code: 0 }; // code: the function whose code is shown

const currentTrace = () => data.traces[state.trace];
const currentItem = () => currentTrace().items[state.item];
const severalFunctions = data.functions.length > 1;

function titleOf(item) {
  if (item.kind === "input") return "The input";
  if (item.kind === "pass") return item.pass.name;
  return item.step.what ?? firstWords(item.step.message);
}

// A remark that led to no rewrite has no name; what it says first has to do.
function firstWords(message) {
  const end = message.search(/: |; /);
  return end < 0 ? message : message.slice(0, end);
}

function detailOf(item) {
  if (item.kind === "input") return "as it was parsed";
  if (item.kind === "pass") return counted(item.pass.rewrites, "rewrite");
  return item.step.reason;
}

// All that a search looks at.
function searchText(item) {
  const words = [titleOf(item), detailOf(item), item.pass?.name];
  if (item.step) {
    words.push(item.kind, item.step.kind, item.step.message, placeName(item.step.place), "@" + data.functions[item.step.function]);
    for (const [place, message] of item.step.notes ?? []) words.push(message, placeName(place));
  }
  return words.join("\n").toLowerCase();
}

const badges = { passed: "done", missed: "missed", analysis: "note" };

function listItem(item, index) {
  const badge = item.kind === "rewrite" ? String(item.number)
    : item.kind === "remark" ? { passed: "✓", missed: "×", analysis: "·" }[item.step.kind] : "";
  return element("li", { role: "option", id: `item-${index}`, class: `item ${item.kind} ${item.step?.kind ?? ""}`, tabindex: "-1",
                         "aria-selected": "false", onclick: () => select(index, true) },
    element("span", { class: "badge", "aria-hidden": "true" }, badge),
    element("span", { class: "title" },
      item.kind === "remark" ? element("span", { class: "unseen" }, badges[item.step.kind] + ": ") : "",
      shown(titleOf(item))),
    element("span", { class: "sub" }, shown(detailOf(item)),
      severalFunctions && item.step ? " in @" + shown(data.functions[item.step.function]) : ""));
}

const list = document.getElementById("steps");
const search = document.getElementById("search");

function drawList() {
  list.replaceChildren(...currentTrace().items.map(listItem));
  filterList();
}

// Shows what matches all the words that are searched for; a pass stays as the headline of its steps.
function filterList() {
  const wanted = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const items = currentTrace().items;
  let found = 0;
  let headline;
  items.forEach((item, index) => {
    const matches = wanted.every((word) => searchText(item).includes(word));
    const node = list.children[index];
    node.hidden = !matches;
    node.classList.toggle("only-headline", false);
    if (item.kind === "pass") headline = node;
    if (matches && (item.step || wanted.length === 0)) found += item.step ? 1 : 0;
    if (matches && item.step && headline?.hidden) {
      headline.hidden = false;
      headline.classList.add("only-headline");
    }
  });
  const all = items.filter((item) => item.step).length;
  const left_out = currentTrace().passes.reduce((sum, pass) => sum + pass.left_out, 0);
  document.getElementById("found").textContent = wanted.length > 0 ? `${found} of ${counted(all, "rewrite or remark", "rewrites and remarks")}`
    : left_out > 0 ? `${counted(left_out, "more")} left out: there are too many` : "";
}

function select(index, keep_focus = false) {
  list.querySelector("[aria-selected=true]")?.setAttribute("aria-selected", "false");
  list.querySelector("[tabindex='0']")?.setAttribute("tabindex", "-1");
  state.item = index;
  const node = list.children[index];
  node.setAttribute("aria-selected", "true");
  node.tabIndex = 0;
  node.scrollIntoView({ block: "nearest" });
  if (keep_focus || list.contains(document.activeElement)) node.focus({ preventScroll: true });
  drawDetail();
  remember();
}

// The next item in sight, by +1 or -1.
function step(by) {
  for (let index = state.item + by; index >= 0 && index < list.children.length; index += by)
    if (!list.children[index].hidden) {
      select(index);
      return;
    }
}

// ---- the right side

// The line of the source that a remark points at, with a caret under the column.
function sourceElement(place) {
  const [line, column] = data.places[place];
  const text = data.source[line];
  if (place === 0 || text === undefined) return null;
  const from = Math.max(0, column - 1);
  return element("pre", { class: "source" },
    element("span", { class: "number" }, `${line} `), shown(text.slice(0, from)),
    element("span", { class: "caret" }, shown(text.slice(from, from + 1)) || " "), shown(text.slice(from + 1)));
}

function remarkElement(step) {
  return element("div", { class: "decision" },
    sentence(step.message, "message"),
    element("p", { class: "where" }, shown(placeName(step.place))),
    sourceElement(step.place),
    step.grounds && element("details", { class: "grounds", open: true }, element("summary", {}, "What had to hold"),
      element("ul", {}, ...step.grounds.map((ground) => element("li", {}, sentence(ground))))),
    ...(step.notes ?? []).flatMap(([place, message]) => [
      element("p", { class: "note" }, element("strong", {}, "note "), shown(message)),
      element("p", { class: "where" }, shown(placeName(place))),
      sourceElement(place),
    ]));
}

function changesElements(item) {
  const texts = currentTrace().texts;
  const parts = [];
  for (const change of item.changes) {
    const after = texts[change.after];
    const before = texts[change.before];
    const is_same = change.before === change.after;
    if (item.kind === "pass" && is_same && severalFunctions) continue;
    if (severalFunctions && !item.step) parts.push(element("h3", {}, "@" + shown(data.functions[change.function])));
    if (change.after === null || change.before === null)
      parts.push(element("p", { class: "empty" }, "This text was not kept: the page holds the first few megabytes of a compilation only. What was decided is here all the same."));
    else if (change.before === undefined || is_same) parts.push(textElement(after, "The text"));
    else parts.push(diffElement(before, after));
  }
  if (parts.length === 0 && item.kind === "pass")
    parts.push(element("p", { class: "empty" }, "No function changed in this pass."));
  return parts;
}

// Other rewrites that lie between the same two texts.
function companions(item) {
  if (item.kind !== "rewrite" || item.step.after === null) return 0;
  return currentTrace().items.filter((other) => other !== item && other.kind === "rewrite" &&
    other.step.before === item.step.before && other.step.after === item.step.after).length;
}

function explanation(item) {
  if (item.kind === "input")
    return currentTrace().passes.length === 0 ? "No pass was asked for, so this is also what comes out. Try --fuse --elim." : "The program before the first pass.";
  if (item.kind === "pass") {
    const is_same = item.changes.every(({ before, after }) => before === after && after !== null);
    return is_same ? "The pass left everything as it was. Its remarks say why." : `All that pass ${item.number} did, at once.`;
  }
  if (item.kind === "remark")
    return item.step.kind === "missed" ? "Considered and left alone. Below, the function after the pass." : "Nothing was rewritten for this alone. Below, the function after the pass.";
  const others = companions(item);
  return others === 0 ? undefined
    : `This pass first decides everything and then rewrites the function in one go: the change below is that of ${counted(others, "other rewrite")}, too.`;
}

function drawDetail() {
  const item = currentItem();
  const step = item.step;
  const kicker = item.kind === "input" ? shown(data.file)
    : item.kind === "pass" ? `pass ${item.number}` : `${item.pass.name}${item.kind === "rewrite" ? ` · rewrite ${item.number}` : ""}`;
  const text = explanation(item);
  const detail = document.getElementById("detail");
  detail.replaceChildren(
    element("header", {},
      element("p", { class: "kicker" }, kicker, severalFunctions && step ? ` · @${shown(data.functions[step.function])}` : ""),
      element("h2", {}, item.kind === "remark" ? step.reason.replaceAll("-", " ") : shown(titleOf(item))),
      step && element("p", { class: "tags" },
        element("span", { class: `tag ${step.kind}` }, badges[step.kind]), element("code", { class: "reason" }, step.reason)),
      text && element("p", { class: "muted explanation" }, text)),
    ...(step ? [remarkElement(step)] : []),
    ...changesElements(item));
  const pointed = step ? [step.place, ...(step.notes ?? []).map(([place]) => place)].filter(Boolean) : [];
  for (const place of pointed)
    for (const line of detail.querySelectorAll(linesAt(place))) line.classList.add("pointed");
  paintLinks();
}

search.addEventListener("input", filterList);
