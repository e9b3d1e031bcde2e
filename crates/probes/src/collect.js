// Collects what `trueup-probes` reads of the page that is shown. Any browser driver can evaluate it; the result is an object that
// `Page::from_json` takes. It changes nothing in the page.
(properties) => {
  const plain = (text) => text.replace(/\s+/g, ' ').trim();
  const quoted = (name) => CSS.escape(name);
  const alone = (selector) => {
    try { return document.querySelectorAll(selector).length === 1; } catch { return false; }
  };
  // The shortest thing that will still find it after the layout has changed: an id, a test id, else the path from the nearest of them.
  const names = new Map();
  const selectorOf = (element) => {
    const known = names.get(element);
    if (known !== undefined) return known;
    let selector;
    const marks = ['data-testid', 'data-test', 'data-test-id', 'data-qa'];
    if (element.id && alone('#' + quoted(element.id))) {
      selector = '#' + quoted(element.id);
    } else {
      const mark = marks.find((name) => element.hasAttribute(name));
      const byMark = mark && `[${mark}="${element.getAttribute(mark).replace(/["\\]/g, '\\$&')}"]`;
      if (byMark && alone(byMark)) {
        selector = byMark;
      } else {
        const tag = element.localName;
        const parent = element.parentElement;
        if (!parent) {
          selector = tag;
        } else {
          const alike = [...parent.children].filter((child) => child.localName === tag);
          const own = alike.length === 1 ? tag : `${tag}:nth-of-type(${alike.indexOf(element) + 1})`;
          selector = tag === 'body' || tag === 'head' ? tag : `${selectorOf(parent)} > ${own}`;
        }
      }
    }
    names.set(element, selector);
    return selector;
  };

  const elements = [];
  const index = new Map();
  for (const element of document.querySelectorAll('*')) {
    if (element.closest('head') || ['SCRIPT', 'STYLE', 'TEMPLATE', 'NOSCRIPT'].includes(element.tagName)) continue;
    const parent = element.parentElement;
    const computed = getComputedStyle(element);
    const area = element.getBoundingClientRect();
    const attributes = {};
    for (const { name, value } of element.attributes) {
      attributes[name] = value.length > 2000 ? value.slice(0, 2000) : value;
    }
    const style = {};
    for (const property of properties) style[property] = computed.getPropertyValue(property);
    const own = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE);
    const text = plain(own.map((node) => node.data).join(' '))
      || (element.localName === 'input' && ['submit', 'button', 'reset'].includes(element.type) ? plain(element.value) : '');
    const picture = element.localName === 'img';
    index.set(element, elements.length);
    elements.push({
      parent: parent && index.has(parent) ? index.get(parent) : null,
      tag: element.localName,
      selector: selectorOf(element),
      attributes,
      text,
      bounds: { x: area.x + scrollX, y: area.y + scrollY, width: area.width, height: area.height },
      scroll: { width: element.scrollWidth, height: element.scrollHeight },
      inner: { width: element.clientWidth, height: element.clientHeight },
      natural: picture ? { width: element.naturalWidth, height: element.naturalHeight } : null,
      shown: area.width > 0 && area.height > 0
        && (element.checkVisibility ? element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
          : computed.visibility === 'visible' && computed.display !== 'none'),
      style,
    });
  }

  const declarations = [];
  const unread = [];
  const note = (selector, style, sheet) => {
    for (const property of style) {
      declarations.push({ selector, property, value: style.getPropertyValue(property).trim(), sheet });
    }
    // A shorthand that holds a variable has no longhand values to read.
    for (const property of ['padding', 'margin', 'gap', 'border-radius', 'background', 'font', 'inset', 'border']) {
      const value = style.getPropertyValue(property).trim();
      if (value.includes('var(')) declarations.push({ selector, property, value, sheet });
    }
  };
  const read = (rules, sheet, within) => {
    for (const rule of rules) {
      if (rule.style && rule.selectorText) {
        const nested = within && rule.selectorText.includes('&') ? rule.selectorText.replaceAll('&', within) : rule.selectorText;
        note(nested, rule.style, sheet);
        if (rule.cssRules?.length) read(rule.cssRules, sheet, nested);
      } else if (rule.styleSheet) {
        open(rule.styleSheet, rule.href || sheet);
      } else if (rule.cssRules) {
        read(rule.cssRules, sheet, within);
      }
    }
  };
  const open = (sheet, address) => {
    try { read(sheet.cssRules, address, ''); } catch { unread.push(address); }
  };
  for (const sheet of document.styleSheets) open(sheet, sheet.href || '');
  for (const element of document.querySelectorAll('[style]')) note(selectorOf(element), element.style, '');

  const root = document.scrollingElement || document.documentElement;
  return {
    url: location.href,
    title: document.title,
    viewport: { width: innerWidth, height: innerHeight },
    content: { width: root.scrollWidth, height: root.scrollHeight },
    elements,
    declarations,
    unread_sheets: unread,
  };
}
