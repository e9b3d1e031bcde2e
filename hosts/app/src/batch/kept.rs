//! What is known of finished jobs: a line each, written as soon as it is known.

use std::collections::HashMap;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use trueup_contract::Digest;

/// How a job ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Status {
    Pass,
    Undetermined,
    NeedsHuman,
    Fail,
}

impl Status {
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Undetermined => "undetermined",
            Self::NeedsHuman => "needs-human",
            Self::Fail => "fail",
        }
    }

    /// The exit code of a batch whose worst it is.
    pub(super) const fn exit_code(self) -> u8 {
        match self {
            Self::Pass => 0,
            Self::Fail => 1,
            Self::Undetermined => 3,
            Self::NeedsHuman => 4,
        }
    }
}

/// What a job came to.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub(super) struct Line {
    /// Names the work by its content: the same work is not done twice.
    pub(super) key: String,
    pub(super) name: Box<str>,
    pub(super) status: Status,
    /// Why, in a sentence.
    pub(super) detail: Box<str>,
    pub(super) open_regions: u32,
    pub(super) max_delta_e: f64,
    /// Where its picture or its run is, relative to the folder of the batch.
    pub(super) place: Option<Box<str>>,
}

/// What is kept in memory of a job that does not pass.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) status: Status,
    pub(super) open_regions: u32,
    pub(super) max_delta_e: f32,
    pub(super) detail: Box<str>,
    pub(super) place: Option<Box<str>>,
}

/// What jobs came to, by place. Most pass, and of those only that is kept.
#[derive(Debug)]
pub(super) struct Rows {
    /// 0 for a job that is left, 1 for one that passes, 2 for one with a row.
    states: Vec<u8>,
    rows: HashMap<u32, Row>,
    pub(super) resumed: usize,
}

impl Rows {
    pub(super) fn new(jobs: usize) -> Self {
        Self { states: vec![0; jobs], rows: HashMap::new(), resumed: 0 }
    }

    /// `row` is none for a job that passes.
    pub(super) fn put(&mut self, place: usize, row: Option<Row>) {
        self.states[place] = if row.is_some() { 2 } else { 1 };
        if let (Some(row), Ok(place)) = (row, u32::try_from(place)) {
            self.rows.insert(place, row);
        }
    }

    pub(super) fn row(&self, place: usize) -> Option<&Row> {
        self.rows.get(&u32::try_from(place).ok()?)
    }

    /// `None` for a job that is left.
    pub(super) fn status(&self, place: usize) -> Option<Status> {
        match self.states[place] {
            0 => None,
            1 => Some(Status::Pass),
            _ => self.row(place).map(|row| row.status),
        }
    }

    pub(super) fn detail(&self, place: usize) -> &str {
        match (self.row(place), self.states[place]) {
            (Some(row), _) => &row.detail,
            (None, 0) => "the batch was called off before",
            (None, _) => "",
        }
    }

    pub(super) fn count(&self, status: Status) -> usize {
        match status {
            Status::Pass => self.states.iter().filter(|state| **state == 1).count(),
            _ => self.rows.values().filter(|row| row.status == status).count(),
        }
    }

    pub(super) fn left(&self) -> usize {
        self.states.iter().filter(|state| **state == 0).count()
    }

    /// Places of jobs that do not pass, the worst first.
    pub(super) fn worst(&self) -> Vec<u32> {
        let mut places: Vec<(std::cmp::Reverse<Status>, u32)> =
            self.rows.iter().map(|(place, row)| (std::cmp::Reverse(row.status), *place)).collect();
        places.sort_unstable();
        places.into_iter().map(|(_, place)| place).collect()
    }
}

impl Line {
    /// What is kept of it in memory: nothing where it passes.
    pub(super) fn into_row(self) -> Option<Row> {
        (self.status != Status::Pass).then_some(Row {
            status: self.status,
            open_regions: self.open_regions,
            max_delta_e: self.max_delta_e as f32,
            detail: self.detail,
            place: self.place,
        })
    }
}

/// Names work by the parts that decide what it comes to. Half a hash tells more jobs apart than there will ever be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key(u128);

impl Key {
    pub(super) fn of<'a>(parts: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Self {
        Self::read(&Digest::of_parts(parts).to_string()[..32]).unwrap_or(Self(0))
    }

    fn read(text: &str) -> Option<Self> {
        u128::from_str_radix(text, 16).ok().map(Self)
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// What earlier calls came to, by key; no row for what passed. A line that a kill cut short is none: its job is done again.
pub(super) fn read(path: &Path) -> io::Result<HashMap<Key, Option<Box<Row>>>> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(HashMap::new()),
        Err(error) => return Err(error),
    };
    let mut rows = HashMap::new();
    for line in BufReader::new(file).split(b'\n') {
        if let Ok(line) = serde_json::from_slice::<Line>(&line?)
            && let Some(key) = Key::read(&line.key)
        {
            rows.insert(key, line.into_row().map(Box::new));
        }
    }
    Ok(rows)
}

/// The file that lines are added to.
#[derive(Debug)]
pub(super) struct Kept(File);

impl Kept {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        // Whatever was cut short ends here, so that it spoils only itself.
        if file.metadata()?.len() > 0 {
            file.write_all(b"\n")?;
        }
        Ok(Self(file))
    }

    pub(super) fn add(&mut self, line: &Line) -> io::Result<()> {
        let mut text = serde_json::to_vec(line).map_err(io::Error::other)?;
        text.push(b'\n');
        self.0.write_all(&text)
    }
}
