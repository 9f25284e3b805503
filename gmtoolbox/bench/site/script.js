"use strict";
// Everything is in the page already: this only shows, hides, highlights and sorts.

// One of several: <select data-shows="group"> or radio buttons named "group" show the element
// [data-group="group"][data-value=...] and hide its brothers.
function show(group, value) {
  for (const element of document.querySelectorAll(`[data-group="${group}"]`)) element.hidden = element.dataset.value !== value;
}
for (const control of document.querySelectorAll("[data-shows]")) {
  const apply = () => { if (control.type !== "radio" || control.checked) show(control.dataset.shows, control.value); };
  control.addEventListener("change", apply);
  apply();
}

// Highlighting: pointing at a curve or a name shows it for the moment, a click or a legend button keeps it.
const kept = new Set();
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
  highlight();
}
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
document.addEventListener("keydown", event => { if (event.key === "Escape") { kept.clear(); highlight(); } });

highlight();

// Sorting: a click on a heading sorts, another one turns round. Cells without a number go to the end either way.
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
