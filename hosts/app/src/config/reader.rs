//! Tables of a TOML document, read key by key, so that what nobody asked for is found and named.

use std::cell::RefCell;
use std::ops::Range;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::error::{ConfigError, ConfigErrorKind, Position};

/// The file that is read, for messages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Document<'d> {
    pub(crate) path: &'d Path,
    pub(crate) text: &'d str,
}

impl Document<'_> {
    pub(crate) fn error(&self, span: &Range<usize>, kind: ConfigErrorKind) -> ConfigError {
        ConfigError::new(self.path, Some(Position::of(self.text, span.start)), kind)
    }

    pub(crate) fn bad(&self, span: &Range<usize>, key: &str, why: impl Into<String>) -> ConfigError {
        self.error(span, ConfigErrorKind::BadValue { key: key.to_owned(), why: why.into() })
    }
}

/// A value and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct At<T> {
    pub(crate) value: T,
    pub(crate) span: Range<usize>,
}

/// One table of the document.
#[derive(Debug)]
pub(crate) struct Section<'d> {
    pub(crate) document: Document<'d>,
    name: String,
    table: &'d DeTable<'d>,
    span: Range<usize>,
    asked: RefCell<Vec<&'static str>>,
}

impl<'d> Section<'d> {
    pub(crate) fn new(
        document: Document<'d>,
        name: &str,
        table: &'d DeTable<'d>,
        span: Range<usize>,
    ) -> Self {
        Self { document, name: name.to_owned(), table, span, asked: RefCell::default() }
    }

    fn find(&self, key: &'static str) -> Option<&'d Spanned<DeValue<'d>>> {
        self.asked.borrow_mut().push(key);
        self.table.iter().find(|(name, _)| name.get_ref() == key).map(|(_, value)| value)
    }

    fn mismatch(&self, key: &str, value: &Spanned<DeValue<'_>>, expected: &str) -> ConfigError {
        let found = value.get_ref().type_str();
        self.document.bad(&value.span(), key, format!("expected {expected}, found a value of type {found}"))
    }

    pub(crate) fn missing(&self, key: &'static str, expected: &'static str) -> ConfigError {
        let section = self.name.clone();
        // A key that nobody asked for and that is nearly this one is what was meant.
        let asked = self.asked.borrow();
        let near = |name: &str| strsim::damerau_levenshtein(name, key) * 3 <= key.len().max(3);
        let unasked =
            self.table.iter().map(|(name, _)| name).filter(|name| !asked.contains(&name.get_ref().as_ref()));
        if let Some(name) = unasked.into_iter().find(|name| near(name.get_ref())) {
            let found = name.get_ref().to_string();
            let kind = ConfigErrorKind::UnknownKey {
                key: found,
                section,
                nearest: key.to_owned(),
                known: asked.clone(),
            };
            return self.document.error(&name.span(), kind);
        }
        self.document.error(&self.span, ConfigErrorKind::MissingKey { key, section, expected })
    }

    pub(crate) fn string(&self, key: &'static str) -> Result<Option<At<String>>, ConfigError> {
        self.find(key).map(|value| self.as_string(key, value)).transpose()
    }

    fn as_string(&self, key: &str, value: &Spanned<DeValue<'_>>) -> Result<At<String>, ConfigError> {
        let text = value.get_ref().as_str().ok_or_else(|| self.mismatch(key, value, "a text in quotes"))?;
        Ok(At { value: text.to_owned(), span: value.span() })
    }

    pub(crate) fn required(
        &self,
        key: &'static str,
        expected: &'static str,
    ) -> Result<At<String>, ConfigError> {
        self.string(key)?.ok_or_else(|| self.missing(key, expected))
    }

    pub(crate) fn strings(&self, key: &'static str) -> Result<Option<At<Vec<At<String>>>>, ConfigError> {
        let Some(value) = self.find(key) else { return Ok(None) };
        let items = value.get_ref().as_array().ok_or_else(|| self.mismatch(key, value, "a list of texts"))?;
        let items: Result<Vec<_>, _> = items.iter().map(|item| self.as_string(key, item)).collect();
        Ok(Some(At { value: items?, span: value.span() }))
    }

    pub(crate) fn boolean(&self, key: &'static str) -> Result<Option<bool>, ConfigError> {
        let Some(value) = self.find(key) else { return Ok(None) };
        value.get_ref().as_bool().map(Some).ok_or_else(|| self.mismatch(key, value, "true or false"))
    }

    /// A number as it is written, or a text: what it means is for its user to say.
    pub(crate) fn number(&self, key: &'static str) -> Result<Option<At<String>>, ConfigError> {
        let Some(value) = self.find(key) else { return Ok(None) };
        let text = match value.get_ref() {
            DeValue::Integer(integer) if integer.radix() == 10 => integer.as_str().to_owned(),
            DeValue::Float(float) => float.as_str().to_owned(),
            DeValue::String(text) => text.to_string(),
            _ => return Err(self.mismatch(key, value, "a decimal number")),
        };
        Ok(Some(At { value: text, span: value.span() }))
    }

    /// A rectangle, `[x, y, width, height]`.
    #[cfg(feature = "browser")]
    pub(crate) fn rect(&self, key: &'static str) -> Result<Option<At<[u32; 4]>>, ConfigError> {
        let Some(value) = self.find(key) else { return Ok(None) };
        match rect(value) {
            Some(numbers) => Ok(Some(At { value: numbers, span: value.span() })),
            None => Err(self.mismatch(key, value, "[x, y, width, height] in whole pixels")),
        }
    }

    /// A list of rectangles, each `[x, y, width, height]`.
    pub(crate) fn rects(&self, key: &'static str) -> Result<Vec<[u32; 4]>, ConfigError> {
        let Some(value) = self.find(key) else { return Ok(Vec::new()) };
        let wrong = |at: &Spanned<DeValue<'_>>| {
            self.mismatch(key, at, "a list of [x, y, width, height] in device pixels")
        };
        let items = value.get_ref().as_array().ok_or_else(|| wrong(value))?;
        items.iter().map(|item| rect(item).ok_or_else(|| wrong(item))).collect()
    }

    pub(crate) fn section(&self, key: &'static str) -> Result<Option<Section<'d>>, ConfigError> {
        let Some(value) = self.find(key) else { return Ok(None) };
        let table = value.get_ref().as_table().ok_or_else(|| self.mismatch(key, value, "a table"))?;
        Ok(Some(Section::new(self.document, &format!("[{key}]"), table, value.span())))
    }

    pub(crate) fn sections(&self, key: &'static str) -> Result<Vec<Section<'d>>, ConfigError> {
        let Some(value) = self.find(key) else { return Ok(Vec::new()) };
        let expected = format!("tables, each under [[{key}]]");
        let items = value.get_ref().as_array().ok_or_else(|| self.mismatch(key, value, &expected))?;
        let section = |item: &'d Spanned<DeValue<'d>>| {
            let table = item.get_ref().as_table().ok_or_else(|| self.mismatch(key, item, &expected))?;
            Ok(Section::new(self.document, &format!("[[{key}]]"), table, item.span()))
        };
        items.iter().map(section).collect()
    }

    /// The table under `[key]`, or those under `[[key]]`.
    pub(crate) fn one_or_more(&self, key: &'static str) -> Result<Vec<Section<'d>>, ConfigError> {
        match self.find(key).map(|value| value.get_ref().as_table().is_some()) {
            Some(true) => Ok(self.section(key)?.into_iter().collect()),
            _ => self.sections(key),
        }
    }

    pub(crate) const fn span(&self) -> &Range<usize> {
        &self.span
    }

    /// Refuses the first key that nobody asked for.
    pub(crate) fn finish(self) -> Result<(), ConfigError> {
        let known = self.asked.into_inner();
        let Some((key, _)) = self.table.iter().find(|(key, _)| !known.contains(&key.get_ref().as_ref()))
        else {
            return Ok(());
        };
        let nearest = known.iter().min_by_key(|known| strsim::damerau_levenshtein(known, key.get_ref()));
        let kind = ConfigErrorKind::UnknownKey {
            key: key.get_ref().to_string(),
            section: self.name,
            nearest: nearest.copied().unwrap_or_default().to_owned(),
            known,
        };
        Err(self.document.error(&key.span(), kind))
    }
}

fn rect(item: &Spanned<DeValue<'_>>) -> Option<[u32; 4]> {
    let number = |n: &Spanned<DeValue<'_>>| {
        let integer = n.get_ref().as_integer().filter(|integer| integer.radix() == 10)?;
        integer.as_str().parse::<u32>().ok()
    };
    let numbers: Option<Vec<u32>> = item.get_ref().as_array()?.iter().map(number).collect();
    <[u32; 4]>::try_from(numbers?).ok()
}
