//! From a manifest to a list of jobs, each with a name of its own.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use glob::MatchOptions;

use super::error::BatchError;
use super::manifest::{Manifest, Pair, Run};
use crate::diff::images;
use crate::error::AppError;

/// All jobs. There may be very many: what they share is kept once, and the rest is short.
#[derive(Debug, Default)]
pub(super) struct Jobs {
    roots: Vec<Root>,
    list: Vec<Job>,
}

/// What jobs share that were named together.
#[derive(Debug)]
struct Root {
    /// What their names begin with.
    under: Option<String>,
    sides: [PathBuf; 2],
    tolerance: Option<String>,
    iteration_cap: Option<u32>,
}

#[derive(Debug)]
struct Job {
    /// The path below both sides; empty where the sides are files.
    below: Box<str>,
    root: u32,
    kind: Kind,
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
            let boxed = |names: BTreeSet<String>| names.into_iter().map(String::into_boxed_str);
            let mut names = Sides::new(boxed(images(&sides[0])?).collect());
            boxed(images(&sides[1])?).for_each(|name| names.also(name));
            jobs.paired(pair, manifest, sides, names);
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
        self.list.len()
    }

    /// The name of a job.
    pub(super) fn name(&self, place: usize) -> String {
        let job = &self.list[place];
        match (&self.roots[job.root as usize].under, &*job.below) {
            (None, below) => below.to_owned(),
            (Some(under), "") => under.clone(),
            (Some(under), below) => format!("{under}/{below}"),
        }
    }

    /// What is to be done for a job.
    pub(super) fn task(&self, place: usize) -> Task {
        let job = &self.list[place];
        let root = &self.roots[job.root as usize];
        let side = |side: usize| match &*job.below {
            "" => root.sides[side].clone(),
            below => root.sides[side].join(below),
        };
        match job.kind {
            Kind::Pair => Task::Pair { expected: side(0), actual: side(1) },
            Kind::OnlyExpected => Task::Alone { only_in: "expected" },
            Kind::OnlyActual => Task::Alone { only_in: "actual" },
            Kind::Run => Task::Run { config: side(0), iteration_cap: root.iteration_cap },
        }
    }

    /// The tolerance that the manifest has for a job.
    pub(super) fn tolerance(&self, place: usize) -> Option<&str> {
        self.roots[self.list[place].root as usize].tolerance.as_deref()
    }

    /// A name that two jobs have.
    fn twice(&self) -> Option<String> {
        let job =
            |place: &usize| (&self.roots[self.list[*place].root as usize].under, &self.list[*place].below);
        let mut order: Vec<usize> = (0..self.len()).collect();
        // Where nothing stands before names, they are compared as they are; else as they read.
        if self.roots.iter().all(|root| root.under.is_none()) {
            order.sort_unstable_by_key(job);
            return order
                .windows(2)
                .find(|pair| job(&pair[0]) == job(&pair[1]))
                .map(|pair| self.name(pair[0]));
        }
        let mut names: Vec<String> = (0..self.len()).map(|place| self.name(place)).collect();
        names.sort_unstable();
        names.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0].clone())
    }

    fn root(&mut self, under: Option<String>, sides: [PathBuf; 2], tolerance: Option<String>) -> u32 {
        self.roots.push(Root { under, sides, tolerance, iteration_cap: None });
        u32::try_from(self.roots.len() - 1).unwrap_or(u32::MAX)
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
            let root =
                self.root(Some(name), written.map(|side| folder.join(side)), tolerance(pair, manifest));
            self.list.push(Job { below: "".into(), root, kind: Kind::Pair });
            return Ok(());
        }
        let (expected, first) = expand(&pair.expected, place, folder)?;
        let mut names = Sides::new(first);
        let actual = each(&pair.actual, place, folder, &mut |name| names.also(name))?;
        if names.is_empty() {
            let why = format!("neither {:?} nor {:?} matches a file", pair.expected, pair.actual);
            return Err(AppError::from(BatchError::new(place, why)));
        }
        self.paired(pair, manifest, [expected, actual], names);
        Ok(())
    }

    /// Jobs for names on both sides and on the first alone, then for those on the second alone.
    fn paired(&mut self, pair: &Pair, manifest: &Manifest, sides: [PathBuf; 2], names: Sides) {
        let root = self.root(pair.name.clone(), sides, tolerance(pair, manifest));
        let job = |below, kind| Job { below, root, kind };
        let first = names.first.into_iter().zip(names.on_both);
        self.list.extend(
            first.map(|(below, both)| job(below, if both { Kind::Pair } else { Kind::OnlyExpected })),
        );
        self.list.extend(names.only_second.into_iter().map(|below| job(below, Kind::OnlyActual)));
    }

    fn runs(&mut self, run: &Run, place: &Path, folder: &Path) -> Result<(), AppError> {
        let (under, side, found) = if is_pattern(&run.config) {
            let (root, found) = expand(&run.config, place, folder)?;
            (run.name.clone(), root, found)
        } else {
            let name = run.name.clone().unwrap_or_else(|| run.config.clone());
            (Some(name), folder.join(&run.config), vec!["".into()])
        };
        if found.is_empty() {
            let why = format!("{:?} matches no file", run.config);
            return Err(AppError::from(BatchError::new(place, why)));
        }
        let root = self.root(under, [side, PathBuf::new()], None);
        if let Some(root) = self.roots.last_mut() {
            root.iteration_cap = run.iteration_cap;
        }
        let job = |below| Job { below, root, kind: Kind::Run };
        self.list.extend(found.into_iter().map(job));
        Ok(())
    }
}

fn tolerance(pair: &Pair, manifest: &Manifest) -> Option<String> {
    pair.tolerance.clone().or_else(|| manifest.tolerance.clone())
}

fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?', '['])
}

/// Paths below a folder, sorted, with `/` between names.
type Names = Vec<Box<str>>;

/// Names on two sides. Those on both are kept once.
struct Sides {
    first: Names,
    on_both: Vec<bool>,
    only_second: Names,
}

impl Sides {
    fn new(first: Names) -> Self {
        Self { on_both: vec![false; first.len()], first, only_second: Names::new() }
    }

    /// The second side has this name.
    fn also(&mut self, name: Box<str>) {
        match self.first.binary_search(&name) {
            Ok(place) => self.on_both[place] = true,
            Err(_) => {
                let place = self.only_second.partition_point(|other| *other < name);
                self.only_second.insert(place, name);
            }
        }
    }

    fn is_empty(&self) -> bool {
        self.first.is_empty() && self.only_second.is_empty()
    }
}

/// The part of a pattern without wildcards, and what follows it in the files that match.
fn expand(pattern: &str, place: &Path, folder: &Path) -> Result<(PathBuf, Names), AppError> {
    let mut found = Names::new();
    let root = each(pattern, place, folder, &mut |name| found.push(name))?;
    found.sort_unstable();
    Ok((root, found))
}

/// Hands over what follows the part of a pattern without wildcards in each file that matches, in any order, and gives that
/// part. Entries are looked at one by one, because there may be very many; a symbolic link to a folder is not followed, because
/// it may lead in a circle.
fn each(
    pattern: &str,
    place: &Path,
    folder: &Path,
    take: &mut dyn FnMut(Box<str>),
) -> Result<PathBuf, AppError> {
    let fail = |why: String| AppError::from(BatchError::new(place, format!("{pattern:?}: {why}")));
    let plain: PathBuf = Path::new(pattern)
        .components()
        .take_while(|part| !is_pattern(&part.as_os_str().to_string_lossy()))
        .collect();
    let root = folder.join(&plain);
    let rest = Path::new(pattern).strip_prefix(&plain).unwrap_or(Path::new(pattern));
    let matcher = glob::Pattern::new(&rest.to_string_lossy()).map_err(|error| fail(error.to_string()))?;
    let options = MatchOptions { require_literal_separator: true, ..MatchOptions::new() };
    let deep = rest.components().count() > 1;
    let mut open = if root.is_dir() { vec![PathBuf::new()] } else { Vec::new() };
    while let Some(below) = open.pop() {
        let here = root.join(&below);
        // Where the pattern names no folder, it means the one that one is in.
        let here = if here.as_os_str().is_empty() { Path::new(".") } else { &here };
        let unreadable = |error: std::io::Error| fail(format!("{} cannot be read: {error}", here.display()));
        for entry in fs::read_dir(here).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            let kind = entry.file_type().map_err(unreadable)?;
            let name = below.join(entry.file_name());
            if kind.is_dir() {
                if deep {
                    open.push(name);
                }
            } else if matcher.matches_path_with(&name, options) {
                let parts: Vec<_> = name.iter().map(|part| part.to_string_lossy()).collect();
                take(parts.join("/").into());
            }
        }
    }
    Ok(root)
}
