//! What is known of finished jobs: a line each, written as soon as it is known.

use std::collections::HashMap;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
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

/// How a job ended, and where its line stands in the file. That is all that is kept in memory: sentences that are made between
/// comparisons would hold on to the memory of those.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) status: Status,
    pub(super) at: u64,
}

/// What jobs came to, by place.
#[derive(Debug)]
pub(super) struct Rows {
    /// `None` for a job that is left.
    states: Vec<Option<Status>>,
    /// Where the lines of jobs stand that do not pass.
    lines: HashMap<usize, u64>,
    pub(super) resumed: usize,
}

impl Rows {
    pub(super) fn new(jobs: usize) -> Self {
        Self { states: vec![None; jobs], lines: HashMap::new(), resumed: 0 }
    }

    pub(super) fn put(&mut self, place: usize, row: Row) {
        self.states[place] = Some(row.status);
        if row.status != Status::Pass {
            self.lines.insert(place, row.at);
        }
    }

    /// `None` for a job that is left.
    pub(super) fn status(&self, place: usize) -> Option<Status> {
        self.states[place]
    }

    pub(super) fn count(&self, status: Option<Status>) -> usize {
        self.states.iter().filter(|state| **state == status).count()
    }

    /// Places of jobs that do not pass, the worst first.
    pub(super) fn worst(&self) -> Vec<usize> {
        let mut places: Vec<usize> = self.lines.keys().copied().collect();
        places.sort_unstable_by_key(|&place| (std::cmp::Reverse(self.states[place]), place));
        places
    }

    /// The line of a job that does not pass, out of the file; `None` for any other job.
    pub(super) fn line(&self, place: usize, kept: &mut Kept) -> io::Result<Option<Line>> {
        self.lines.get(&place).map(|at| kept.line(*at)).transpose()
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

/// The file with a line for each job that has ended.
#[derive(Debug)]
pub(super) struct Kept {
    file: File,
    /// Where the next line begins.
    end: u64,
}

impl Kept {
    /// Opens the file, and says what earlier calls came to, by key. A line that a kill cut short is none: its job is done again.
    pub(super) fn open(path: &Path) -> io::Result<(Self, HashMap<Key, Row>)> {
        let file = OpenOptions::new().create(true).read(true).append(true).open(path)?;
        let mut kept = Self { file, end: 0 };
        let (mut rows, mut text, mut is_cut) = (HashMap::new(), Vec::new(), false);
        let mut reader = BufReader::new(&kept.file);
        loop {
            text.clear();
            let read = reader.read_until(b'\n', &mut text)?;
            if read == 0 {
                break;
            }
            is_cut = !text.ends_with(b"\n");
            if let Ok(line) = serde_json::from_slice::<Line>(&text)
                && let Some(key) = Key::read(&line.key)
            {
                rows.insert(key, Row { status: line.status, at: kept.end });
            }
            kept.end += read as u64;
        }
        // What was cut short ends here, so that it spoils only itself.
        if is_cut {
            kept.write(b"\n")?;
        }
        Ok((kept, rows))
    }

    pub(super) fn add(&mut self, line: &Line) -> io::Result<Row> {
        let mut text = serde_json::to_vec(line).map_err(io::Error::other)?;
        text.push(b'\n');
        let row = Row { status: line.status, at: self.end };
        self.write(&text)?;
        Ok(row)
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)?;
        self.end += bytes.len() as u64;
        Ok(())
    }

    fn line(&mut self, at: u64) -> io::Result<Line> {
        self.file.seek(SeekFrom::Start(at))?;
        let mut text = Vec::new();
        BufReader::new(&self.file).read_until(b'\n', &mut text)?;
        Ok(serde_json::from_slice(&text)?)
    }
}
