//! Colour: only for words that say how something stands, and only where somebody sees it.
//!
//! `NO_COLOR`, `CLICOLOR`, `CLICOLOR_FORCE` and whether the stream is a terminal decide, as they do for the help. Text without
//! colour is the same text.

use std::io;

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};

/// How something stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tone {
    Good,
    Bad,
    /// Nobody can say, or somebody has to look.
    Open,
}

impl Tone {
    /// That of a status word; a reason after `:` does not matter.
    fn of(word: &str) -> Option<Self> {
        Some(match word.split(':').next().unwrap_or(word) {
            "pass" | "converged" | "usable" | "steady" => Self::Good,
            "fail" | "fault" | "not-converged" | "missing" | "extra" | "error" => Self::Bad,
            "undetermined"
            | "needs-human"
            | "unverified"
            | "minor"
            | "accepted-unconverged"
            | "cancelled"
            | "too-far-apart"
            | "warning" => Self::Open,
            _ => return None,
        })
    }

    const fn style(self) -> Style {
        let style = Style::new();
        match self {
            Self::Good => style.fg_color(Some(anstyle::Color::Ansi(AnsiColor::Green))),
            Self::Bad => style.fg_color(Some(anstyle::Color::Ansi(AnsiColor::Red))),
            Self::Open => style.fg_color(Some(anstyle::Color::Ansi(AnsiColor::Yellow))),
        }
    }

    /// The text in colour, but for the blanks around it, which stay where they are.
    fn paint(self, text: &str) -> String {
        let word = text.trim();
        let style = self.style();
        text.replacen(word, &format!("{style}{word}{style:#}"), 1)
    }
}

/// Whether standard output takes colour.
pub(crate) fn on_output() -> bool {
    takes_color(AutoStream::choice(&io::stdout()))
}

/// Whether standard error takes colour.
pub(crate) fn on_error() -> bool {
    takes_color(AutoStream::choice(&io::stderr()))
}

fn takes_color(choice: ColorChoice) -> bool {
    choice != ColorChoice::Never
}

/// A status word for standard output; blanks around it are kept.
pub(crate) fn status(word: &str) -> String {
    match Tone::of(word.trim()) {
        Some(tone) if on_output() => tone.paint(word),
        _ => word.to_owned(),
    }
}

/// A line for standard error whose first word says what it is (`error: …`, `warning: …`).
pub(crate) fn message(line: &str) -> String {
    match line.split_once(':') {
        Some((word @ ("error" | "warning"), rest)) if on_error() => {
            let tone = if word == "error" { Tone::Bad } else { Tone::Open };
            format!("{}:{rest}", tone.paint(word))
        }
        _ => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_has_the_tone_of_what_it_says() {
        for (word, tone) in [
            ("pass", Some(Tone::Good)),
            ("not-converged:stalled", Some(Tone::Bad)),
            ("undetermined:design-side", Some(Tone::Open)),
            ("needs-human:escalation", Some(Tone::Open)),
            ("cards", None),
        ] {
            assert_eq!(Tone::of(word), tone, "{word}");
        }
    }

    #[test]
    fn blanks_around_a_word_stay_blank() {
        assert_eq!(Tone::Good.paint("  pass   "), "  \u{1b}[32mpass\u{1b}[0m   ");
        assert_eq!(Tone::Bad.paint(""), "\u{1b}[31m\u{1b}[0m");
    }
}
