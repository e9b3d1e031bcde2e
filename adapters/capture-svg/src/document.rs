//! From the document as written to the document that the renderer understands: custom properties resolved, the size
//! of the viewport put in, nothing that would have to be loaded.

use std::ops::Range;

use resvg::usvg::roxmltree::{Attribute, Document, Node, ParsingOptions};
use trueup_frame::Size;

use crate::css::{self, Declaration, Statement};
use crate::custom_properties::{CustomProperties, Origin};
use crate::error::{Position, RenderError, RenderErrorKind};
use crate::note::Note;

const SVG: &str = "http://www.w3.org/2000/svg";
const XLINK: &str = "http://www.w3.org/1999/xlink";
/// The renderer knows no `:root`: it becomes a selector of this attribute, which only the root element gets and which is
/// as specific.
const ROOT_MARK: &str = "data-trueup-root";
/// Size of a picture without one, in CSS pixels.
const UNSIZED: Size = Size::new(300, 150);
/// Properties that CSS has for shapes, but the renderer reads as attributes only.
const GEOMETRY: [&str; 10] = ["x", "y", "cx", "cy", "r", "rx", "ry", "width", "height", "d"];

/// A document that can be rendered.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub(crate) text: String,
    pub(crate) notes: Vec<Note>,
}

/// Reads the bytes as text.
pub(crate) fn text(bytes: &[u8]) -> Result<&str, RenderError> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(RenderErrorKind::Empty.into());
    }
    if bytes.starts_with(b"\x1f\x8b") {
        return Err(RenderErrorKind::Compressed.into());
    }
    str::from_utf8(bytes).map_err(|error| {
        let valid = str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default();
        RenderError::from(RenderErrorKind::NotUtf8).at(Position::of(valid, valid.len())).because(error)
    })
}

/// Prepares a document. Without a viewport its own size is left as it is, and a document that has none and no `viewBox`
/// either is as large as CSS makes such a picture.
pub(crate) fn prepare(source: &str, viewport: Option<Size>) -> Result<Prepared, RenderError> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let document = Document::parse_with_options(source, options).map_err(|error| {
        let at = error.pos();
        let position = Position { line: at.row, column: at.col };
        // The position is said in front.
        let detail = error.to_string().replace(&format!(" at {at}"), "");
        RenderError::from(RenderErrorKind::Malformed { detail }).at(position).because(error)
    })?;
    let root = document.root_element();
    if !is_svg(root, "svg") {
        let kind = RenderErrorKind::NotSvg { root: root.tag_name().name().to_owned() };
        return Err(RenderError::from(kind).at(Position::of(source, root.range().start)));
    }
    let mut job =
        Job { source, properties: CustomProperties::default(), edits: Vec::new(), notes: Vec::new() };
    let sheets: Vec<Sheet<'_>> = document.descendants().filter_map(|node| job.sheet(node)).collect();
    for sheet in &sheets {
        job.declare_sheet(sheet);
    }
    for node in document.descendants().filter(Node::is_element) {
        job.declare_attribute(node, node == root);
    }
    for sheet in &sheets {
        job.rewrite_sheet(sheet)?;
    }
    for node in document.descendants().filter(Node::is_element) {
        job.refuse_external(node)?;
        for attribute in node.attributes() {
            job.rewrite_attribute(node, attribute)?;
        }
    }
    job.rewrite_root(root, viewport);
    Ok(Prepared { text: job.apply_edits()?, notes: job.notes })
}

fn is_svg(node: Node<'_, '_>, name: &str) -> bool {
    // Documents without the namespace are read too, as the renderer does.
    node.is_element()
        && node.tag_name().name() == name
        && matches!(node.tag_name().namespace(), None | Some(SVG))
}

/// A `<style>` element.
struct Sheet<'a> {
    css: &'a str,
    /// Everything between its tags.
    content: Range<usize>,
    /// Where `css` begins in the document, when it stands there as it is, without entities.
    start: Option<usize>,
}

impl Sheet<'_> {
    fn place(&self, source: &str, byte: usize) -> Position {
        Position::of(source, self.start.map_or(self.content.start, |start| start + byte))
    }
}

struct Job<'a> {
    source: &'a str,
    properties: CustomProperties,
    edits: Vec<(Range<usize>, String)>,
    notes: Vec<Note>,
}

impl<'a> Job<'a> {
    fn sheet<'d>(&self, node: Node<'d, 'a>) -> Option<Sheet<'d>> {
        let is_css = matches!(node.attribute("type"), None | Some("text/css"));
        if !is_svg(node, "style") || !is_css {
            return None;
        }
        let css = node.text()?;
        let content = content(self.source, node.range())?;
        let start = self.source[content.clone()].find(css).map(|at| content.start + at);
        Some(Sheet { css, content, start })
    }

    fn declare_sheet(&mut self, sheet: &Sheet<'_>) {
        for statement in css::statements(sheet.css) {
            let (selector, body) = match statement {
                Statement::Rule { selector, body } => (selector, body),
                Statement::At { name } => {
                    let position = sheet.place(self.source, name.start.saturating_sub(1));
                    self.notes.push(Note::AtRuleIgnored { name: sheet.css[name].to_owned(), position });
                    continue;
                }
            };
            let list = css::without_comments(&sheet.css[selector]);
            for declaration in css::declarations(sheet.css, body) {
                let name = &sheet.css[declaration.name.clone()];
                if !css::is_custom(name) {
                    continue;
                }
                let value = css::without_comments(&sheet.css[declaration.value]);
                let position = sheet.place(self.source, declaration.name.start);
                for selector in css::selectors(&list) {
                    let origin = match selector {
                        "svg" => Origin::Type,
                        ":root" | "svg:root" => Origin::Root,
                        other => {
                            self.properties.declare_scoped(name, format!("`{other}`"), position);
                            continue;
                        }
                    };
                    self.properties.declare(name, value.trim(), declaration.important, origin, position);
                }
            }
        }
    }

    fn declare_attribute(&mut self, node: Node<'_, '_>, is_root: bool) {
        let Some(attribute) = node.attributes().find(|a| a.name() == "style" && a.namespace().is_none())
        else {
            return;
        };
        let style = attribute.value();
        let position = Position::of(self.source, attribute.range().start);
        for declaration in css::declarations(style, 0..style.len()) {
            let name = &style[declaration.name.clone()];
            if !css::is_custom(name) {
                continue;
            }
            if is_root {
                let value = css::without_comments(&style[declaration.value]);
                let important = declaration.important;
                self.properties.declare(name, value.trim(), important, Origin::Attribute, position);
            } else {
                let element = format!("one <{}> element", node.tag_name().name());
                self.properties.declare_scoped(name, element, position);
            }
        }
    }

    fn rewrite_sheet(&mut self, sheet: &Sheet<'_>) -> Result<(), RenderError> {
        let mut out = String::new();
        for statement in css::statements(sheet.css) {
            let Statement::Rule { selector, body } = statement else { continue };
            let list = css::without_comments(&sheet.css[selector]);
            // The size of the root is the viewport's affair.
            let all_root = css::selectors(&list).iter().all(|s| matches!(*s, "svg" | ":root" | "svg:root"));
            let source = self.source;
            let body =
                self.rewrite_declarations(sheet.css, body, all_root, &|byte| sheet.place(source, byte))?;
            if !body.is_empty() {
                let marked = list.replace(":root", &format!("[{ROOT_MARK}]"));
                out.push_str(&format!("{marked}{{{body}}}\n"));
            }
        }
        self.edits.push((sheet.content.clone(), escape(&out)));
        Ok(())
    }

    /// The declarations anew, without custom properties and with all values resolved.
    fn rewrite_declarations(
        &mut self,
        css: &str,
        body: Range<usize>,
        of_root: bool,
        place: &dyn Fn(usize) -> Position,
    ) -> Result<String, RenderError> {
        let mut out = String::new();
        for Declaration { name: at, value, important, .. } in css::declarations(css, body) {
            let name = &css[at.clone()];
            if name.starts_with("--") {
                continue;
            }
            let start = value.start;
            let value = &css[value];
            let resolved = self.properties.substitute(value, &|byte| place(start + byte))?;
            let mut value = css::without_comments(resolved.as_deref().unwrap_or(value));
            let unsupported = if let Some(function) = css::math_function(&value) {
                Some(format!("{function}() in the value of `{name}`"))
            } else if GEOMETRY.contains(&name) && !of_root {
                Some(format!("the property `{name}` in CSS (the attribute is)"))
            } else {
                None
            };
            if let Some(what) = unsupported {
                return Err(RenderError::from(RenderErrorKind::Unsupported { what }).at(place(at.start)));
            }
            if name == "transform" {
                value = css::without_units(&value, &["px", "deg"]);
            }
            let important = if important { " !important" } else { "" };
            out.push_str(&format!("{name}:{}{important};", value.trim()));
        }
        Ok(out)
    }

    fn rewrite_attribute(
        &mut self,
        node: Node<'_, '_>,
        attribute: Attribute<'_, '_>,
    ) -> Result<(), RenderError> {
        let (name, value) = (attribute.name(), attribute.value());
        let range = value_range(self.source, attribute.range());
        let position = Position::of(self.source, range.start);
        let written_as_is = self.source.get(range.clone()) == Some(value);
        let source = self.source;
        let place = move |byte| {
            // Entities shift what stands behind them.
            if written_as_is { Position::of(source, range.start + byte) } else { position }
        };
        let range = value_range(self.source, attribute.range());
        if name == "style" && attribute.namespace().is_none() {
            let is_root = node.parent_element().is_none();
            let rewritten = self.rewrite_declarations(value, 0..value.len(), is_root, &place)?;
            self.edits.push((range, escape(&rewritten)));
            return Ok(());
        }
        if !takes_var(attribute) || !value.to_ascii_lowercase().contains("var(") {
            return Ok(());
        }
        let Some(mut resolved) = self.properties.substitute(value, &place)? else { return Ok(()) };
        if let Some(function) = css::math_function(&resolved) {
            let what = format!("{function}() in the attribute `{name}`");
            return Err(RenderError::from(RenderErrorKind::Unsupported { what }).at(position));
        }
        match name {
            "transform" | "gradientTransform" | "patternTransform" => {
                resolved = css::without_units(&resolved, &["px", "deg"]);
            }
            "d" | "points" | "viewBox" => resolved = css::without_units(&resolved, &["px"]),
            _ => {}
        }
        self.edits.push((range, escape(&resolved)));
        Ok(())
    }

    fn refuse_external(&self, node: Node<'_, '_>) -> Result<(), RenderError> {
        if !["image", "feImage", "use"].iter().any(|name| is_svg(node, name)) {
            return Ok(());
        }
        for namespace in [None, Some(XLINK)] {
            let mut attributes = node.attributes();
            let found = attributes.find(|a| a.name() == "href" && a.namespace() == namespace);
            let Some(attribute) = found else { continue };
            let href = attribute.value().trim();
            let is_data = href.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"));
            if href.is_empty() || href.starts_with('#') || is_data {
                continue;
            }
            let element = node.tag_name().name().to_owned();
            let href = href.chars().take(120).collect();
            let position = Position::of(self.source, attribute.range().start);
            return Err(RenderError::from(RenderErrorKind::ExternalReference { element, href }).at(position));
        }
        Ok(())
    }

    /// Marks the root element and gives it the size that it has in the viewport.
    fn rewrite_root(&mut self, root: Node<'_, '_>, viewport: Option<Size>) {
        let viewport = viewport.or_else(|| root.attribute("viewBox").is_none().then_some(UNSIZED));
        let mut added = format!(" {ROOT_MARK}=\"\"");
        if let Some(viewport) = viewport {
            for (name, full) in [("width", viewport.width), ("height", viewport.height)] {
                let attribute = root.attributes().find(|a| a.name() == name && a.namespace().is_none());
                match attribute {
                    None => added.push_str(&format!(" {name}=\"{full}\"")),
                    Some(attribute) => {
                        if let Some(part) = part_of_viewport(attribute.value()) {
                            let range = value_range(self.source, attribute.range());
                            self.edits.push((range, (part * f64::from(full)).to_string()));
                        }
                    }
                }
            }
        }
        // Behind the name of the tag, whatever its prefix.
        let start = root.range().start + 1;
        let len = self.source[start..].find(|c: char| c.is_whitespace() || c == '/' || c == '>').unwrap_or(0);
        self.edits.push((start + len..start + len, added));
    }

    fn apply_edits(&mut self) -> Result<String, RenderError> {
        let mut edits = std::mem::take(&mut self.edits);
        edits.sort_by_key(|(range, _)| (range.start, range.end));
        // What an entity of the DTD holds is one text, wherever it is used.
        edits.dedup();
        let mut out = String::with_capacity(self.source.len() + 256);
        let mut kept = 0;
        for (range, text) in edits {
            if range.start < kept {
                let what = "markup with custom properties or styles inside a DTD entity".to_owned();
                let position = Position::of(self.source, range.start);
                return Err(RenderError::from(RenderErrorKind::Unsupported { what }).at(position));
            }
            out.push_str(&self.source[kept..range.start]);
            out.push_str(&text);
            kept = range.end;
        }
        out.push_str(&self.source[kept..]);
        Ok(out)
    }
}

/// Whether `var()` in the attribute is resolved. Texts and names are for people and links, not for drawing.
fn takes_var(attribute: Attribute<'_, '_>) -> bool {
    let name = attribute.name();
    attribute.namespace().is_none()
        && !matches!(name, "id" | "class" | "href" | "lang")
        && !name.starts_with("aria-")
        && !name.starts_with("data-")
}

/// The share of the viewport that a width or height asks for; `None` when it has its own size.
fn part_of_viewport(length: &str) -> Option<f64> {
    let length = length.trim();
    if length == "auto" {
        return Some(1.0);
    }
    length.strip_suffix('%')?.trim().parse::<f64>().ok().map(|percent| percent / 100.0)
}

/// The value in `name="value"`.
fn value_range(source: &str, attribute: Range<usize>) -> Range<usize> {
    let quote = source[attribute.clone()].find(['"', '\'']).unwrap_or(0);
    attribute.start + quote + 1..attribute.end - 1
}

/// What stands between the tags of an element; `None` when it has one tag only.
fn content(source: &str, element: Range<usize>) -> Option<Range<usize>> {
    let text = &source.as_bytes()[element.clone()];
    let mut quote = None;
    let open = text.iter().position(|&byte| match quote {
        Some(open) => {
            if byte == open {
                quote = None;
            }
            false
        }
        None if byte == b'"' || byte == b'\'' => {
            quote = Some(byte);
            false
        }
        None => byte == b'>',
    })?;
    let close = text.windows(2).rposition(|pair| pair == b"</")?;
    (open < close).then_some(element.start + open + 1..element.start + close)
}

/// Text as it may stand in an attribute or between tags.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            '\t' | '\n' | '\r' => out.push_str(&format!("&#{};", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}
