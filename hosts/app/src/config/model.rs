//! What a configuration says.

use std::path::PathBuf;
use std::sync::Arc;

use trueup_compare_pixel::{Area, Place, Settings};
use trueup_contract::{Digest, Excuses, Literals, LoopContract, Plan, Preset, SprintContract};
use trueup_frame::Size;
use trueup_pixel_diff::{Mask, MatchLevel};
use trueup_revise_tokens::Token;

use super::ports::Filled;

/// A configuration that was read and checked: what it names exists, and its tokens can be found.
#[derive(Debug)]
#[non_exhaustive]
pub struct Config {
    /// The folder that paths in it are relative to.
    pub folder: PathBuf,
    /// The rules.
    pub preset: Preset,
    /// What is compared with what.
    pub plan: Arc<Plan>,
    /// The artifact's files, relative to the folder.
    pub files: Vec<String>,
    /// How strictly is compared.
    pub settings: Settings,
    /// The design tokens.
    pub tokens: Vec<Token>,
    /// What the design is meant to be, for a judge.
    pub brief: Option<Arc<str>>,
    /// The gate against values that are written out where tokens belong.
    pub literals: Option<Literals>,
    /// Open regions that somebody excused.
    pub excuses: Excuses,
    /// What this round of work was agreed to be.
    pub sprint: Option<SprintContract>,
    pub(crate) filled: Filled,
    pub(crate) limits: LimitTexts,
}

impl Config {
    /// The rules of a run, without its limits: what passes, what is excused, and what was agreed.
    pub(crate) fn contract(&self) -> LoopContract {
        let mut contract = LoopContract::of(self.preset).with_excuses(self.excuses.clone());
        if let Some(judges) = &self.filled.judges {
            contract = contract.with_rubric(judges.rubric.clone());
        }
        match &self.sprint {
            Some(sprint) => {
                contract.with_criteria(sprint.criteria()).with_sprint(sprint.digest().to_string())
            }
            None => contract,
        }
    }

    /// The programs that it runs and the models that it asks, by port and name; empty where everything is built in.
    #[must_use]
    pub fn outside_help(&self) -> Vec<String> {
        let programs =
            self.filled.programs().into_iter().map(|(port, program)| format!("{port} {}", program.name()));
        let models = self.filled.models().into_iter().map(|(port, model)| format!("{port} {}", model.name()));
        programs.chain(models).collect()
    }

    /// Everything that measurements of a run depend on besides the plan, by name: a run that goes on must say the same.
    pub(crate) fn measured_by(&self, settings: &Settings) -> Vec<(String, String)> {
        let tolerance = settings.tolerance;
        let mut named = vec![
            ("color_delta_e".to_owned(), tolerance.color_delta_e().to_string()),
            ("strict".to_owned(), tolerance.is_strict().to_string()),
            ("antialiasing".to_owned(), settings.antialiasing.name().to_owned()),
        ];
        if settings.placement_css_px > 0 {
            named.push(("pixel".to_owned(), settings.placement_css_px.to_string()));
        }
        if settings.level != MatchLevel::default() {
            named.push(("level".to_owned(), settings.level.to_string()));
        }
        for (label, areas) in &settings.areas {
            let areas: Vec<String> = areas.iter().map(area_name).collect();
            named.push((format!("areas of {label}"), areas.join("; ")));
        }
        named.extend(self.filled.measured_by());
        for (label, areas) in &settings.ignored {
            let areas: Vec<String> = areas.iter().map(ToString::to_string).collect();
            named.push((format!("ignore of {label}"), areas.join("; ")));
        }
        for label in self.plan.labels() {
            // A reference that cannot be read is the run's to report; here it is only one that says nothing.
            let content = std::fs::read(self.folder.join(label.reference())).unwrap_or_default();
            let digest = Digest::of_parts([("reference", content.as_slice())]);
            named.push((format!("reference of {}", label.name()), digest.to_string()));
            // A page that is not revised belongs to what a measurement depends on.
            let page = label.source().split(['?', '#']).next().unwrap_or_default();
            if !self.files.iter().any(|file| file == page)
                && let Ok(content) = std::fs::read(self.folder.join(page))
            {
                let digest = Digest::of_parts([("page", content.as_slice())]);
                named.push((format!("page of {}", label.name()), digest.to_string()));
            }
        }
        for token in &self.tokens {
            named.push((format!("token {}", token.name()), format!("{token:?}")));
        }
        named
    }
}

/// All that an area is, in a line.
fn area_name(area: &Area) -> String {
    let place = match &area.place {
        Place::Shape(Mask::Rect(rect)) => rect.to_string(),
        Place::Shape(Mask::Bits(bits)) => {
            let Size { width, height } = bits.size();
            let row = |y| (0..width).map(move |x| u8::from(bits.contains(x, y)));
            let content: Vec<u8> = (0..height).flat_map(row).collect();
            format!("{} {}", bits.size(), Digest::of_parts([("area", content.as_slice())]))
        }
        Place::Element(selector) => format!("element({selector})"),
    };
    let distance = area.placement_px.map(|px| format!("={px}")).unwrap_or_default();
    format!("{}{distance}:{place}", area.level)
}

/// Limits as the configuration writes them; what cannot be used takes a default and says so.
#[derive(Clone, Debug, Default)]
pub(crate) struct LimitTexts {
    pub(crate) iteration_cap: Option<String>,
    pub(crate) restarts: Option<String>,
    pub(crate) retries: Option<String>,
    pub(crate) trials: Option<String>,
}
