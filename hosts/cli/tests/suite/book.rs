//! The book in `docs/`: every command line in it is run, and prints what the book says.
//!
//! A block of `console` is run line by line in a folder of its chapter, which holds a copy of `examples`. A line that begins with
//! `$ ` is a command; those after it are what it prints, where `…` stands for anything in a line, and alone for any lines. A command
//! is to exit with 0, unless `$ echo $?` follows with another code. Blocks with `file=NAME` are files. `browser` and `python` name what a
//! block needs beside the toolchain; `model` blocks are read but never run.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::browser::has_browser;
use crate::programs::has_python;

/// What the book may call beside the command itself.
const TOOLS: [&str; 6] = ["cp", "head", "ls", "mkdir", "mv", "sed"];

/// Where the book says that files of the project are.
const REPOSITORY: &str = "https://github.com/trueup-dev/trueup/blob/main/";

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

/// The names of the chapters, in the order of the summary.
fn chapters() -> Vec<String> {
    let summary = fs::read_to_string(docs().join("src/SUMMARY.md")).unwrap();
    links(&summary).into_iter().map(|link| link.trim_end_matches(".md").to_owned()).collect()
}

/// What `](…)` points to, outside code.
fn links(text: &str) -> Vec<String> {
    let mut prose = String::new();
    let mut in_code = false;
    for line in text.lines() {
        if line.starts_with("```") {
            in_code = !in_code;
        } else if !in_code {
            prose.push_str(line);
            prose.push('\n');
        }
    }
    prose.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0.to_owned())).collect()
}

/// A fenced block: its info string and its lines.
struct Block {
    info: Vec<String>,
    lines: Vec<String>,
}

fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for line in text.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(info)) => {
                let info = info.split([' ', ',']).map(str::to_owned).collect();
                open = Some(Block { info, lines: Vec::new() });
            }
            (Some(_), Some("")) => blocks.extend(open.take()),
            (Some(block), _) => block.lines.push(line.to_owned()),
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a block has no end");
    blocks
}

impl Block {
    fn has(&self, word: &str) -> bool {
        self.info.iter().any(|own| own == word)
    }

    /// The name of the file that it is.
    fn file(&self) -> Option<&str> {
        self.info.iter().find_map(|word| word.strip_prefix("file="))
    }

    /// Each command with the lines that it prints.
    fn commands(&self) -> Vec<(&str, Vec<&str>)> {
        let mut commands: Vec<(&str, Vec<&str>)> = Vec::new();
        for line in &self.lines {
            match (line.strip_prefix("$ "), commands.last_mut()) {
                (Some(command), _) => commands.push((command, Vec::new())),
                (None, Some((_, printed))) => printed.push(line),
                (None, None) => panic!("{line:?} stands before a command"),
            }
        }
        commands
    }
}

/// The words of a command line, as a shell without variables and wildcards splits them.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for letter in line.chars() {
        match quote {
            Some(end) if letter == end => quote = None,
            None if letter == '\'' || letter == '"' => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            None if letter == ' ' => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    assert_eq!(quote, None, "a quote has no end: {line}");
    words.extend(word);
    words
}

/// Whether a line is as it is shown, where `…` stands for anything.
fn fits_line(shown: &str, line: &str) -> bool {
    let mut parts = shown.split('…');
    let Some(mut rest) = parts.next().and_then(|first| line.strip_prefix(first)) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, between)) = parts.split_last() else { return rest.is_empty() };
    for part in between {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// Whether lines are as they are shown, where `…` alone stands for any lines.
fn fits(shown: &[&str], lines: &[&str]) -> bool {
    match shown.split_first() {
        None => lines.is_empty(),
        Some((&"…", rest)) => (0..=lines.len()).any(|skipped| fits(rest, &lines[skipped..])),
        Some((first, rest)) => {
            lines.split_first().is_some_and(|(line, others)| fits_line(first, line) && fits(rest, others))
        }
    }
}

#[test]
fn shown_lines_fit_and_do_not() {
    assert!(fits(&["a … c", "…", "z"], &["a b c", "x", "y", "z"]));
    assert!(fits(&["…", "z"], &["z"]) && fits(&["… b … d"], &["a b c d"]));
    for (shown, lines) in
        [(&["a"][..], &["a", "b"][..]), (&["a"], &["ab"]), (&["a … c"], &["a b"]), (&["…", "z"], &["z", "y"])]
    {
        assert!(!fits(shown, lines), "{shown:?} {lines:?}");
    }
    assert_eq!(words("a 'b c' \"d\"e ''"), ["a", "b c", "de", ""]);
}

/// A folder with a copy of the examples, where the commands of a chapter are run.
struct Place {
    folder: tempfile::TempDir,
    status: i32,
}

impl Place {
    fn new() -> Self {
        let place = Self { folder: tempfile::tempdir().unwrap(), status: 0 };
        copy(&docs().join("../examples"), &place.path("examples"));
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, block: &Block) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, block.lines.join("\n") + "\n").unwrap();
    }

    /// Runs a command, keeps its exit code, and gives what it prints on both streams, in the order in which it does.
    fn run(&mut self, line: &str) -> String {
        let (line, to) = match line.split_once(" > ") {
            Some((line, file)) => (line, Some(self.path(file))),
            None => (line, None),
        };
        let words = words(line);
        let program = match words[0].as_str() {
            "trueup" => env!("CARGO_BIN_EXE_trueup"),
            tool => {
                assert!(TOOLS.contains(&tool), "{line:?}: the book may call trueup and {TOOLS:?}");
                tool
            }
        };
        let seen = self.path("seen.txt");
        let file = fs::File::create(&seen).unwrap();
        let output =
            to.as_ref().map_or_else(|| file.try_clone().unwrap(), |to| fs::File::create(to).unwrap());
        let status = Command::new(program)
            .args(&words[1..])
            .current_dir(self.folder.path())
            .env("NO_COLOR", "1")
            .env("COLUMNS", "80")
            .env("LC_ALL", "C")
            .env_remove("CLICOLOR_FORCE")
            .env_remove("TRUEUP_FLOOR")
            .stdin(Stdio::null())
            .stdout(output)
            .stderr(file)
            .status()
            .unwrap();
        self.status = status.code().unwrap();
        let text = fs::read_to_string(&seen).unwrap();
        fs::remove_file(seen).unwrap();
        text
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(|entry| entry.unwrap()) {
        // What earlier runs left there is not part of the example.
        if entry.file_name() == "runs" || entry.file_name() == "routes" {
            continue;
        }
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Runs the commands of a chapter and gives how many of them were the command's own.
fn run(chapter: &str) -> usize {
    let text = fs::read_to_string(docs().join(format!("src/{chapter}.md"))).unwrap();
    let mut place = Place::new();
    let mut own = 0;
    for block in blocks(&text) {
        if let Some(name) = block.file() {
            place.write(name, &block);
        }
        let runs = block.has("console")
            && !block.has("model")
            && (!block.has("browser") || has_browser())
            && (!block.has("python") || has_python());
        if !runs {
            continue;
        }
        let commands = block.commands();
        for (at, (line, shown)) in commands.iter().enumerate() {
            if *line == "echo $?" {
                assert_eq!(shown, &[place.status.to_string()], "{chapter}: {}", commands[at - 1].0);
                continue;
            }
            let printed = place.run(line);
            own += usize::from(line.starts_with("trueup "));
            let code_follows = commands.get(at + 1).is_some_and(|(next, _)| *next == "echo $?");
            assert!(
                place.status == 0 || code_follows,
                "{chapter}: {line} exits with {}:\n{printed}",
                place.status
            );
            let lines: Vec<&str> = printed.lines().map(str::trim_end).collect();
            assert!(
                shown.is_empty() || fits(shown, &lines),
                "{chapter}: {line}\nThe book shows:\n{}\nIt prints:\n{printed}",
                shown.join("\n")
            );
        }
    }
    own
}

macro_rules! chapters {
    ($($name:ident = $file:literal,)+) => {
        $(#[test]
        fn $name() {
            assert!(run($file) > 0, "{} has no command", $file);
        })+

        #[test]
        fn every_chapter_is_run() {
            let run: BTreeSet<&str> = [$($file),+].into();
            let summary = chapters();
            let written: BTreeSet<&str> = summary.iter().map(String::as_str).collect();
            assert_eq!(run, written, "chapters that are run, and those of the summary");
        }
    };
}

chapters! {
    introduction = "introduction",
    first_run = "first-run",
    diffing = "diffing",
    contract = "contract",
    judges = "judges",
    revisers = "revisers",
    pages = "pages",
    batch = "batch",
    report = "report",
    statuses = "statuses",
    agents = "agents",
    embedding = "embedding",
}

#[test]
fn every_file_is_a_chapter_and_every_link_leads_somewhere() {
    let chapters = chapters();
    for entry in fs::read_dir(docs().join("src")).unwrap().map(|entry| entry.unwrap().path()) {
        let name = entry.file_stem().unwrap().to_str().unwrap().to_owned();
        assert!(name == "SUMMARY" || chapters.contains(&name), "{name} is not in the summary");
        let text = fs::read_to_string(&entry).unwrap();
        for link in links(&text) {
            let path = link.split(['#', '?']).next().unwrap();
            if let Some(path) = path.strip_prefix(REPOSITORY) {
                assert!(docs().join("..").join(path).exists(), "{name}: {link}");
            } else if !link.starts_with("https://") {
                assert!(docs().join("src").join(path).is_file(), "{name}: {link}");
            }
        }
    }
}

#[test]
fn statuses_are_all_explained() {
    let text = fs::read_to_string(docs().join("src/statuses.md")).unwrap();
    for stop in trueup_contract::Stop::ALL {
        let short = stop.as_str().split_once(':').map_or(stop.as_str(), |(_, why)| why);
        let told = text.contains(&format!("`{stop}`"))
            || short.strip_suffix("unavailable").is_some_and(|who| text.contains(&format!("`{who}")));
        assert!(told, "the book does not explain {stop}");
    }
}

#[test]
fn the_rules_for_agents_are_those_of_the_server() {
    let text = fs::read_to_string(docs().join("src/agents.md")).unwrap();
    let server = fs::read_to_string(docs().join("../hosts/mcp/src/instructions.txt")).unwrap();
    for word in ["loop_start", "loop_next", "give_up", "needs-human", "converged"] {
        assert!(server.contains(word) && text.contains(word), "{word}");
    }
    // Configurations to paste are JSON.
    for block in blocks(&text).iter().filter(|block| block.has("json")) {
        let config: serde_json::Value = serde_json::from_str(&block.lines.join("\n")).unwrap();
        let servers = config.get("mcpServers").or(config.get("servers")).unwrap();
        assert_eq!(servers["trueup"]["command"], "trueup");
        assert_eq!(servers["trueup"]["args"][0], "mcp");
    }
    let snippet = blocks(&text).into_iter().find(|block| block.has("markdown")).unwrap();
    assert!(snippet.lines.len() <= 10, "ten lines are read");
}
