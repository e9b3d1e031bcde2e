// Runs in a world of its own beside the page's scripts: it shares the document with them and nothing else, so that neither what a
// page does to built-in objects nor anything here shows on the other side.
const page = (() => {
  const frame = () => new Promise((done) => requestAnimationFrame(() => done()));
  const atMost = (promise, time) => Promise.race([promise, new Promise((done) => setTimeout(done, time))]);

  // Motion has an end that a capture can show: what ends is shown at its end, what never ends at its beginning.
  const still = () => {
    const rules = `*, *::before, *::after { transition: none !important; caret-color: transparent !important;
      scroll-behavior: auto !important; }`;
    if (![...document.adoptedStyleSheets].some((sheet) => sheet.cssRules[0]?.cssText.includes("caret-color"))) {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(rules);
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    }
    for (const animation of document.getAnimations()) {
      const { endTime } = animation.effect?.getComputedTiming() ?? {};
      try {
        if (Number.isFinite(endTime)) animation.finish();
        else animation.cancel();
      } catch {
        animation.cancel();
      }
    }
    for (const media of document.querySelectorAll("video, audio")) {
      media.pause();
      if (media.currentTime !== 0) media.currentTime = 0;
    }
    for (const drawing of document.querySelectorAll("svg")) {
      drawing.pauseAnimations?.();
      drawing.setCurrentTime?.(0);
    }
  };

  // Pages that load what comes into view show it all once everything has been in view.
  const scrollThrough = async () => {
    const step = Math.max(innerHeight, 1);
    for (let y = 0; y < document.documentElement.scrollHeight && y < 200 * step; y += step) {
      scrollTo({ top: y, behavior: "instant" });
      await frame();
    }
    scrollTo({ top: 0, left: 0, behavior: "instant" });
    await frame();
  };

  const images = (all) => {
    const near = (image) => {
      const box = image.getBoundingClientRect();
      return box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth;
    };
    const shown = [...document.images].filter((image) => all || image.complete || near(image));
    return Promise.all(
      shown.map((image) => {
        if (all) image.loading = "eager";
        image.decoding = "sync";
        return image.decode().catch(() => {});
      }),
    );
  };

  // Only what a script, a film or another document draws can change by itself once motion is stopped.
  const canChange = () => {
    const sources = "script:not([type]), script[type=''], script[type*=javascript], script[type=module], iframe, frame, video, object, embed";
    if (document.querySelector(sources)) return true;
    const handler = document.evaluate("//@*[starts-with(name(), 'on')]", document, null, XPathResult.ANY_UNORDERED_NODE_TYPE, null);
    return handler.singleNodeValue !== null;
  };

  const size = () => {
    const root = document.documentElement;
    const body = document.body;
    return {
      width: Math.max(root.scrollWidth, body?.scrollWidth ?? 0),
      height: Math.max(root.scrollHeight, body?.scrollHeight ?? 0),
    };
  };

  const settle = async ({ whole, limit }) => {
    still();
    if (whole) await scrollThrough();
    await atMost(Promise.all([document.fonts.ready, images(whole)]), limit);
    still();
    return { canChange: canChange(), ...size() };
  };

  // A selector that survives edits elsewhere: an id, a key for tests, else the way from the nearest of these. No classes: tools
  // make them up anew with every change of style. The same as the one by which `trueup-probes` names elements.
  const selectors = () => {
    const marks = ["data-testid", "data-test", "data-test-id", "data-qa"];
    const counts = new Map(["id", ...marks].map((attribute) => {
      const counts = new Map();
      for (const element of document.querySelectorAll(`[${attribute}]`)) {
        const name = element.getAttribute(attribute);
        counts.set(name, (counts.get(name) ?? 0) + 1);
      }
      return [attribute, counts];
    }));
    const isOnly = (element, attribute) => counts.get(attribute).get(element.getAttribute(attribute)) === 1;
    const known = new Map();
    const of = (element) => {
      let found = known.get(element);
      if (found !== undefined) return found;
      const mark = marks.find((mark) => element.hasAttribute(mark));
      const parent = element.parentElement;
      if (element.id && isOnly(element, "id")) found = `#${CSS.escape(element.id)}`;
      else if (mark && isOnly(element, mark)) {
        found = `[${mark}="${element.getAttribute(mark).replace(/["\\]/g, "\\$&")}"]`;
      } else if (!parent || element.localName === "body") found = element.localName;
      else {
        const alike = [...parent.children].filter((other) => other.localName === element.localName);
        const nth = alike.length > 1 ? `:nth-of-type(${alike.indexOf(element) + 1})` : "";
        found = `${of(parent)} > ${CSS.escape(element.localName)}${nth}`;
      }
      known.set(element, found);
      return found;
    };
    return of;
  };

  const STYLES = [
    "color", "background-color", "background-image", "border-color", "border-width", "border-radius", "box-shadow", "opacity",
    "display", "position", "gap", "padding", "margin", "font-family", "font-size", "font-weight", "font-style", "line-height",
    "letter-spacing", "text-align", "text-decoration-line", "text-transform", "transform",
  ];

  // The boxes of all elements that are shown, in the order of the document, from the document's upper left corner.
  const elements = ({ styles }) => {
    const selectorOf = selectors();
    const found = [];
    for (const element of document.querySelectorAll("*")) {
      const box = element.getBoundingClientRect();
      if (!(box.width > 0 && box.height > 0) || !element.checkVisibility({ visibilityProperty: true })) continue;
      const entry = { selector: selectorOf(element), box: [box.x + scrollX, box.y + scrollY, box.width, box.height] };
      if (styles) {
        const computed = getComputedStyle(element);
        entry.styles = STYLES.map((name) => [name, computed.getPropertyValue(name)]);
        const own = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE);
        const text = own.map((node) => node.data).join(" ").replace(/\s+/g, " ").trim();
        if (text) entry.text = text.slice(0, 200);
      }
      found.push(entry);
      if (found.length >= 20000) break;
    }
    return { elements: found, scroll: [scrollX, scrollY] };
  };

  const all = (selector) => {
    try {
      return [...document.querySelectorAll(selector)];
    } catch {
      return null;
    }
  };

  // Where what a selector finds is: null where it is no selector.
  const boxes = ({ selector }) => {
    const found = all(selector);
    return found && found.map((element) => {
      const box = element.getBoundingClientRect();
      return [box.x + scrollX, box.y + scrollY, box.width, box.height];
    });
  };

  // Brings what a selector finds into view, `always` into the middle of it, and says where it is there, and what covers it.
  const reach = ({ selector, always }) => {
    const found = all(selector);
    if (!found) return { isSelector: false };
    const element = found.find((element) => element.checkVisibility({ visibilityProperty: true }));
    if (!element) return { isSelector: true, isThere: found.length > 0 };
    let box = element.getBoundingClientRect();
    const isInView = box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth;
    if (always || !isInView) {
      element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
      box = element.getBoundingClientRect();
    }
    const x = box.x + box.width / 2;
    const y = box.y + box.height / 2;
    const top = document.elementFromPoint(x, y);
    const isFree = top !== null && (element.contains(top) || top.contains(element));
    return { isSelector: true, isThere: true, x, y, cover: isFree || top === null ? null : selectors()(top), isFree };
  };

  const focus = ({ selector }) => {
    const element = all(selector)?.[0];
    element?.focus({ preventScroll: true });
    element?.select?.();
    return element !== undefined && (document.activeElement === element || element.contains(document.activeElement));
  };

  // What a person would press in a page: links, buttons, and what scripts make one.
  const CONTROLS = `a[href], area[href], button, summary, input[type=submit], input[type=button], input[type=reset], input[type=image],
    [role=button], [role=link], [role=tab], [role=menuitem], [role=switch], [onclick]`;

  const controls = () => {
    const selectorOf = selectors();
    const shown = [...document.querySelectorAll(CONTROLS)].filter((element) => {
      const box = element.getBoundingClientRect();
      return box.width > 0 && box.height > 0 && !element.matches(":disabled, [aria-disabled=true], body, html")
        && element.checkVisibility({ visibilityProperty: true });
    });
    return shown.map((element) => {
      const address = element.localName === "a" || element.localName === "area" ? element.href : "";
      const named = element.getAttribute("aria-label") ?? element.innerText ?? element.value ?? element.getAttribute("alt");
      const said = (named || element.value || "").replace(/\s+/g, " ").trim().slice(0, 200);
      const target = address ? element.getAttribute("href") : said || element.localName;
      return { selector: selectorOf(element), target, address, origin: location.origin };
    });
  };

  // Begins to note what changes, and has what the element leads to open in this page, where it can be seen.
  const observe = async ({ selector }) => {
    const element = all(selector)?.[0];
    if (!element) return false;
    for (const holder of [element.closest("a, area"), element.form ?? element.closest("form")]) {
      if (holder?.target && holder.target !== "_self") holder.removeAttribute("target");
    }
    element.removeAttribute("formtarget");
    element.blur();
    await frame();
    await frame();
    const noted = { changed: false, element, scroll: [scrollX, scrollY], focus: document.activeElement };
    const note = () => { noted.changed = true; };
    new MutationObserver(note).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    for (const event of ["invalid", "toggle", "change", "input", "play", "copy", "fullscreenchange"]) {
      document.addEventListener(event, note, { capture: true });
    }
    globalThis.trueup = noted;
    return true;
  };

  // Whether something changed since; null in a document that came since.
  const observed = async () => {
    const noted = globalThis.trueup;
    if (!noted) return null;
    await frame();
    const focus = document.activeElement;
    const refocused = focus !== noted.focus && focus !== noted.element && focus !== document.body && !focus?.contains(noted.element);
    const scrolled = Math.abs(scrollX - noted.scroll[0]) > 1 || Math.abs(scrollY - noted.scroll[1]) > 1;
    const address = noted.element.closest("a, area")?.href;
    const fragment = address && new URL(address).hash.slice(1);
    const here = address && address.split("#")[0] === location.href.split("#")[0] && fragment;
    let decoded = fragment;
    try { decoded = decodeURIComponent(fragment); } catch { /* It is meant as it is written. */ }
    const names = here && fragment !== "top" ? [fragment, decoded] : [];
    const lost = names.length > 0 && !names.some((name) => document.getElementById(name) ?? document.getElementsByName(name)[0]);
    return { changed: noted.changed || refocused || scrolled, found: Boolean(here) && !lost, lost: lost ? fragment : null };
  };

  // Puts texts in the place of style sheets that no script may read: only scripts of this world see them.
  const openSheets = ({ texts }) => {
    const known = new Map(texts);
    const sheets = [...document.styleSheets].map((sheet) => {
      try {
        return sheet.cssRules && sheet;
      } catch {
        if (!known.has(sheet.href)) return sheet;
        const own = new CSSStyleSheet();
        own.replaceSync(known.get(sheet.href));
        return { href: sheet.href, cssRules: own.cssRules };
      }
    });
    Object.defineProperty(document, "styleSheets", { value: sheets, configurable: true });
    return true;
  };

  // Presses what no pointer reaches, as a keyboard does.
  const activate = ({ selector }) => {
    const element = all(selector)?.[0];
    element?.focus({ preventScroll: true });
    element?.click();
    return element !== undefined;
  };

  const place = () => location.pathname + location.search + location.hash;

  return { settle, still, elements, boxes, reach, focus, controls, openSheets, observe, observed, activate, place };
})();
