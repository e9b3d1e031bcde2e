//! From a manifest to a list of jobs, each with a name of its own.

use std::path::{Path, PathBuf};

use glob::MatchOptions;

use super::error::BatchError;
use super::manifest::{Manifest, Pair, Run};
use super::names::Names;
use crate::diff::{files_below, images, slashed};
use crate::error::AppError;

/// All jobs. There may be very many: what they share is kept once, and of each there is a name and a byte.
#[derive(Debug, Default)]
pub(super) struct Jobs {
    /// In the order of their jobs.
    roots: Vec<Root>,
    /// The paths below both sides; empty where the sides are files.
    below: Names,
    kinds: Vec<Kind>,
}

/// What jobs share that were named together.
#[derive(Debug)]
struct Root {
    /// The first of its jobs.
    first: usize,
    /// What their names begin with.
    under: Option<String>,
    sides: [PathBuf; 2],
    tolerance: Option<String>,
    iteration_cap: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Pair,
    OnlyExpected,
    OnlyActual,
    Run,
}

/// What is done.
#[derive(Debug)]
pub(super) enum Task {
    /// Two images are compared.
    Pair { expected: PathBuf, actual: PathBuf },
    /// One side has it and the other has not.
    Alone { only_in: &'static str },
    /// A configuration is driven to its end.
    Run { config: PathBuf, iteration_cap: Option<u32> },
}

impl Jobs {
    /// The jobs of a manifest, in its order. Paths are relative to `folder`.
    pub(super) fn of(manifest: &Manifest, place: &Path, folder: &Path) -> Result<Self, AppError> {
        let mut jobs = Self::default();
        for pair in &manifest.pairs {
            jobs.pairs(pair, manifest, place, folder)?;
        }
        for pair in &manifest.folders {
            let sides = [&pair.expected, &pair.actual].map(|side| folder.join(side));
            let mut first = Names::default();
            images(&sides[0])?.iter().for_each(|name| first.push(name));
            let mut names = Sides::new(first.sorted());
            images(&sides[1])?.iter().for_each(|name| names.also(name));
            jobs.paired(pair, manifest, sides, &names);
        }
        for run in &manifest.runs {
            jobs.runs(run, place, folder)?;
        }
        match jobs.twice() {
            None => Ok(jobs),
            Some(twice) => {
                let why = format!("{twice:?} is there twice: give each its own name");
                Err(AppError::from(BatchError::new(place, why)))
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        self.kinds.len()
    }

    fn root_of(&self, place: usize) -> &Root {
        &self.roots[self.roots.partition_point(|root| root.first <= place) - 1]
    }

    /// The name of a job.
    pub(super) fn name(&self, place: usize) -> String {
        match (&self.root_of(place).under, self.below.get(place)) {
            (None, below) => below.to_owned(),
            (Some(under), "") => under.clone(),
            (Some(under), below) => format!("{under}/{below}"),
        }
    }

    /// What is to be done for a job.
    pub(super) fn task(&self, place: usize) -> Task {
        let (root, below) = (self.root_of(place), self.below.get(place));
        let side = |side: usize| match below {
            "" => root.sides[side].clone(),
            below => root.sides[side].join(below),
        };
        match self.kinds[place] {
            Kind::Pair => Task::Pair { expected: side(0), actual: side(1) },
            Kind::OnlyExpected => Task::Alone { only_in: "expected" },
            Kind::OnlyActual => Task::Alone { only_in: "actual" },
            Kind::Run => Task::Run { config: side(0), iteration_cap: root.iteration_cap },
        }
    }

    /// The tolerance that the manifest has for a job.
    pub(super) fn tolerance(&self, place: usize) -> Option<&str> {
        self.root_of(place).tolerance.as_deref()
    }

    /// A name that two jobs have.
    fn twice(&self) -> Option<String> {
        let mut names = Names::default();
        (0..self.len()).for_each(|place| names.push(&self.name(place)));
        let names = names.sorted();
        names
            .iter()
            .zip(names.iter().skip(1))
            .find(|(one, other)| one == other)
            .map(|(one, _)| one.to_owned())
    }

    /// What the jobs that are added next share.
    fn begin(&mut self, under: Option<String>, sides: [PathBuf; 2]) -> &mut Root {
        let first = self.len();
        self.roots.push(Root { first, under, sides, tolerance: None, iteration_cap: None });
        let last = self.roots.len() - 1;
        &mut self.roots[last]
    }

    fn add(&mut self, below: &str, kind: Kind) {
        self.below.push(below);
        self.kinds.push(kind);
    }

    fn pairs(
        &mut self,
        pair: &Pair,
        manifest: &Manifest,
        place: &Path,
        folder: &Path,
    ) -> Result<(), AppError> {
        let written = [&pair.expected, &pair.actual];
        if !written.iter().any(|side| is_pattern(side)) {
            let name = pair.name.clone().unwrap_or_else(|| pair.expected.clone());
            self.begin(Some(name), written.map(|side| folder.join(side))).tolerance =
                tolerance(pair, manifest);
            self.add("", Kind::Pair);
            return Ok(());
        }
        let (expected, first) = expand(&pair.expected, place, folder)?;
        let mut names = Sides::new(first);
        let actual = each(&pair.actual, place, folder, &mut |name| names.also(name))?;
        if names.is_empty() {
            let why = format!("neither {:?} nor {:?} matches a file", pair.expected, pair.actual);
            return Err(AppError::from(BatchError::new(place, why)));
        }
        self.paired(pair, manifest, [expected, actual], &names);
        Ok(())
    }

    /// Jobs for names on both sides and on the first alone, then for those on the second alone.
    fn paired(&mut self, pair: &Pair, manifest: &Manifest, sides: [PathBuf; 2], names: &Sides) {
        self.begin(pair.name.clone(), sides).tolerance = tolerance(pair, manifest);
        for (below, both) in names.first.iter().zip(&names.on_both) {
            self.add(below, if *both { Kind::Pair } else { Kind::OnlyExpected });
        }
        for below in names.only_second.sorted().iter() {
            self.add(below, Kind::OnlyActual);
        }
    }

    fn runs(&mut self, run: &Run, place: &Path, folder: &Path) -> Result<(), AppError> {
        let (under, side, found) = if is_pattern(&run.config) {
            let (root, found) = expand(&run.config, place, folder)?;
            (run.name.clone(), root, found)
        } else {
            let name = run.name.clone().unwrap_or_else(|| run.config.clone());
            let mut found = Names::default();
            found.push("");
            (Some(name), folder.join(&run.config), found)
        };
        if found.len() == 0 {
            let why = format!("{:?} matches no file", run.config);
            return Err(AppError::from(BatchError::new(place, why)));
        }
        self.begin(under, [side, PathBuf::new()]).iteration_cap = run.iteration_cap;
        found.iter().for_each(|below| self.add(below, Kind::Run));
        Ok(())
    }
}

fn tolerance(pair: &Pair, manifest: &Manifest) -> Option<String> {
    pair.tolerance.clone().or_else(|| manifest.tolerance.clone())
}

fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?', '['])
}

/// Paths below two sides, with `/` between names. Those on both are kept once.
struct Sides {
    /// Sorted.
    first: Names,
    on_both: Vec<bool>,
    only_second: Names,
}

impl Sides {
    fn new(first: Names) -> Self {
        Self { on_both: vec![false; first.len()], first, only_second: Names::default() }
    }

    /// The second side has this name.
    fn also(&mut self, name: &str) {
        match self.first.find(name) {
            Some(place) => self.on_both[place] = true,
            None => self.only_second.push(name),
        }
    }

    fn is_empty(&self) -> bool {
        self.first.len() + self.only_second.len() == 0
    }
}

/// The part of a pattern without wildcards, and what follows it in the files that match.
fn expand(pattern: &str, place: &Path, folder: &Path) -> Result<(PathBuf, Names), AppError> {
    let mut found = Names::default();
    let root = each(pattern, place, folder, &mut |name| found.push(name))?;
    Ok((root, found.sorted()))
}

/// Hands over what follows the part of a pattern without wildcards in each file that matches, in any order, and gives that
/// part. Files are looked at one by one, because there may be very many.
fn each(pattern: &str, place: &Path, folder: &Path, take: &mut dyn FnMut(&str)) -> Result<PathBuf, AppError> {
    let fail = |why: String| AppError::from(BatchError::new(place, format!("{pattern:?}: {why}")));
    let plain: PathBuf = Path::new(pattern)
        .components()
        .take_while(|part| !is_pattern(&part.as_os_str().to_string_lossy()))
        .collect();
    let root = folder.join(&plain);
    let rest = Path::new(pattern).strip_prefix(&plain).unwrap_or(Path::new(pattern));
    let matcher = glob::Pattern::new(&rest.to_string_lossy()).map_err(|error| fail(error.to_string()))?;
    let options = MatchOptions { require_literal_separator: true, ..MatchOptions::new() };
    // Where the pattern names no folder, it means the one that one is in.
    let here = if root.as_os_str().is_empty() { Path::new(".") } else { &root };
    // A pattern without ** looks no deeper than it has parts.
    let parts = rest.components();
    let depth = if parts.clone().any(|part| part.as_os_str() == "**") { usize::MAX } else { parts.count() };
    if here.is_dir() {
        for file in files_below(here, depth) {
            let file = file?;
            if matcher.matches_path_with(&file, options) {
                take(&slashed(&file));
            }
        }
    }
    Ok(root)
}
