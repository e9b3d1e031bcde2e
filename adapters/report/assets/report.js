"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const at = (id) => document.getElementById(id);
  const stage = at("stage"), mix = at("mix"), regions = at("regions");
  const make = (tag, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };
  const shown = { iteration: Math.max(0, data.iterations.length - 1), label: 0, mode: "side", zoom: 1, region: -1 };
  let blinking = 0;

  const label = () => data.iterations[shown.iteration]?.labels[shown.label];
  const press = (buttons, chosen) => buttons.forEach((button) => button.setAttribute("aria-pressed", String(button === chosen)));

  for (const [index, iteration] of data.iterations.entries()) {
    const score = iteration.score === null ? "score unknown" : `score ${iteration.score}`;
    at("iteration").append(make("option", { value: index, textContent: `${iteration.number} · ${iteration.kind} · ${score}` }));
  }

  function picture(place, alt) {
    const source = place === null || place === undefined ? undefined : data.images[place];
    return source === undefined ? undefined : make("img", { src: source, alt, draggable: false });
  }

  function pane(...images) {
    const box = make("div", { className: shown.zoom > 1 ? "pane zoomed" : "pane" }, ...images.filter(Boolean));
    const width = label().size[0] || 320;
    box.style.width = `${Math.round(width * shown.zoom)}px`;
    const region = label().regions[shown.region];
    if (region) {
      const spot = make("div", { className: "spot" });
      const [x, y, columns, rows] = region.area;
      for (const [name, value] of [["left", x - 3], ["top", y - 3], ["width", columns + 6], ["height", rows + 6]]) {
        spot.style[name] = `${value * shown.zoom}px`;
      }
      box.append(spot);
    }
    return box;
  }

  const figure = (text, ...images) => make("figure", {}, pane(...images), make("figcaption", { textContent: text }));

  function draw() {
    clearInterval(blinking);
    stage.replaceChildren();
    mix.hidden = !["slider", "onion"].includes(shown.mode);
    const current = label();
    if (!current) {
      stage.append(make("p", { textContent: "Nothing was compared in this iteration." }));
      return;
    }
    const [reference, actual, difference, heatmap] = current.pictures;
    const expected = () => picture(reference, `${current.name}: the reference`);
    const seen = () => picture(actual, `${current.name}: as it was captured`);
    if (!expected() && !seen() && !picture(difference, "")) {
      stage.append(make("p", { textContent: "There is no picture of this label." }));
    } else if (shown.mode === "side") {
      for (const [text, image] of [["reference", expected()], ["actual", seen()], ["difference", picture(difference, `${current.name}: the difference`)]]) {
        if (image) stage.append(figure(text, image));
      }
    } else if (shown.mode === "diff") {
      const image = picture(difference, `${current.name}: the difference`);
      stage.append(image ? figure("difference", image) : make("p", { textContent: "There is no picture of the difference." }));
    } else if (shown.mode === "heatmap") {
      const image = picture(heatmap, `${current.name}: how much each pixel differs`);
      stage.append(image ? figure("how much each pixel differs", image) : make("p", { textContent: "There is no heat map of this label: no pixel differs, or the comparer drew none." }));
    } else {
      const over = seen();
      if (over) over.className = "over";
      const box = figure("reference under actual", expected(), over);
      stage.append(box);
      const apply = () => {
        const share = Number(mix.value);
        if (!over) return;
        if (shown.mode === "onion") over.style.opacity = share / 100;
        if (shown.mode === "slider") {
          over.style.clipPath = `inset(0 0 0 ${share}%)`;
          let rule = box.querySelector(".rule");
          if (!rule) box.firstChild.append((rule = make("div", { className: "rule" })));
          rule.style.left = `${share}%`;
        }
      };
      mix.oninput = apply;
      apply();
      if (shown.mode === "slider") {
        const drag = (event) => {
          if (event.type === "pointermove" && !event.buttons) return;
          const area = box.firstChild.getBoundingClientRect();
          mix.value = Math.min(100, Math.max(0, (100 * (event.clientX - area.left)) / area.width));
          apply();
        };
        box.firstChild.onpointerdown = drag;
        box.firstChild.onpointermove = drag;
      }
      if (shown.mode === "blink" && over) {
        // Half a second each: slow enough for people who are sensitive to flicker.
        blinking = setInterval(() => { over.hidden = !over.hidden; }, 500);
      }
    }
    at("zoom").textContent = `${Math.round(shown.zoom * 100)} %`;
  }

  function list() {
    const current = label();
    const body = regions.tBodies[0];
    body.replaceChildren();
    const rows = current ? current.regions : [];
    const open = rows.filter((region) => region.open).length;
    at("summary").textContent = current ? `${current.name}: ${current.status}, ${open} open ${open === 1 ? "region" : "regions"}` : "";
    regions.hidden = at("kinds").hidden = rows.length === 0;
    // A kind that this label has not goes back to all of them.
    const kinds = [...new Set(rows.map((region) => region.kind))].sort();
    const kind = kinds.includes(at("kind").value) ? at("kind").value : "";
    at("kind").replaceChildren(make("option", { value: "", textContent: "of every kind" }), ...kinds.map((one) => make("option", { value: one, textContent: one })));
    at("kind").value = kind;
    for (const [index, region] of rows.entries()) {
      if ((kind && region.kind !== kind) || (at("failing").checked && !region.open)) continue;
      const choose = make("button", { type: "button", textContent: region.id });
      choose.setAttribute("aria-pressed", String(index === shown.region));
      choose.onclick = () => {
        shown.region = shown.region === index ? -1 : index;
        press([...body.querySelectorAll("button")], shown.region < 0 ? null : choose);
        draw();
        stage.querySelector(".spot")?.scrollIntoView({ block: "nearest", inline: "nearest" });
      };
      const [x, y, columns, height] = region.area;
      const cells = [region.kind, `${columns}×${height} at (${x}, ${y})`, region.pixels, ...region.delta_e, region.signed.join(" "), region.element ?? ""];
      body.append(make("tr", { className: region.open ? "" : "closed" }, make("td", {}, choose), ...cells.map((text) => make("td", { textContent: text }))));
    }
  }

  function labels() {
    const wanted = at("filter").value.toLowerCase(), failing = at("failing").checked;
    const items = data.iterations[shown.iteration]?.labels ?? [];
    const visible = items.map((item, index) => [item, index])
      .filter(([item]) => item.name.toLowerCase().includes(wanted) && !(failing && item.status === "pass"));
    if (!visible.some(([, index]) => index === shown.label) && visible.length > 0) shown.label = visible[0][1];
    at("labels").replaceChildren(...visible.map(([item, index]) => {
      const choose = make("button", { type: "button", textContent: item.name });
      choose.setAttribute("aria-pressed", String(index === shown.label));
      choose.onclick = () => { shown.label = index; shown.region = -1; show(); };
      return make("li", { className: item.status }, choose);
    }));
  }

  function show() {
    at("iteration").value = String(shown.iteration);
    labels();
    list();
    draw();
  }

  at("iteration").onchange = (event) => { shown.iteration = Number(event.target.value); shown.region = -1; show(); };
  at("filter").oninput = show;
  at("failing").onchange = show;
  at("kind").onchange = list;
  const modes = [...document.querySelectorAll("[data-mode]")];
  for (const button of modes) button.onclick = () => { shown.mode = button.dataset.mode; press(modes, button); draw(); };
  const zoom = (by) => { shown.zoom = Math.min(8, Math.max(0.25, shown.zoom * by)); draw(); };
  at("larger").onclick = () => zoom(2);
  at("smaller").onclick = () => zoom(0.5);
  stage.onkeydown = (event) => {
    const keys = { "+": () => zoom(2), "-": () => zoom(0.5) };
    for (const [index, button] of modes.entries()) keys[String(index + 1)] = () => button.click();
    const step = { ArrowLeft: -5, ArrowRight: 5 }[event.key];
    if (step && !mix.hidden) keys[event.key] = () => { mix.value = Number(mix.value) + step; mix.oninput?.(); };
    if (keys[event.key]) { event.preventDefault(); keys[event.key](); }
  };
  at("theme").onclick = () => {
    const dark = document.documentElement.dataset.theme
      ? document.documentElement.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    document.documentElement.dataset.theme = dark ? "light" : "dark";
  };
  show();
})();
