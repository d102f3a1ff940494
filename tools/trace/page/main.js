// ---- main.js: views, pipelines, theme, keys -----------------------------------------------------

const views = ["rewrites", "code", "memory"];
const tabOf = (view) => document.getElementById(`tab-${view}`);

function showView(view, focus = false) {
  for (const name of views) {
    const is_shown = name === view;
    document.getElementById(`view-${name}`).hidden = !is_shown;
    tabOf(name).setAttribute("aria-selected", String(is_shown));
    tabOf(name).tabIndex = is_shown ? 0 : -1;
  }
  state.view = view;
  if (focus) tabOf(view).focus();
  remember();
}

// Where the reader is stands in the address, so that a reload or a link comes back to it.
function remember() {
  const hash = `#${state.view}/${state.trace}/${state.item}`;
  if (location.hash !== hash) history.replaceState(null, "", hash);
}

function recall() {
  const [view, trace, item] = location.hash.slice(1).split("/");
  state.trace = Math.min(Number(trace) || 0, data.traces.length - 1);
  const items = currentTrace().items;
  const first = items.findIndex((it) => it.kind === "rewrite");
  state.item = item === undefined ? Math.max(first, 0) : Math.min(Number(item) || 0, items.length - 1);
  state.view = views.includes(view) ? view : "rewrites";
}

// ---- pipelines

const pipelines = document.getElementById("pipelines");

function selectTrace(index, focus = false) {
  state.trace = index;
  [...pipelines.children].forEach((button, k) => {
    button.setAttribute("aria-checked", String(k === index));
    button.tabIndex = k === index ? 0 : -1;
  });
  if (focus) pipelines.children[index].focus();
  drawList();
  select(Math.max(0, currentTrace().items.findIndex((item) => item.kind === "rewrite")));
  drawCode();
}

function drawPipelines() {
  pipelines.hidden = data.traces.length < 2;
  pipelines.replaceChildren(...data.traces.map((trace, index) =>
    element("button", { type: "button", role: "radio", "aria-checked": String(index === state.trace), tabindex: index === state.trace ? "0" : "-1",
                        onclick: () => selectTrace(index) }, shown(trace.name))));
}

// Arrow keys within tabs and radio buttons, as the ARIA patterns have it.
function arrowsMove(group, choose) {
  group.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!by) return;
    const all = [...group.children];
    choose((all.indexOf(document.activeElement) + by + all.length) % all.length);
    event.preventDefault();
    event.stopPropagation();
  });
}

// ---- theme

const theme = document.getElementById("theme");
const prefersDark = matchMedia("(prefers-color-scheme: dark)");

const isDark = () => (document.documentElement.dataset.theme ?? (prefersDark.matches ? "dark" : "light")) === "dark";

function nameTheme() {
  theme.textContent = isDark() ? "Light" : "Dark";
  theme.setAttribute("aria-label", isDark() ? "Switch to light colours" : "Switch to dark colours");
}

function toggleTheme() {
  document.documentElement.dataset.theme = isDark() ? "light" : "dark";
  try {
    localStorage.setItem("mini-opt-theme", document.documentElement.dataset.theme);
  } catch { /* no storage here: the choice lasts as long as the page */ }
  nameTheme();
}

function recallTheme() {
  try {
    const kept = localStorage.getItem("mini-opt-theme");
    if (kept === "light" || kept === "dark") document.documentElement.dataset.theme = kept;
  } catch { /* no storage here */ }
  nameTheme();
}

// ---- keys

const dialog = document.getElementById("keys");

function escape() {
  if (search.value !== "") {
    search.value = "";
    filterList();
  } else if (!letGo() && document.activeElement === search) {
    search.blur();
  }
}

function keyInColumn(column, key) {
  switch (key) {
  case "j": case "ArrowDown": moveInColumn(column, 1); return true;
  case "k": case "ArrowUp": moveInColumn(column, -1); return true;
  case "PageDown": moveInColumn(column, 20); return true;
  case "PageUp": moveInColumn(column, -20); return true;
  case "Home": moveInColumn(column, -Infinity); return true;
  case "End": moveInColumn(column, Infinity); return true;
  case "Enter": case " ": {
    const line = currentLine(column);
    if (line?.dataset.place) holdPlace(Number(line.dataset.place), line);
    return true;
  }
  case "v": nextValue(column); return true;
  default: return false;
  }
}

function keyAnywhere(key) {
  switch (key) {
  case "/": showView("rewrites"); search.focus(); search.select(); return true;
  case "1": case "2": case "3": showView(views[Number(key) - 1]); return true;
  case "t": toggleTheme(); return true;
  case "?": dialog.showModal(); return true;
  case "j": case "ArrowDown": if (state.view === "rewrites") step(1); return state.view === "rewrites";
  case "k": case "ArrowUp": if (state.view === "rewrites") step(-1); return state.view === "rewrites";
  default: return false;
  }
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || dialog.open) return;
  if (event.key === "Escape") {
    escape();
    return;
  }
  const at = document.activeElement;
  if (at === search) {
    if (event.key === "Enter" || event.key === "ArrowDown") {
      const first = [...list.children].findIndex((node) => !node.hidden && !node.classList.contains("only-headline"));
      if (first >= 0) select(first, true);
      event.preventDefault();
    }
    return;
  }
  if (at?.matches("select, input, textarea")) return;
  const column = at?.closest?.("[data-column]");
  if ((column && keyInColumn(column, event.key)) || keyAnywhere(event.key)) event.preventDefault();
});

// ---- all of it

document.title = `${data.file} · mini-opt`;
document.getElementById("file").textContent = shown(data.file);
document.getElementById("command").textContent = shown(data.command);
views.forEach((view) => tabOf(view).addEventListener("click", () => showView(view)));
arrowsMove(document.getElementById("views"), (index) => showView(views[index], true));
arrowsMove(pipelines, (index) => selectTrace(index, true));
theme.addEventListener("click", toggleTheme);
prefersDark.addEventListener("change", nameTheme);
document.getElementById("help").addEventListener("click", () => dialog.showModal());

recallTheme();
recall();
drawPipelines();
drawList();
drawCode();
drawMemory();
showView(state.view);
select(state.item);
