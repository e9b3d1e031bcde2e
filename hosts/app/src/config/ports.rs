//! Who fills the ports.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use trueup_capture_svg::{Background, Options, Renderer, SvgCapturer};
use trueup_compare_pixel::{PixelComparer, Settings};
use trueup_contract::{Criterion, Digest, Preset};
use trueup_ports::{Capturer, Comparer, Judge, Reviser};
use trueup_revise_tokens::{Token, TokenReviser};
use trueup_rubric::panel::{Panel, PanelRule};
use trueup_rubric::{Rubric, preset};
use trueup_subprocess::{CommandCapturer, CommandComparer, CommandJudge, CommandReviser, Edits, Program};

use super::error::ConfigError;
use super::provider::ModelChoice;
use super::reader::Section;
use crate::panel::JudgePanel;
use crate::rubric::find_rubric;

/// Who fills the ports of a run.
#[derive(Debug)]
pub(crate) struct Filled {
    pub(crate) capturer: CapturerChoice,
    comparer: Option<Program>,
    reviser: ReviserChoice,
    pub(crate) judges: Option<JudgesChoice>,
}

/// What renders.
#[derive(Debug)]
pub(crate) enum CapturerChoice {
    /// The renderer of this process, and what it was told, in words.
    Svg(Box<Renderer>, String),
    Command(Program),
}

/// What revises.
#[derive(Debug)]
enum ReviserChoice {
    Tokens,
    Command(Program, Edits),
    Model(ModelChoice),
}

/// What scores, and by what.
#[derive(Debug)]
pub(crate) struct JudgesChoice {
    /// At least one; more are a panel.
    judges: Vec<JudgeChoice>,
    panel: PanelChoice,
    pub(crate) rubric: Rubric,
    /// What the judges are told of the sprint contract.
    pub(crate) criteria: Vec<Criterion>,
}

/// One judge.
#[derive(Debug)]
struct JudgeChoice {
    by: JudgedBy,
    name: Option<String>,
}

#[derive(Debug)]
enum JudgedBy {
    Command(Program),
    Model(ModelChoice),
}

/// How several judges become one.
#[derive(Clone, Copy, Debug)]
struct PanelChoice {
    rule: PanelRule,
    quorum: usize,
}

/// The ports themselves.
pub(crate) struct Filling {
    pub(crate) capturer: Arc<dyn Capturer>,
    pub(crate) comparer: Arc<dyn Comparer>,
    pub(crate) reviser: Arc<dyn Reviser>,
    pub(crate) judge: Option<Arc<dyn Judge>>,
}

impl Filled {
    pub(crate) fn read(root: &Section<'_>, folder: &Path, preset: Preset) -> Result<Self, ConfigError> {
        Ok(Self {
            capturer: capturer(root, folder)?,
            comparer: comparer(root, folder)?,
            reviser: reviser(root, folder)?,
            judges: judges(root, folder, preset)?,
        })
    }

    /// The programs among them, each with its port.
    pub(crate) fn programs(&self) -> Vec<(&'static str, &Program)> {
        let mut programs = Vec::new();
        if let CapturerChoice::Command(program) = &self.capturer {
            programs.push(("capturer", program));
        }
        programs.extend(self.comparer.as_ref().map(|program| ("comparer", program)));
        if let ReviserChoice::Command(program, _) = &self.reviser {
            programs.push(("reviser", program));
        }
        for judge in self.judges.iter().flat_map(|judges| &judges.judges) {
            if let JudgedBy::Command(program) = &judge.by {
                programs.push(("judge", program));
            }
        }
        programs
    }

    /// The models among them, each with its port.
    pub(crate) fn models(&self) -> Vec<(&'static str, &ModelChoice)> {
        let mut models = Vec::new();
        if let ReviserChoice::Model(model) = &self.reviser {
            models.push(("reviser", model));
        }
        for judge in self.judges.iter().flat_map(|judges| &judges.judges) {
            if let JudgedBy::Model(model) = &judge.by {
                models.push(("judge", model));
            }
        }
        models
    }

    /// What measures, by name, in words.
    pub(crate) fn measured_by(&self) -> Vec<(String, String)> {
        let mut named = vec![(
            "capturer".to_owned(),
            match &self.capturer {
                CapturerChoice::Svg(_, said) => said.clone(),
                CapturerChoice::Command(program) => program.name(),
            },
        )];
        named.extend(self.comparer.as_ref().map(|program| ("comparer".to_owned(), program.name())));
        if let Some(judges) = &self.judges {
            let names: Vec<String> = judges.judges.iter().map(JudgeChoice::name).collect();
            named.push(("judge".to_owned(), names.join("; ")));
            if names.len() > 1 {
                named.push(("panel".to_owned(), format!("{:?}", judges.panel)));
            }
            named.push(("rubric".to_owned(), judges.rubric.fingerprint().to_string()));
        }
        named
    }

    /// What renders, for the status block.
    pub(crate) const fn source(&self) -> &'static str {
        match self.capturer {
            CapturerChoice::Svg(..) => "svg",
            CapturerChoice::Command(_) => "command",
        }
    }

    /// Makes the ports.
    pub(crate) fn into_ports(self, folder: &Path, settings: Settings, tokens: Vec<Token>) -> Filling {
        let capturer: Arc<dyn Capturer> = match self.capturer {
            CapturerChoice::Svg(renderer, _) => Arc::new(SvgCapturer::new(*renderer)),
            CapturerChoice::Command(program) => Arc::new(CommandCapturer::new(program)),
        };
        let comparer: Arc<dyn Comparer> = match self.comparer {
            None => Arc::new(PixelComparer::new(folder, settings)),
            Some(program) => Arc::new(CommandComparer::new(program)),
        };
        let reviser: Arc<dyn Reviser> = match self.reviser {
            ReviserChoice::Tokens => Arc::new(TokenReviser::new(tokens)),
            ReviserChoice::Command(program, edits) => Arc::new(CommandReviser::new(program, edits)),
            ReviserChoice::Model(model) => model.into_reviser(),
        };
        let judge = self.judges.map(JudgesChoice::into_port);
        Filling { capturer, comparer, reviser, judge }
    }
}

impl JudgesChoice {
    fn into_port(self) -> Arc<dyn Judge> {
        let PanelChoice { rule, quorum } = self.panel;
        let port = |judge: JudgeChoice| judge.into_port(&self.criteria);
        let mut judges: Vec<Arc<dyn Judge>> = self.judges.into_iter().map(port).collect();
        match judges.pop() {
            Some(judge) if judges.is_empty() => judge,
            last => {
                judges.extend(last);
                Arc::new(JudgePanel::new(judges, Panel::new(rule, quorum), quorum))
            }
        }
    }
}

impl JudgeChoice {
    fn name(&self) -> String {
        match (&self.by, &self.name) {
            (JudgedBy::Command(program), None) => program.name(),
            (JudgedBy::Command(_), Some(name)) => name.clone(),
            (JudgedBy::Model(model), None) => model.name(),
            // Another model under the same name measures otherwise.
            (JudgedBy::Model(model), Some(name)) => format!("{name} ({})", model.name()),
        }
    }

    fn into_port(self, criteria: &[Criterion]) -> Arc<dyn Judge> {
        match (self.by, self.name) {
            (JudgedBy::Command(program), None) => Arc::new(CommandJudge::new(program)),
            (JudgedBy::Command(program), Some(name)) => Arc::new(CommandJudge::new(program).named(name)),
            (JudgedBy::Model(model), name) => model.into_judge(name, criteria),
        }
    }
}

fn capturer(root: &Section<'_>, folder: &Path) -> Result<CapturerChoice, ConfigError> {
    let Some(section) = root.section("capturer")? else { return svg(root, None, folder) };
    match kind(&section, &["svg", "command"])?.as_deref() {
        Some("command") => {
            let program = program(&section, folder)?;
            section.finish()?;
            Ok(CapturerChoice::Command(program))
        }
        _ => svg(root, Some(section), folder),
    }
}

fn svg(
    root: &Section<'_>,
    section: Option<Section<'_>>,
    folder: &Path,
) -> Result<CapturerChoice, ConfigError> {
    let mut options = Options::default();
    let mut said = "svg".to_owned();
    let mut font_span = 0..0;
    if let Some(section) = section {
        if let Some(background) = section.string("background")? {
            let read = background_of(&background.value).ok_or_else(|| {
                let why = format!(
                    "{:?} is no background: expected \"transparent\", \"white\" or \"#rrggbb\"",
                    background.value
                );
                root.document.bad(&background.span, "background", why)
            })?;
            options = options.with_background(read);
            said.push_str(&format!(", background {}", background.value));
        }
        for font in section.strings("fonts")?.map(|fonts| fonts.value).unwrap_or_default() {
            let path = folder.join(&font.value);
            let bytes = fs::read(&path).map_err(|error| {
                root.document.bad(&font.span, "fonts", format!("{}: {error}", path.display()))
            })?;
            let digest = Digest::of_parts([("font", bytes.as_slice())]);
            said.push_str(&format!(", font {digest}"));
            options = options.with_font(bytes);
            font_span = font.span;
        }
        section.finish()?;
    }
    let renderer = Renderer::new(options);
    let renderer = renderer.map_err(|error| root.document.bad(&font_span, "fonts", error.to_string()))?;
    Ok(CapturerChoice::Svg(Box::new(renderer), said))
}

fn background_of(text: &str) -> Option<Background> {
    match text {
        "transparent" => Some(Background::Transparent),
        "white" => Some(Background::Color([255; 3])),
        _ => {
            let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6)?;
            let number = u32::from_str_radix(digits, 16).ok()?;
            let [_, red, green, blue] = number.to_be_bytes();
            Some(Background::Color([red, green, blue]))
        }
    }
}

fn comparer(root: &Section<'_>, folder: &Path) -> Result<Option<Program>, ConfigError> {
    let Some(section) = root.section("comparer")? else { return Ok(None) };
    let chosen = match kind(&section, &["pixel", "command"])?.as_deref() {
        Some("command") => Some(program(&section, folder)?),
        _ => None,
    };
    section.finish()?;
    Ok(chosen)
}

fn reviser(root: &Section<'_>, folder: &Path) -> Result<ReviserChoice, ConfigError> {
    let Some(section) = root.section("reviser")? else { return Ok(ReviserChoice::Tokens) };
    let chosen = match kind(&section, &["tokens", "command", "model"])?.as_deref() {
        Some("command") => {
            let edits = match section.string("edits")? {
                None => Edits::Reply,
                Some(edits) if edits.value == "reply" => Edits::Reply,
                Some(edits) if edits.value == "files" => Edits::Files,
                Some(edits) => {
                    let why = format!("{:?} is not known: expected \"reply\" or \"files\"", edits.value);
                    return Err(section.document.bad(&edits.span, "edits", why));
                }
            };
            ReviserChoice::Command(program(&section, folder)?, edits)
        }
        Some("model") => ReviserChoice::Model(ModelChoice::read(&section)?),
        _ => ReviserChoice::Tokens,
    };
    section.finish()?;
    Ok(chosen)
}

/// One judge under `[judge]`, or several under `[[judge]]`; the rubric stands with the one judge, or in `[panel]`.
fn judges(root: &Section<'_>, folder: &Path, preset: Preset) -> Result<Option<JudgesChoice>, ConfigError> {
    let panel = root.section("panel")?;
    let sections = root.one_or_more("judge")?;
    let count = sections.len();
    let mut chosen = Vec::new();
    let mut rubric = None;
    for section in &sections {
        let by = match kind(section, &["command", "model"])?.as_deref() {
            Some("model") => JudgedBy::Model(ModelChoice::read(section)?.with_verdicts(section, folder)?),
            _ => JudgedBy::Command(program(section, folder)?),
        };
        let name = section.string("name")?.map(|name| name.value);
        chosen.push(JudgeChoice { by, name });
        if panel.is_none() {
            rubric = rubric_in(section, folder)?.or(rubric);
        }
    }
    let mut choice = PanelChoice { rule: PanelRule::Median, quorum: count / 2 + 1 };
    if let Some(panel) = &panel {
        if count == 0 {
            return Err(root.missing("judge", "the judges of the panel, each under [[judge]]"));
        }
        rubric = rubric_in(panel, folder)?;
        if let Some(rule) = panel.string("rule")? {
            choice.rule = match rule.value.as_str() {
                "median" => PanelRule::Median,
                "mean" => PanelRule::Mean,
                "worst" => PanelRule::Worst,
                "majority" => PanelRule::Majority,
                other => {
                    let why = format!(
                        "{other:?} is not known: expected \"median\", \"mean\", \"worst\" or \"majority\""
                    );
                    return Err(panel.document.bad(&rule.span, "rule", why));
                }
            };
        }
        if let Some(quorum) = panel.number("quorum")? {
            let number = quorum.value.parse().ok().filter(|number| (1..=count).contains(number));
            choice.quorum = number.ok_or_else(|| {
                let why = format!(
                    "{} is no quorum: expected 1 to {count}, as there are so many judges",
                    quorum.value
                );
                panel.document.bad(&quorum.span, "quorum", why)
            })?;
        }
    }
    let Some(first) = sections.first() else { return Ok(None) };
    let rubric = rubric.or_else(|| rubric_of(preset)).ok_or_else(|| {
        let expected = "the name of a rubric (trueup rubric list), or the file of one of your own";
        panel.as_ref().unwrap_or(first).missing("rubric", expected)
    })?;
    for section in sections.into_iter().chain(panel) {
        section.finish()?;
    }
    Ok(Some(JudgesChoice { judges: chosen, panel: choice, rubric, criteria: Vec::new() }))
}

/// The rubric that a section names.
fn rubric_in(section: &Section<'_>, folder: &Path) -> Result<Option<Rubric>, ConfigError> {
    let Some(asked) = section.string("rubric")? else { return Ok(None) };
    let beside = folder.join(&asked.value);
    let place = if preset::named(&asked.value).is_none() && beside.is_file() {
        beside.display().to_string()
    } else {
        asked.value.clone()
    };
    let found = find_rubric(&place);
    let found = found.map_err(|error| section.document.bad(&asked.span, "rubric", error.to_string()))?;
    Ok(Some(found.rubric))
}

/// The rubric that belongs to a preset.
fn rubric_of(preset: Preset) -> Option<Rubric> {
    preset::named(preset.as_str())
}

/// Which of the kinds a section asks for.
fn kind(section: &Section<'_>, known: &[&str]) -> Result<Option<String>, ConfigError> {
    let Some(kind) = section.string("kind")? else { return Ok(None) };
    if known.contains(&kind.value.as_str()) {
        return Ok(Some(kind.value));
    }
    let known: Vec<String> = known.iter().map(|known| format!("{known:?}")).collect();
    let why = format!("{:?} is not known here: expected {}", kind.value, known.join(" or "));
    Err(section.document.bad(&kind.span, "kind", why))
}

fn program(section: &Section<'_>, folder: &Path) -> Result<Program, ConfigError> {
    const EXPECTED: &str = "the program and its arguments, such as command = [\"python3\", \"judge.py\"]";
    let command = section.strings("command")?.ok_or_else(|| section.missing("command", EXPECTED))?;
    let mut words = command.value.into_iter().map(|word| word.value);
    let first = words.next().filter(|word| !word.is_empty());
    let first = first.ok_or_else(|| {
        section.document.bad(&command.span, "command", format!("the list is empty: expected {EXPECTED}"))
    })?;
    let mut program = Program::new(first, words).in_folder(folder);
    if let Some(names) = section.strings("variables")? {
        program = program.with_variables(names.value.into_iter().map(|name| name.value));
    }
    if let Some(limit) = time_limit(section)? {
        program = program.with_time_limit(limit);
    }
    Ok(program)
}

/// How long a call may take.
pub(super) fn time_limit(section: &Section<'_>) -> Result<Option<Duration>, ConfigError> {
    let Some(limit) = section.number("time_limit_s")? else { return Ok(None) };
    let seconds = limit.value.parse::<u64>().ok().filter(|seconds| (1..=86_400).contains(seconds));
    let seconds = seconds.ok_or_else(|| {
        let why = format!("{} is no time limit: expected whole seconds from 1 to 86400", limit.value);
        section.document.bad(&limit.span, "time_limit_s", why)
    })?;
    Ok(Some(Duration::from_secs(seconds)))
}
