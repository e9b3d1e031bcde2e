"use strict";
(() => {
  const at = (id) => document.getElementById(id);
  const rows = [...document.querySelectorAll("#entries tbody tr")];
  const names = rows.map((row) => row.cells[0].textContent.toLowerCase());

  function show() {
    const wanted = at("filter").value.trim().toLowerCase();
    let shown = 0;
    rows.forEach((row, place) => {
      const fits = names[place].includes(wanted) && !(at("failing").checked && row.dataset.status === "pass");
      row.hidden = !fits;
      shown += fits ? 1 : 0;
    });
    at("count").textContent = shown === rows.length ? "" : `${shown} of ${rows.length}`;
  }

  at("filter").addEventListener("input", show);
  at("failing").addEventListener("change", show);
  at("theme").addEventListener("click", () => {
    const dark = document.documentElement.dataset.theme
      ? document.documentElement.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    document.documentElement.dataset.theme = dark ? "light" : "dark";
  });
  show();
})();
