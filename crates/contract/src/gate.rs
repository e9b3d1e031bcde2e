//! Gates with three values.

use std::fmt;

use trueup_score::Truth;

use crate::Stop;

/// Where a gate leads that was not passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Exit {
    /// Back to the next iteration, charged.
    Back,
    /// Out of the loop, with this status.
    Out(Stop),
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Back => f.write_str("next iteration"),
            Self::Out(stop) => stop.fmt(f),
        }
    }
}

/// What a gate decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a gate is passed or it is not")]
pub enum Passage {
    /// It was passed.
    Through,
    /// It was not.
    Not(Exit),
}

/// A question with three answers on the way of an iteration.
///
/// Only a pass goes through. What is undetermined has an exit of its own and never becomes a pass, and an answer that is not
/// there is undetermined: a value that was not read never reads as "no limit" or "nothing wrong".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gate {
    name: &'static str,
    undetermined: Exit,
    fail: Exit,
}

impl Gate {
    /// A gate that leads to `fail` when the answer is a fail, and to `undetermined` when there is none.
    #[must_use]
    pub const fn new(name: &'static str, undetermined: Exit, fail: Exit) -> Self {
        Self { name, undetermined, fail }
    }

    /// Its name in logs.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Where the answer leads; an absent one is undetermined.
    #[must_use]
    pub const fn decide(&self, answer: Option<Truth>) -> Passage {
        match answer {
            Some(Truth::Pass) => Passage::Through,
            Some(Truth::Fail) => Passage::Not(self.fail),
            Some(Truth::Undetermined) | None => Passage::Not(self.undetermined),
        }
    }
}

impl fmt::Display for Gate {
    /// `read-gate  undet:undetermined:reference-unreadable  fail:undetermined:reference-unreadable`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}  undet:{}  fail:{}", self.name, self.undetermined, self.fail)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_pass_goes_through() {
        let gate = Gate::new("read-gate", Exit::Out(Stop::ReferenceUnreadable), Exit::Back);
        assert_eq!(gate.decide(Some(Truth::Pass)), Passage::Through);
        assert_eq!(gate.decide(Some(Truth::Fail)), Passage::Not(Exit::Back));
        let unseen = Passage::Not(Exit::Out(Stop::ReferenceUnreadable));
        assert_eq!(gate.decide(Some(Truth::Undetermined)), unseen);
        assert_eq!(gate.decide(None), unseen, "an absent answer is never a pass");
        assert_eq!(
            gate.to_string(),
            "read-gate  undet:undetermined:reference-unreadable  fail:next iteration"
        );
    }
}
