// ---- code.js: the function beside its loops and its instructions -------------------------------

// Which value a name means in the comment of an instruction: the one that the loops and the IR
// name so in a line of the same place.
function namesByPlace(texts) {
  const names = new Map();
  for (const line of texts.flat())
    for (const part of line.parts)
      if (part.value !== undefined) {
        const name = part.text.replace(/:\d+$/, "");
        for (const key of [`${line.place} ${name}`, `${line.place} ${name.replace(/_\d+$/, "")}`, `* ${name}`])
          if (!names.has(key)) names.set(key, part.value);
      }
  return (place, name) => names.get(`${place} ${name}`) ?? names.get(`* ${name}`);
}

// "\tvmulps       zmm0, zmm0, zmm4      # %m = arith.mulf %in, %s"
function assemblyCode(line, valueOf) {
  const [, indent, instruction, comment] = line.text.match(/^(\s*)(.*?)(?:\s+# (.*))?$/s);
  const is_label = indent === "" && instruction.endsWith(":");
  const kind = is_label ? "label" : instruction.startsWith(".") ? "directive" : "instruction";
  const code = element("code", { class: "assembly" }, element("span", { class: kind }, (is_label ? "" : "  ") + shown(instruction)));
  if (comment === undefined) return code;
  const note = element("span", { class: "comment" });
  let at = 0;
  for (const match of comment.matchAll(/%[\w$.-]*[\w$]/g)) {
    note.append(shown(comment.slice(at, match.index)));
    note.append(element("span", { class: "value", "data-value": valueOf(line.place, match[0]) }, match[0]));
    at = match.index + match[0].length;
  }
  note.append(shown(comment.slice(at)));
  code.append(note);
  return code;
}

function columnElement(name, title, content, rows) {
  const scroll = element("div", { class: "scroll", role: "listbox", "aria-label": title, tabindex: "0", "data-column": name });
  scroll.append(...rows);
  return element("section", { class: `column ${name}` }, element("h3", {}, title, " ", element("span", { class: "muted" }, content)),
    rows.length > 0 ? scroll : element("p", { class: "empty" }, content));
}

function cutNote(kept, all) {
  return kept < all ? `the first ${kept.toLocaleString("en")} of ${counted(all, "line")}` : counted(all, "line");
}

function functionChoice() {
  const choice = element("select", { id: "function" },
    ...data.functions.map((name, index) => element("option", { value: index, selected: index === state.code }, "@" + shown(name))));
  choice.addEventListener("change", () => {
    state.code = Number(choice.value);
    drawCode();
  });
  return element("label", { class: "function" }, "Function ", choice);
}

function drawCode() {
  const trace = currentTrace();
  const view = document.getElementById("view-code");
  if (data.functions.length === 0) {
    view.replaceChildren(element("p", { class: "empty" }, "The module has no function, so there is no code."));
    return;
  }
  const code = trace.code[state.code];
  const ir = trace.texts[trace.output[state.code]] ?? [];
  const loops = linesOf(code.loops);
  const assembly = linesOf(code.assembly).filter((line, index, all) => line.text !== "" || index + 1 < all.length);
  const valueOf = namesByPlace([loops, ir]);
  const rowsOf = (text) => text.map((line, index) => lineElement(line, index + 1));
  view.replaceChildren(
    element("div", { class: "bar" },
      severalFunctions ? functionChoice() : element("h2", {}, "@" + shown(data.functions[0])),
      element("p", { id: "linked", class: "muted", role: "status" })),
    element("div", { class: "columns" },
      columnElement("ir", "IR", ir.length > 0 ? "after the last pass" : "This text was not kept: it is too long.", rowsOf(ir)),
      columnElement("loops", "Loops", loops.length > 0 ? cutNote(loops.length, code.loop_lines) : code.why_none, rowsOf(loops)),
      columnElement("asm", "Assembly", assembly.length > 0 ? `${data.isa}, ${cutNote(code.assembly.length, code.assembly_lines)}` : code.why_none,
        assembly.map((line, index) => lineElement(line, index + 1, { code: assemblyCode(line, valueOf) })))));
  paintLinks();
}

// What is linked just now, in words.
function sayLinks() {
  const said = document.getElementById("linked");
  if (!said) return;
  const place = held.place || hovered;
  const count = (name) => document.querySelectorAll(`.column.${name} .line[data-place="${place}"]`).length;
  const [ir, loops, asm] = ["ir", "loops", "asm"].map(count);
  if (!place || ir + loops + asm === 0) said.textContent = "Point at a line, or click it, to see what is made of it.";
  else if (asm + loops === 0) said.textContent = `${placeName(place)}: no code of its own`;
  else said.textContent = `${placeName(place)}: ${counted(ir, "line")} of IR, ${counted(loops, "line")} of loops, ${counted(asm, "line")} of assembly`;
}
