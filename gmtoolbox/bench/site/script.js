"use strict";
// Everything is in the page already: this only shows, hides, highlights and sorts.

// One of several: <select data-shows="group"> or radio buttons named "group" show the element
// [data-group="group"][data-value=...] and hide its brothers.
function show(group, value) {
  for (const element of document.querySelectorAll(`[data-group="${group}"]`)) element.hidden = element.dataset.value !== value;
}
// The address names the view: #profile=car&methods=fm&methods=fw shows the same on another screen;
// #dataset-car.html is short for #page=dataset-car.html.
const read = () => new URLSearchParams(location.hash.slice(1).replace(/^[^=]+$/, "page=$&"));
let view = read();
function remember(name, values, change = "replaceState") {
  view.delete(name);
  for (const value of values) view.append(name, value);
  history[change](null, "", view.size ? "#" + view : location.pathname + location.search);
}
function startSwitches() {
  for (const control of document.querySelectorAll("[data-shows]")) startSwitch(control);
}
function startSwitch(control) {
  const group = control.dataset.shows;
  control.addEventListener("change", () => { apply(control); if (control.type !== "radio" || control.checked) remember(group, [control.value]); });
  restore(control);
}
function apply(control) {
  if (control.type !== "radio" || control.checked) show(control.dataset.shows, control.value);
}
// The choice that the address names, or the first one where the page has no such choice.
function restore(control) {
  const group = control.dataset.shows, wanted = view.get(group);
  if (control.type === "radio") {
    const known = wanted !== null && document.querySelector(`[name="${group}"][value="${CSS.escape(wanted)}"]`);
    control.checked = known ? control.value === wanted : control.defaultChecked;
  } else {
    const options = [...control.options];
    (options.find(option => option.value === wanted) ?? options.find(option => option.defaultSelected) ?? options[0]).selected = true;
  }
  apply(control);
}

// Highlighting: pointing at a curve or a name shows it for the moment, a click or a legend button keeps it.
const kept = new Set(view.getAll("methods"));
function highlight(passing) {
  const wanted = new Set(kept);
  if (passing) wanted.add(passing);
  for (const chart of document.querySelectorAll(".chart")) {
    chart.classList.toggle("some", wanted.size > 0);
    for (const part of chart.querySelectorAll("[data-method]")) part.classList.toggle("on", wanted.has(part.dataset.method));
    for (const label of chart.querySelectorAll("[data-members]")) {
      // A label of many methods says the chosen ones of them.
      const here = JSON.parse(label.dataset.members).filter(method => wanted.has(method));
      const lines = [...label.querySelectorAll("tspan")];
      for (const [k, line] of lines.entries()) {
        line.dataset.rest ??= line.textContent;
        line.textContent = here.length ? (k ? "" : here.join(", ")) : line.dataset.rest;
      }
      label.classList.toggle("on", here.length > 0);
    }
  }
  for (const row of document.querySelectorAll("tr[data-method]")) row.classList.toggle("on", wanted.has(row.dataset.method));
  for (const button of document.querySelectorAll(".legend button")) button.setAttribute("aria-pressed", kept.has(button.dataset.method));
  const said = [...wanted].map(method => {
    const figure = [...document.querySelectorAll(".chart[data-facts]")].find(f => !f.hidden);
    return figure ? JSON.parse(figure.dataset.facts)[method] : "";
  }).filter(Boolean).join("; ");
  for (const readout of document.querySelectorAll(".readout")) readout.textContent = said || readout.dataset.rest;
}
function toggle(method) {
  if (!kept.delete(method)) kept.add(method);
  remember("methods", kept);
  highlight();
}
function startHighlights() {
  for (const part of document.querySelectorAll(".chart [data-method]")) {
    part.addEventListener("pointerenter", () => highlight(part.dataset.method));
    part.addEventListener("pointerleave", () => highlight());
    part.addEventListener("click", () => toggle(part.dataset.method));
  }
  for (const button of document.querySelectorAll(".legend button")) {
    button.addEventListener("click", () => toggle(button.dataset.method));
    button.addEventListener("focus", () => highlight(button.dataset.method));
    button.addEventListener("blur", () => highlight());
  }
  for (const select of document.querySelectorAll("select[data-shows]")) select.addEventListener("change", () => highlight());
  for (const box of document.querySelectorAll("input[data-overlay]"))
  box.addEventListener("change", () => document.querySelectorAll(".chart").forEach(c => c.classList.toggle("plain", !box.checked)));
}
document.addEventListener("keydown", event => {
  if (event.key === "Escape") { kept.clear(); remember("methods", []); highlight(); }
});

// Arrow keys on a chart walk through its curves, Enter keeps one.
function startKeys() {
  for (const chart of document.querySelectorAll(".chart")) {
    const curves = [...new Set([...chart.querySelectorAll(".curve")].map(curve => curve.dataset.method))].reverse();
    let at = -1;
    chart.addEventListener("keydown", event => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step && curves.length) {
        at = (at + step + curves.length) % curves.length;
        highlight(curves[at]);
        event.preventDefault();
      } else if (event.key === "Enter" && at >= 0 && event.target === chart) toggle(curves[at]);
    });
    chart.addEventListener("blur", () => { at = -1; highlight(); });
  }
}

// Sorting: a click on a heading sorts, another one turns round. Cells without a number go to the end either way.
function startTables() {
  for (const table of document.querySelectorAll("table.sortable")) {
    const headings = [...table.tHead.rows[0].cells];
    headings.forEach((heading, column) => heading.querySelector("button").addEventListener("click", () => {
      const direction = heading.getAttribute("aria-sort") === "ascending" ? -1 : 1;
      headings.forEach(other => other.removeAttribute("aria-sort"));
      heading.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
      const key = row => row.cells[column].dataset.key ?? row.cells[column].textContent;
      const rows = [...table.tBodies[0].rows];
      rows.forEach(row => row.classList.remove("line"));
      rows.sort((a, b) => {
        const x = key(a), y = key(b), numbers = x !== "" && y !== "" && !isNaN(x) && !isNaN(y);
        if (x === "" || y === "") return (x === "") - (y === "");
        return direction * (numbers ? x - y : x.localeCompare(y, "en", { numeric: true }));
      });
      table.tBodies[0].append(...rows);
    }));
  }
}

// Below every table: copy it for a paper or a page; below every chart without a file: save it.
function tool(place, text, action) {
  let tools = place.nextElementSibling;
  if (!tools?.classList.contains("tools")) {
    tools = document.createElement("div");
    tools.className = "tools";
    place.after(tools);
  }
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = text;
  button.addEventListener("click", () => {
    action();
    button.textContent = text + " \u2713";
    setTimeout(() => { button.textContent = text; }, 1500);
  });
  tools.append(button);
}
function cells(table) {
  return [...table.rows].map(row => [...row.cells].map(cell => cell.textContent.trim()));
}
function markdown(table) {
  const [head, ...rows] = cells(table).map(row => row.map(cell => cell.replaceAll("|", "\\|")));
  return [head, head.map((_, k) => k ? "--:" : "---"), ...rows].map(row => `| ${row.join(" | ")} |`).join("\n") + "\n";
}
function latex(table) {
  const special = { "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "<": "$<$", ">": "$>$", "|": "$|$" };
  const spelled = text => text.replace(/[\\~^<>|&%$#_{}]/g, letter => special[letter] ?? "\\" + letter);
  const [head, ...rows] = cells(table).map(row => row.map(spelled).join(" & ") + " \\\\");
  const columns = "l" + "r".repeat(table.rows[0].cells.length - 1);
  return ["\\begin{tabular}{" + columns + "}", "\\toprule", head, "\\midrule", ...rows, "\\bottomrule", "\\end{tabular}", ""].join("\n");
}
function copy(text) {
  if (navigator.clipboard) { navigator.clipboard.writeText(text).catch(() => copyByHand(text)); return; }
  copyByHand(text);
}
function copyByHand(text) {
  const box = document.createElement("textarea");
  box.value = text;
  document.body.append(box);
  box.select();
  document.execCommand("copy");
  box.remove();
}
function startTools() {
  for (const table of document.querySelectorAll("table")) {
    const place = table.closest(".scroll") ?? table;
    tool(place, "Copy as Markdown", () => copy(markdown(table)));
    tool(place, "Copy as LaTeX", () => copy(latex(table)));
  }
  for (const figure of document.querySelectorAll("figure")) {
    const svg = figure.querySelector(":scope > svg");
    if (!svg || figure.querySelector(".files")) continue;
    tool(svg, "Save as SVG", () => {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(whole(svg))], { type: "image/svg+xml" }));
      link.download = (svg.querySelector("title")?.textContent ?? "picture").replace(/[^\w-]+/g, "-") + ".svg";
      link.click();
      URL.revokeObjectURL(link.href);
    });
    tool(svg, "Save as PDF", () => printAlone(whole(svg)));
  }
}

// A copy of a chart with the key below it, which the page replaces by buttons.
function whole(svg) {
  const copy = svg.cloneNode(true), box = copy.viewBox.baseVal;
  box.height += Number(copy.dataset.key ?? 0);
  copy.setAttribute("height", box.height);
  return copy;
}

// The browser's own printing, with nothing but the chart on a page of its size.
function printAlone(svg) {
  const { width, height } = svg.viewBox.baseVal;
  const size = document.createElement("style"), sheet = document.createElement("div");
  size.textContent = `@page { size: ${width}px ${height}px; margin: 0 }`;
  sheet.className = "printed";
  sheet.style.width = `${width}px`;
  sheet.append(svg);
  document.head.append(size);
  document.body.append(sheet);
  document.documentElement.classList.add("printing");
  addEventListener("afterprint", () => {
    document.documentElement.classList.remove("printing");
    size.remove();
    sheet.remove();
  }, { once: true });
  print();
}

// A report of one file keeps its other pages in templates: links to them change the content.
function openPage(name) {
  const page = name && document.querySelector(`template[data-page="${CSS.escape(name)}"]`);
  if (!page) return false;
  document.getElementById("content").replaceChildren(page.content.cloneNode(true));
  document.title = page.dataset.title;
  start();
  return true;
}
document.addEventListener("click", event => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const target = event.target.closest?.("a[href^='#']")?.getAttribute("href"), page = target?.split("#page=")[1];
  if (page && openPage(page)) {
    remember("page", page === "index.html" ? [] : [page], "pushState");
    scrollTo(0, 0);
  } else if (target !== "#content") return;
  event.preventDefault();  // the address keeps the rest of the view
  document.getElementById("content").focus();
});
function start() {
  startSwitches();
  startHighlights();
  startKeys();
  startTables();
  startTools();
  highlight();
}
// Back, forward and an address typed over this one.
addEventListener("popstate", () => {
  view = read();
  kept.clear();
  for (const method of view.getAll("methods")) kept.add(method);
  if (openPage(view.get("page")) || openPage("index.html")) return;
  document.querySelectorAll("[data-shows]").forEach(restore);
  highlight();
});
if (!openPage(view.get("page"))) start();
