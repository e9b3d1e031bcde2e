//! Attributes of elements that a selector finds.

use std::ops::Range;

use roxmltree::{Document, Node};
use simplecss::{AttributeOperator, Element, PseudoClass, Selector};

/// The values of `attribute` on all elements of the XML document `text` that `selector` finds and that have it.
pub(crate) fn find(text: &str, selector: &str, attribute: &str) -> Result<Vec<Range<usize>>, String> {
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let document = Document::parse_with_options(text, options).map_err(|error| error.to_string())?;
    let selector = Selector::parse(selector)
        .ok_or_else(|| format!("{selector:?} is not a selector that can be used"))?;
    let elements = document.descendants().filter(Node::is_element);
    let found = elements.filter(|node| selector.matches(&Found(*node)));
    let attributes = found.filter_map(|node| node.attributes().find(|a| a.name() == attribute));
    Ok(attributes.map(|attribute| attribute.range_value()).collect())
}

/// An element as selectors see it.
struct Found<'a, 'input>(Node<'a, 'input>);

impl Element for Found<'_, '_> {
    fn parent_element(&self) -> Option<Self> {
        self.0.parent_element().map(Found)
    }

    fn prev_sibling_element(&self) -> Option<Self> {
        self.0.prev_sibling_element().map(Found)
    }

    fn has_local_name(&self, name: &str) -> bool {
        self.0.tag_name().name() == name
    }

    fn attribute_matches(&self, name: &str, operator: AttributeOperator<'_>) -> bool {
        self.0.attribute(name).is_some_and(|value| operator.matches(value))
    }

    fn pseudo_class_matches(&self, class: PseudoClass<'_>) -> bool {
        match class {
            PseudoClass::FirstChild => self.prev_sibling_element().is_none(),
            // Nothing is hovered, focused or visited in a file.
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SVG: &str = r#"<svg xmlns="http://www.w3.org/2000/svg"><g class="row"><text id="title" font-size="20">A</text>
        <text class="small" font-size="12"/><text class="small" font-size="13"/></g></svg>"#;

    fn values(selector: &str, attribute: &str) -> Vec<&'static str> {
        find(SVG, selector, attribute).unwrap().into_iter().map(|span| &SVG[span]).collect()
    }

    #[test]
    fn elements_are_found_by_selector() {
        assert_eq!(values("#title", "font-size"), ["20"]);
        assert_eq!(values(".row text.small", "font-size"), ["12", "13"]);
        assert_eq!(values("text:first-child", "font-size"), ["20"]);
        assert_eq!(values("circle", "r"), Vec::<&str>::new());
        assert_eq!(values("#title", "fill"), Vec::<&str>::new());
    }

    #[test]
    fn what_is_no_xml_is_refused() {
        assert!(find("<p>unclosed", "p", "class").is_err());
    }
}
