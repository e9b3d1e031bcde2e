//! JSON as models write it.
//!
//! Three lexical slips are read and noted: a comma before a closing bracket, comments, and raw line breaks in strings.
//! Nothing else is mended, and what breaks off is never closed.

use std::borrow::Cow;

/// A value, with numbers as they are written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value<'t> {
    Null,
    Bool(bool),
    Number(&'t str),
    /// `NaN`, `Infinity` and `-Infinity`, which some writers leave behind.
    NotFinite(&'t str),
    Text(Cow<'t, str>),
    List(Vec<Value<'t>>),
    Object(Object<'t>),
}

/// Keys and values in the order in which they are written, doubles included.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Object<'t> {
    pub(crate) members: Vec<(Cow<'t, str>, Value<'t>)>,
}

impl<'t> Object<'t> {
    /// The first value of that key.
    pub(crate) fn get(&self, key: &str) -> Option<&Value<'t>> {
        self.members.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }
}

/// What was tolerated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Repairs {
    pub(crate) trailing_comma: bool,
    pub(crate) comment: bool,
    pub(crate) raw_break: bool,
}

/// Why no value could be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stop {
    /// The byte at which it could not go on.
    pub(crate) at: usize,
    /// What was expected there.
    pub(crate) expected: &'static str,
    /// Whether the text ended there.
    pub(crate) ended: bool,
}

/// Objects and lists within each other, at most: deeper is no answer, and the stack stays small.
const DEPTH: u32 = 64;

/// Reads the object that begins at byte `start` of `text`, and says where it ends.
pub(crate) fn object(text: &str, start: usize) -> Result<(Object<'_>, usize, Repairs), Stop> {
    let mut reader = Reader { text, at: start, repairs: Repairs::default() };
    let object = reader.object(0)?;
    Ok((object, reader.at, reader.repairs))
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    repairs: Repairs,
}

impl<'t> Reader<'t> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn stop<T>(&self, expected: &'static str) -> Result<T, Stop> {
        Err(Stop { at: self.at, expected, ended: self.at >= self.text.len() })
    }

    /// Goes over blanks and comments.
    fn blank(&mut self) -> Result<(), Stop> {
        loop {
            match self.peek() {
                Some(b' ' | b'\t' | b'\r' | b'\n') => self.at += 1,
                Some(b'/') => {
                    let rest = &self.text[self.at..];
                    let length = if rest.starts_with("//") {
                        rest.find('\n').unwrap_or(rest.len())
                    } else if rest.starts_with("/*") {
                        let Some(end) = rest.find("*/") else {
                            self.at = self.text.len();
                            return self.stop("*/");
                        };
                        end + 2
                    } else {
                        if rest.len() == 1 {
                            self.at += 1;
                        }
                        return self.stop("a comment after /");
                    };
                    self.repairs.comment = true;
                    self.at += length;
                }
                _ => return Ok(()),
            }
        }
    }

    fn value(&mut self, depth: u32) -> Result<Value<'t>, Stop> {
        match self.peek() {
            Some(b'{') => Ok(Value::Object(self.object(depth)?)),
            Some(b'[') => Ok(Value::List(self.list(depth)?)),
            Some(b'"') => Ok(Value::Text(self.string()?)),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b'a'..=b'z' | b'A'..=b'Z') => self.word(),
            _ => self.stop("a value"),
        }
    }

    fn object(&mut self, depth: u32) -> Result<Object<'t>, Stop> {
        if depth >= DEPTH {
            return self.stop("fewer objects within each other");
        }
        self.at += 1;
        let mut members = Vec::new();
        loop {
            self.blank()?;
            match self.peek() {
                Some(b'}') => {
                    self.repairs.trailing_comma |= !members.is_empty();
                    self.at += 1;
                    return Ok(Object { members });
                }
                Some(b'"') => {}
                _ => return self.stop("a key in double quotes, or }"),
            }
            let key = self.string()?;
            self.blank()?;
            if self.peek() != Some(b':') {
                return self.stop(": after a key");
            }
            self.at += 1;
            self.blank()?;
            let value = self.value(depth + 1)?;
            members.push((key, value));
            self.blank()?;
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    return Ok(Object { members });
                }
                _ => return self.stop(", or } after a value"),
            }
        }
    }

    fn list(&mut self, depth: u32) -> Result<Vec<Value<'t>>, Stop> {
        if depth >= DEPTH {
            return self.stop("fewer lists within each other");
        }
        self.at += 1;
        let mut items = Vec::new();
        loop {
            self.blank()?;
            if self.peek() == Some(b']') {
                self.repairs.trailing_comma |= !items.is_empty();
                self.at += 1;
                return Ok(items);
            }
            items.push(self.value(depth + 1)?);
            self.blank()?;
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    return Ok(items);
                }
                _ => return self.stop(", or ] after a value"),
            }
        }
    }

    /// A string; borrowed where it has no escapes.
    fn string(&mut self) -> Result<Cow<'t, str>, Stop> {
        self.at += 1;
        let mut from = self.at;
        let mut owned: Option<String> = None;
        loop {
            match self.peek() {
                None => return self.stop("\" at the end of a string"),
                Some(b'"') => {
                    let piece = &self.text[from..self.at];
                    self.at += 1;
                    return Ok(match owned {
                        Some(text) => Cow::Owned(text + piece),
                        None => Cow::Borrowed(piece),
                    });
                }
                Some(b'\\') => {
                    let piece = &self.text[from..self.at];
                    self.at += 1;
                    let character = self.escape()?;
                    let text = owned.get_or_insert_default();
                    text.push_str(piece);
                    text.push(character);
                    from = self.at;
                }
                Some(b'\n' | b'\r' | b'\t') => {
                    self.repairs.raw_break = true;
                    self.at += 1;
                }
                Some(0..=0x1f) => return self.stop("no control characters in a string"),
                Some(_) => self.at += 1,
            }
        }
    }

    fn escape(&mut self) -> Result<char, Stop> {
        let Some(byte) = self.peek() else { return self.stop("an escape") };
        let character = match byte {
            b'"' | b'\\' | b'/' => char::from(byte),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                self.at += 1;
                return self.unicode();
            }
            _ => return self.stop("one of the escapes of JSON"),
        };
        self.at += 1;
        Ok(character)
    }

    fn unicode(&mut self) -> Result<char, Stop> {
        let first = self.hex()?;
        if !(0xd800..0xdc00).contains(&first) {
            return match char::from_u32(first) {
                Some(character) => Ok(character),
                None => self.stop("no lone surrogate"),
            };
        }
        for expected in [b'\\', b'u'] {
            if self.peek() != Some(expected) {
                return self.stop("the second half of a surrogate pair");
            }
            self.at += 1;
        }
        let second = self.hex()?;
        if !(0xdc00..0xe000).contains(&second) {
            return self.stop("the second half of a surrogate pair");
        }
        let code = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
        char::from_u32(code).map_or_else(|| self.stop("a character"), Ok)
    }

    fn hex(&mut self) -> Result<u32, Stop> {
        let mut code = 0;
        for _ in 0..4 {
            let Some(digit) = self.peek().and_then(|byte| char::from(byte).to_digit(16)) else {
                return self.stop("four hexadecimal digits");
            };
            code = code * 16 + digit;
            self.at += 1;
        }
        Ok(code)
    }

    fn number(&mut self) -> Result<Value<'t>, Stop> {
        let from = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
            if self.text[self.at..].starts_with("Infinity") {
                self.at += "Infinity".len();
                return Ok(Value::NotFinite(&self.text[from..self.at]));
            }
            if "Infinity".starts_with(&self.text[self.at..]) {
                self.at = self.text.len();
            }
        }
        if self.digits()? > 1 && self.text[from..].trim_start_matches('-').starts_with('0') {
            return self.stop("no leading zeros");
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            self.digits()?;
        }
        if self.at >= self.text.len() {
            // Whether a further digit was to come is not known.
            return self.stop("what follows a number");
        }
        Ok(Value::Number(&self.text[from..self.at]))
    }

    fn digits(&mut self) -> Result<usize, Stop> {
        let from = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        if self.at == from { self.stop("a digit") } else { Ok(self.at - from) }
    }

    fn word(&mut self) -> Result<Value<'t>, Stop> {
        let from = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_alphanumeric()) {
            self.at += 1;
        }
        let word = &self.text[from..self.at];
        match word {
            "null" => Ok(Value::Null),
            "true" => Ok(Value::Bool(true)),
            "false" => Ok(Value::Bool(false)),
            "NaN" | "Infinity" => Ok(Value::NotFinite(word)),
            _ => {
                if self.at < self.text.len() {
                    self.at = from;
                }
                self.stop(
                    "a value: null, true, false, a number, a string in double quotes, a list or an object",
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<(Object<'_>, Repairs), Stop> {
        object(text, 0).map(|(object, end, repairs)| {
            assert_eq!(end, text.len());
            (object, repairs)
        })
    }

    #[test]
    fn what_json_is_is_read() {
        let (object, repairs) =
            read(r#"{"a": [1, -0.5e3, true, null], "b": {"c": "\u00e9\ud83d\ude00\n\"x\""}, "d": ""}"#)
                .unwrap();
        assert_eq!(repairs, Repairs::default());
        let list = [Value::Number("1"), Value::Number("-0.5e3"), Value::Bool(true), Value::Null];
        assert_eq!(object.get("a"), Some(&Value::List(list.into())));
        let Some(Value::Object(inner)) = object.get("b") else { panic!("{object:?}") };
        assert_eq!(inner.get("c"), Some(&Value::Text("é😀\n\"x\"".into())));
    }

    #[test]
    fn three_slips_are_read_and_noted() {
        let (object, repairs) = read("{\"a\": 1, // one\n \"b\": /* two */ \"x\ny\",}").unwrap();
        assert!(repairs.trailing_comma && repairs.comment && repairs.raw_break);
        assert_eq!(object.get("b"), Some(&Value::Text("x\ny".into())));
        assert!(read("{\"a\": [1, 2,]}").unwrap().1.trailing_comma);
    }

    #[test]
    fn nothing_else_is_mended() {
        for text in [
            "{a: 1}",
            "{'a': 1}",
            "{\"a\" 1}",
            "{\"a\": .5}",
            "{\"a\": 5.}",
            "{\"a\": 08}",
            "{\"a\": +1}",
            "{\"a\": True}",
            "{,}",
            "{\"a\": 1,,}",
            "{\"a\": \"\\x\"}",
            "{\"a\": \"\\ud800\"}",
            "{\"a\": /}",
            "{\"a\": \"\u{1}\"}",
            "{\"a\": [,]}",
            "{\"a\": 1 \"b\": 2}",
        ] {
            assert!(!read(text).unwrap_err().ended, "{text}");
        }
        let deep = "{\"a\":".repeat(100) + "1" + &"}".repeat(100);
        assert!(!object(&deep, 0).unwrap_err().ended);
    }

    #[test]
    fn every_beginning_of_an_object_is_seen_to_break_off() {
        let text =
            "{\"a\": [1, -0.5e3, true, null, \"\\u00e9\\ud83d\\ude00\"], /* x */ \"b\": {\"c\": NaN} }";
        assert!(read(text).is_ok());
        for end in 1..text.len() {
            let stop = object(&text[..end], 0).unwrap_err();
            assert!(stop.ended, "{:?}: {stop:?}", &text[..end]);
        }
    }
}
