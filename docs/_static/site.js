/* Accessibility of parts that scroll sideways, and of the theme's search field. */
document.addEventListener("DOMContentLoaded", () => {
  /* A wide table or formula can be scrolled with the keyboard once it can have the focus. */
  const makeReachable = () => {
    for (const box of document.querySelectorAll(".bd-article table, .bd-article div.math")) {
      if (box.scrollWidth > box.clientWidth) {
        box.tabIndex = 0;
      } else {
        box.removeAttribute("tabindex");
      }
    }
  };
  makeReachable();
  window.addEventListener("resize", makeReachable);
  /* The text of a thumbnail's link is hidden behind its picture. */
  for (const link of document.querySelectorAll(".sphx-glr-thumbcontainer a")) {
    link.setAttribute("aria-label", link.textContent.trim());
  }
  /* docutils gives lists of references roles that ARIA does not allow there. */
  for (const list of document.querySelectorAll(".citation-list[role]")) {
    for (const item of [list, ...list.children]) {
      item.removeAttribute("role");
    }
  }
  /* The button shows "Search Ctrl + K", on narrow screens an icon alone: its name has all of the text. */
  for (const button of document.querySelectorAll(".search-button-field")) {
    button.setAttribute("aria-label", button.textContent.replace(/\s+/g, " ").trim() || "Search");
  }
});
