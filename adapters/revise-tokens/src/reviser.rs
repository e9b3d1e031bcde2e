//! The reviser.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use trueup_contract::FaultKind;
use trueup_ports::{Cx, Fault, ReviseRequest, Reviser, Revision, Snapshot, TrialErrorKind, Trials};
use trueup_score::Points;

use crate::search;
use crate::token::{Token, TokenKind};
use crate::value::Value;

/// Fits declared design tokens to a reference.
#[derive(Clone, Debug)]
pub struct TokenReviser {
    tokens: Arc<[Token]>,
}

impl TokenReviser {
    /// A reviser of these tokens; nothing else is ever changed.
    #[must_use]
    pub fn new(tokens: impl IntoIterator<Item = Token>) -> Self {
        Self { tokens: tokens.into_iter().collect() }
    }
}

#[async_trait]
impl Reviser for TokenReviser {
    async fn revise(&self, request: ReviseRequest, trials: Trials, _cx: &Cx) -> Result<Revision, Fault> {
        let Some(score) = request.measured.score() else {
            return Ok(Revision::Nothing {
                note: "nothing was compared, so no token can explain it".to_owned(),
            });
        };
        let before = trials.left();
        let mut bench = Bench { tokens: &self.tokens, request: &request, trials };
        let now = bench.present_values()?;
        let found = bench.fit(&now, score).await?;
        // States that were measured before in the run cost nothing, so this is what was really charged.
        let tried = before.saturating_sub(bench.trials.left());
        let Some(fit) = found else {
            let spent = if bench.trials.left() == 0 { "; the trials of the run are spent" } else { "" };
            let below = score.tenths();
            let note = format!(
                "no value that was tried brings the open score below {below} ({tried} trials{spent})"
            );
            return Ok(Revision::Nothing { note });
        };
        let revised = bench.with(&fit.edits)?;
        let changes: Vec<String> = fit
            .edits
            .iter()
            .map(|(at, value)| format!("{} {} → {value}", self.tokens[*at].name(), now[*at]))
            .collect();
        let parts = revised.parts().filter(|(name, content)| request.base.part(name) != Some(content));
        Ok(Revision::Parts {
            parts: parts.map(|(name, content)| (name.to_owned(), Arc::clone(content))).collect(),
            note: format!("{} ({tried} trials)", changes.join(", ")),
        })
    }
}

/// New values of some tokens, by their position.
type Edits = BTreeMap<usize, Value>;

/// Edits and the open score that they come to.
#[derive(Clone, Debug)]
struct Fit {
    edits: Edits,
    score: Points,
}

/// Whether the search may go on.
enum Trial {
    Score(Option<Points>),
    Spent,
}

struct Bench<'a> {
    tokens: &'a [Token],
    request: &'a ReviseRequest,
    trials: Trials,
}

impl Bench<'_> {
    fn present_values(&self) -> Result<Vec<Value>, Fault> {
        let read = |token: &Token| {
            let text = self.text(&self.request.base, token)?;
            token.read(&text).map(|(value, _)| value).map_err(rejected)
        };
        self.tokens.iter().map(read).collect()
    }

    fn text(&self, snapshot: &Snapshot, token: &Token) -> Result<String, Fault> {
        let missing = || {
            Fault::new(FaultKind::Rejected, format!("{} is not one of the artifact's files", token.file()))
        };
        let part = snapshot.part(token.file()).ok_or_else(missing)?;
        String::from_utf8(part.to_vec()).map_err(|_| {
            Fault::new(
                FaultKind::Rejected,
                format!("{} is not UTF-8, so no token can be read in it", token.file()),
            )
        })
    }

    /// The base with some tokens set.
    fn with(&self, edits: &Edits) -> Result<Snapshot, Fault> {
        let mut snapshot = self.request.base.clone();
        for (at, value) in edits {
            let token = &self.tokens[*at];
            let text = token.write(&self.text(&snapshot, token)?, value).map_err(rejected)?;
            snapshot = snapshot.with_parts([(token.file().to_owned(), Arc::from(text.into_bytes()))]);
        }
        Ok(snapshot)
    }

    async fn measure(&mut self, edits: &Edits) -> Result<Trial, Fault> {
        let snapshot = self.with(edits)?;
        // What was tried for these regions did not help, and may not come again.
        if self.request.tried.contains(snapshot.state()) {
            return Ok(Trial::Score(None));
        }
        match self.trials.measure(snapshot).await {
            Ok(score) => Ok(Trial::Score(score)),
            Err(error) => match error.kind() {
                TrialErrorKind::Exhausted => Ok(Trial::Spent),
                TrialErrorKind::Cancelled => Err(Fault::cancelled()),
                _ => Err(Fault::new(FaultKind::Transient, error.to_string())),
            },
        }
    }

    /// The smallest edit that was found to lower the score, colours before lengths: they cost a trial or two each, and
    /// where they explain everything nothing needs to be searched.
    async fn fit(&mut self, now: &[Value], score: Points) -> Result<Option<Fit>, Fault> {
        let nothing = Fit { edits: Edits::new(), score };
        let is_color = |at: &usize| self.tokens[*at].kind() == TokenKind::Color;
        let (colors, scalars): (Vec<usize>, Vec<usize>) = (0..self.tokens.len()).partition(is_color);
        let mut singles = Vec::new();
        for at in colors {
            singles.extend(self.best_color(at, &now[at], &nothing).await?);
        }
        let mut fit = self.put_together(nothing, &singles).await?;
        if fit.score > Points::ZERO {
            let mut singles = Vec::new();
            for at in scalars {
                singles.extend(self.best_scalar(at, &now[at], &fit).await?);
            }
            fit = self.put_together(fit, &singles).await?;
        }
        let fit = self.leave_out(fit).await?;
        Ok((!fit.edits.is_empty()).then_some(fit))
    }

    /// The colour of one token that improves most on `base`.
    async fn best_color(&mut self, at: usize, now: &Value, base: &Fit) -> Result<Option<Fit>, Fault> {
        let Value::Color(now) = now else { return Ok(None) };
        let mut best: Option<Fit> = None;
        for color in search::colors(&self.request.measured, *now) {
            if !self.try_single(at, Value::Color(color), base, &mut best).await? {
                break;
            }
        }
        Ok(best)
    }

    /// The length or number of one token that improves most on `base`: the best of a scan, then downhill from there.
    async fn best_scalar(&mut self, at: usize, now: &Value, base: &Fit) -> Result<Option<Fit>, Fault> {
        let Value::Scalar(now) = now else { return Ok(None) };
        let bounds = self.tokens[at].bounds_around(now.number);
        let mut best: Option<Fit> = None;
        for number in search::scalars(now.number, bounds) {
            if !self.try_single(at, Value::Scalar(now.with_number(number)), base, &mut best).await? {
                return Ok(best);
            }
        }
        while let Some(Value::Scalar(found)) = best.as_ref().and_then(|fit| fit.edits.get(&at)).cloned() {
            let before = best.as_ref().map(|fit| fit.score);
            for number in search::neighbours(found.number, bounds) {
                if !self.try_single(at, Value::Scalar(found.with_number(number)), base, &mut best).await? {
                    return Ok(best);
                }
            }
            if best.as_ref().map(|fit| fit.score) == before {
                break;
            }
        }
        Ok(best)
    }

    /// Tries one value on top of `base`, and keeps it when it beats both; false when the trials are spent.
    async fn try_single(
        &mut self,
        at: usize,
        value: Value,
        base: &Fit,
        best: &mut Option<Fit>,
    ) -> Result<bool, Fault> {
        let mut edits = base.edits.clone();
        edits.insert(at, value);
        let Trial::Score(score) = self.measure(&edits).await? else { return Ok(false) };
        let to_beat = best.as_ref().map_or(base.score, |fit| fit.score);
        if let Some(score) = score.filter(|score| *score < to_beat) {
            *best = Some(Fit { edits, score });
        }
        Ok(true)
    }

    /// Puts edits that improve on their own together, the best first, as far as each still adds something.
    async fn put_together(&mut self, base: Fit, singles: &[Fit]) -> Result<Fit, Fault> {
        let mut singles: Vec<&Fit> = singles.iter().collect();
        singles.sort_by_key(|single| single.score);
        let mut fit = base;
        for single in singles {
            let mut edits = fit.edits.clone();
            edits.extend(single.edits.clone());
            if edits == single.edits {
                fit = single.clone();
                continue;
            }
            match self.measure(&edits).await? {
                Trial::Score(Some(score)) if score < fit.score => fit = Fit { edits, score },
                Trial::Score(_) => {}
                Trial::Spent => break,
            }
        }
        Ok(fit)
    }

    /// Leaves out every edit without which the score is no worse.
    async fn leave_out(&mut self, mut fit: Fit) -> Result<Fit, Fault> {
        for at in fit.edits.keys().copied().collect::<Vec<_>>() {
            if fit.edits.len() < 2 {
                break;
            }
            let mut edits = fit.edits.clone();
            edits.remove(&at);
            match self.measure(&edits).await? {
                Trial::Score(Some(score)) if score <= fit.score => fit = Fit { edits, score },
                Trial::Score(_) => {}
                Trial::Spent => break,
            }
        }
        Ok(fit)
    }
}

fn rejected(error: crate::TokenError) -> Fault {
    Fault::new(FaultKind::Rejected, error.to_string())
}
