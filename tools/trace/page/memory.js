// ---- memory.js: walks over memory, and what they cost where it was measured ---------------------

const figures = data.figures;
const measured = (name) => figures?.variants.find((variant) => variant.name === name);
const ms = (value) => `${value < 10 ? value.toFixed(2) : value.toFixed(1)} ms`;

// ---- the 2x2

const corners = ["A_unfused", "C_unfused_elim", "B_fused", "D_fused_elim"]; // row by row
const hasCorners = corners.every(measured);
const fastest = () => Math.min(...figures.variants.map((variant) => variant.p50_ms ?? Infinity));

function timeBar(variant, longest) {
  const bar = element("div", { class: "time", "aria-hidden": "true" }, element("span", { class: "fill" }));
  bar.firstChild.style.width = `${(100 * variant.p50_ms) / longest}%`;
  const limit = element("span", { class: "limit" });
  limit.style.left = `${(100 * figures.limit.p50_ms) / longest}%`;
  bar.append(limit);
  return bar;
}

function cornerElement(name, longest) {
  const variant = measured(name);
  const cell = element("div", { class: `corner ${variant.p50_ms === fastest() ? "best" : ""}` }, element("h4", {}, name));
  if (!variant.verified) {
    cell.append(element("p", { class: "figure wrong" }, "WRONG"), element("p", { class: "muted" }, shown(variant.mismatch)));
    return cell;
  }
  cell.append(
    element("p", { class: "figure" }, ms(variant.p50_ms)),
    timeBar(variant, longest),
    element("p", { class: "muted" }, `min ${ms(variant.min_ms)} · ${variant.useful_gb_s.toFixed(1)} GB/s`),
    element("p", { class: "muted" }, `${counted(variant.passes, "pass", "passes")} · ${counted(variant.faults_per_call, "page fault")} a call`));
  return cell;
}

// What one step does to the time: from one corner to its neighbour.
function edgeElement(where, what, from, to) {
  const [a, b] = [measured(from), measured(to)];
  const factor = a.verified && b.verified ? `× ${(b.p50_ms / a.p50_ms).toFixed(2)}` : "–";
  return element("div", { class: `edge ${where}`, title: `${from} to ${to}` }, element("span", { class: "factor" }, factor), " ", element("span", { class: "muted" }, what));
}

function squareElement() {
  const longest = Math.max(...figures.variants.map((variant) => variant.p50_ms ?? 0), figures.limit.p50_ms);
  const square = element("div", { class: "square", role: "group", "aria-label": "Time with and without each optimisation" });
  const [a, c, b, d] = corners.map((name) => cornerElement(name, longest));
  square.append(
    element("span", { class: "head left" }, "copied to where it is wanted"),
    element("span", { class: "head right" }, "computed where it is wanted"),
    element("span", { class: "head upper" }, "one op at a time"), a, edgeElement("across", "elimination", "A_unfused", "C_unfused_elim"), c,
    edgeElement("down first", "fusion", "A_unfused", "B_fused"), edgeElement("middle", "both", "A_unfused", "D_fused_elim"),
    edgeElement("down second", "fusion", "C_unfused_elim", "D_fused_elim"),
    element("span", { class: "head lower" }, "fused"), b, edgeElement("across low", "elimination", "B_fused", "D_fused_elim"), d);
  return square;
}

function effectsTable() {
  const rows = figures.effects.map(({ what, from, to, factor }) =>
    element("tr", {}, element("th", { scope: "row" }, what), element("td", { class: "number" }, `× ${factor.toFixed(2)}`), element("td", { class: "muted" }, `${from} → ${to}`)));
  return element("table", { class: "plain" }, element("caption", {}, "Time (median) after over before"), element("tbody", {}, ...rows));
}

function figuresTable() {
  const row = (name, cells) => element("tr", {}, element("th", { scope: "row" }, name), ...cells.map((cell) => element("td", { class: "number" }, cell)));
  const rows = figures.variants.map((v) => row(v.name, v.verified
    ? [ms(v.p50_ms), ms(v.min_ms), v.useful_gb_s.toFixed(1), String(v.passes), v.faults_per_call.toLocaleString("en")] : ["WRONG", "", "", String(v.passes), ""]));
  rows.push(row(figures.limit.what, [ms(figures.limit.p50_ms), ms(figures.limit.min_ms), "", "", ""]));
  return element("table", { class: "plain" },
    element("caption", {}, `${counted(figures.iterations, "round")}, the contenders in turn`),
    element("thead", {}, element("tr", {}, ...["", "median", "min", "useful GB/s", "passes", "faults a call"].map((head) => element("th", { scope: "col" }, head)))),
    element("tbody", {}, ...rows));
}

function environmentElement() {
  const e = figures.environment;
  const facts = [["date", e.date], ["cpu", `${e.cpu}, ${e.cpus} usable`], ["code", `${e.isa}, compiled in the process`],
    ["memory", `pages of ${e.page_bytes} B, transparent huge pages: ${e.transparent_huge_pages}`],
    ["last cache", e.l3_bytes ? bytesText(e.l3_bytes) : "not known"], ["system", `${e.kernel}; ${e.compiler}, ${e.build}`], ["command", figures.command]];
  return element("dl", { class: "facts" }, ...facts.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, shown(value))]));
}

function measuredElements() {
  if (!figures) return [];
  return [
    element("section", { class: "card" },
      element("h2", {}, "Measured"),
      element("p", { class: "muted lead" }, `@${shown(figures.function)}, median of ${counted(figures.iterations, "round")}, every result checked against the interpreter. `,
        element("span", { class: "limit-key" }), ` a streaming copy of the same bytes: ${ms(figures.limit.p50_ms)}`),
      hasCorners ? squareElement() : "",
      element("div", { class: "tables" }, ...[figuresTable(), figures.effects.length > 0 && effectsTable()].filter(Boolean)
        .map((table) => element("div", { class: "sideways", tabindex: "0", role: "region", "aria-label": table.caption.textContent }, table))),
      environmentElement()),
  ];
}

// ---- walks as bars

function jumpTo(variant, place) {
  const trace = data.traces.findIndex((t) => t.name === variant.name);
  if (trace >= 0 && trace !== state.trace) selectTrace(trace);
  showView("code");
  held.place = 0;
  holdPlace(place, document.body);
}

function walkElement(variant, walk) {
  const what = `${walk.writes ? (walk.streaming ? "writes around the caches" : "writes") : "reads"}`;
  const label = `nest ${walk.nest + 1} ${what} ${walk.buffer}, ${bytesText(walk.bytes)}`;
  const tag = variant.is_traced ? "button" : "span";
  const bar = element(tag, { class: `walk ${walk.writes ? "writes" : "reads"} ${walk.streaming ? "streaming" : ""}`, title: label, "aria-label": label,
                             type: tag === "button" ? "button" : undefined, role: tag === "button" ? undefined : "img",
                             onclick: variant.is_traced ? () => jumpTo(variant, walk.place) : undefined },
    element("span", { "aria-hidden": "true" }, shown(walk.buffer)));
  bar.style.flexGrow = walk.bytes;
  return bar;
}

function variantElement(variant, widest) {
  const total = variant.walks.reduce((sum, walk) => sum + walk.bytes, 0);
  const bars = element("div", { class: "bars" });
  bars.style.setProperty("--share", widest > 0 ? total / widest : 0);
  const nests = [...new Set(variant.walks.map((walk) => walk.nest))];
  for (const nest of nests) {
    const walks = variant.walks.filter((walk) => walk.nest === nest);
    const group = element("div", { class: "nest" }, ...walks.map((walk) => walkElement(variant, walk)));
    group.style.flexGrow = walks.reduce((sum, walk) => sum + walk.bytes, 0);
    bars.append(group);
  }
  const allocs = variant.allocs > 0 ? `${counted(variant.allocs, "temp")} (${bytesText(variant.allocated_bytes)})` : "no temp";
  const copies = variant.copies > 0 ? counted(variant.copies, "copy", "copies") : "no copy";
  return element("li", { class: `variant ${variant.is_traced ? "traced" : ""}` },
    element("div", { class: "name" }, element("strong", {}, shown(variant.name)),
      element("span", { class: "muted" }, `${counted(variant.generics, "generic")}, ${allocs}, ${copies}`)),
    variant.walks.length > 0 ? bars : element("p", { class: "empty" }, "walks over no large array"),
    element("div", { class: "total" }, element("span", { class: "figure" }, String(variant.walks.length)), " ",
      element("span", { class: "muted" }, variant.walks.length === 1 ? "pass" : "passes")));
}

function functionWalks(variants, index) {
  const widest = Math.max(...variants.map((v) => v.walks.reduce((sum, walk) => sum + walk.bytes, 0)), 0);
  return [
    severalFunctions ? element("h3", {}, "@" + shown(data.functions[index])) : "",
    element("ul", { class: "variants" }, ...variants.map((variant) => variantElement(variant, widest))),
  ];
}

function drawMemory() {
  const view = document.getElementById("view-memory");
  const key = (kind, text) => element("span", { class: "key" }, element("span", { class: `swatch ${kind}`, "aria-hidden": "true" }), text);
  view.replaceChildren(...measuredElements(),
    element("section", { class: "card" },
      element("h2", {}, "Walks over memory"),
      element("p", { class: "muted lead" }, "One bar is one full walk over a large array; bars that touch belong to one loop nest. Arrays of less than half the size of the largest are left out."),
      element("p", { class: "keys" }, key("reads", "read"), key("writes", "written"), key("writes streaming", "written around the caches")),
      figures || data.memory.length === 0 ? "" : element("p", { class: "muted" }, "Counted, not measured: with --ablate the page also shows what each corner takes."),
      data.memory.length > 0 ? "" : element("p", { class: "empty" }, "The module has no function."),
      ...data.memory.flatMap(functionWalks)));
}
