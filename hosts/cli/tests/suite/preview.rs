//! The picture of a difference in the terminal, byte by byte.

use std::fs;
use std::process::Output;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use trueup_frame::{ImageView, PixelFormat, Size};

use crate::{code, stderr, stdout, trueup};

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, gray) in [("a", 9), ("b", 250), ("same", 9)] {
            let pixels = [gray; 30 * 12 * 3];
            let view = ImageView::packed(&pixels, Size::new(30, 12), PixelFormat::Rgb8).unwrap();
            fs::write(folder.path().join(format!("{name}.png")), trueup_codec::encode_png(&view).unwrap())
                .unwrap();
        }
        for side in ["left", "right"] {
            fs::create_dir(folder.path().join(side)).unwrap();
        }
        Self(folder)
    }

    fn diff(&self, arguments: &[&str]) -> Output {
        let mut command = trueup();
        // What the terminal of whoever runs the tests says of itself has no part in it.
        for name in ["KITTY_WINDOW_ID", "TERM_PROGRAM", "LC_TERMINAL", "KONSOLE_VERSION", "TMUX", "STY"] {
            command.env_remove(name);
        }
        command.env("TERM", "xterm-kitty").arg("diff").args(arguments).current_dir(self.0.path());
        command.output().unwrap()
    }
}

/// The texts of the commands of kitty in some bytes, put together and decoded.
fn kitty_png(bytes: &[u8]) -> Vec<u8> {
    let text = std::str::from_utf8(bytes).unwrap();
    let payloads = text.split("\u{1b}_G").skip(1).map(|command| {
        let (_, rest) = command.split_once(';').unwrap();
        rest.split_once("\u{1b}\\").unwrap().0
    });
    STANDARD.decode(payloads.collect::<String>()).unwrap()
}

#[test]
fn the_picture_that_is_shown_is_the_one_that_is_written() {
    let folder = Folder::new();
    for picture in ["outline", "heatmap"] {
        let base = ["a.png", "b.png", "--picture", picture];
        let text = folder.diff(&base[..2]).stdout;
        assert!(!text.is_empty());
        let written = folder.diff(&[&base[..], &["-o", "diff.png", "--preview=kitty"]].concat());
        assert_eq!(code(&written), 1);
        let shown = written.stdout.strip_prefix(text.as_slice()).expect("the text comes first, unchanged");
        assert!(shown.starts_with(b"\x1b_Ga=T,f=100,q=2,m=") && shown.ends_with(b"\x1b\\\n"));
        let file = fs::read(folder.0.path().join("diff.png")).unwrap();
        assert_eq!(kitty_png(shown), file);
        // Without a file to write it is the same picture.
        assert_eq!(kitty_png(&folder.diff(&[&base[..], &["--preview=kitty"]].concat()).stdout), file);

        let iterm = folder.diff(&[&base[..], &["--preview=iterm"]].concat()).stdout;
        let wanted = format!(
            "\x1b]1337;File=inline=1;size={};preserveAspectRatio=1:{}\x07\n",
            file.len(),
            STANDARD.encode(&file)
        );
        assert_eq!(iterm.strip_prefix(text.as_slice()), Some(wanted.as_bytes()));

        let sixel = folder.diff(&[&base[..], &["--preview=sixel"]].concat()).stdout;
        let shown = String::from_utf8(sixel.strip_prefix(text.as_slice()).unwrap().to_vec()).unwrap();
        let size = trueup_codec::decode(&file, &trueup_codec::Limits::default()).unwrap().frame.size();
        assert!(
            shown.starts_with(&format!("\x1bP0;1;0q\"1;1;{};{}#0;2;", size.width, size.height)),
            "{shown:.60}"
        );
        assert!(shown.ends_with("-\x1b\\\n"));
        // Every band of six rows is ended.
        assert_eq!(shown.matches('-').count() as u32, size.height.div_ceil(6));
    }
}

#[test]
fn nothing_is_shown_where_nobody_looks_or_there_is_nothing_to_see() {
    let folder = Folder::new();
    let text = folder.diff(&["a.png", "b.png"]);
    for arguments in [&["--preview"][..], &["--preview=auto"], &["--preview=off"]] {
        let output = folder.diff(&[&["a.png", "b.png"][..], arguments].concat());
        assert_eq!((stdout(&output), stderr(&output)), (stdout(&text), String::new()), "{arguments:?}");
    }
    let document = folder.diff(&["a.png", "b.png", "--format", "json", "--preview"]);
    assert!(serde_json::from_slice::<serde_json::Value>(&document.stdout).is_ok());
    let same = folder.diff(&["a.png", "same.png", "--preview=kitty"]);
    assert_eq!((code(&same), same.stdout.contains(&0x1b)), (0, false));
}

#[test]
fn where_no_picture_can_be_shown_a_name_is_refused() {
    let folder = Folder::new();
    for (arguments, said) in [
        (&["a.png", "b.png", "--format", "json", "--preview=kitty"][..], "inside a JSON document"),
        (&["left", "right", "--preview=sixel"], "folders have many"),
        (&["a.png", "b.png", "--picture", "heatmap"], "--output <FILE>|--preview"),
        (&["a.png", "b.png", "--preview=vt52"], "possible values: off, auto, kitty, iterm, sixel"),
    ] {
        let output = folder.diff(arguments);
        assert_eq!((code(&output), stdout(&output)), (2, String::new()), "{arguments:?}");
        assert!(stderr(&output).contains(said), "{}", stderr(&output));
    }
}

/// In a terminal that says that it can, a picture is shown without being asked for by name.
#[test]
#[cfg(target_os = "linux")]
fn a_terminal_that_can_is_shown_the_picture() {
    let folder = Folder::new();
    let call = format!("{} diff a.png b.png --preview", env!("CARGO_BIN_EXE_trueup"));
    let in_terminal = |term: &str| {
        let mut command = std::process::Command::new("script");
        command.args(["--quiet", "--return", "--command", &call, "/dev/null"]);
        for name in ["KITTY_WINDOW_ID", "TERM_PROGRAM", "LC_TERMINAL", "KONSOLE_VERSION", "TMUX", "STY"] {
            command.env_remove(name);
        }
        command.env("TERM", term).env("NO_COLOR", "1").current_dir(folder.0.path()).output()
    };
    let Ok(shown) = in_terminal("xterm-kitty") else {
        assert!(std::env::var_os("CI").is_none(), "CI needs script, which gives a program a terminal");
        let _ = std::io::Write::write_all(
            &mut std::io::stderr(),
            b"not run: script is not there, and gives a program a terminal (Debian: apt-get install bsdutils)\n",
        );
        return;
    };
    assert_eq!(code(&shown), 1, "{}", stderr(&shown));
    assert!(kitty_png(&shown.stdout).starts_with(b"\x89PNG"));
    let plain = in_terminal("xterm").unwrap();
    // Standard error goes to the same terminal.
    assert!(
        stdout(&plain).contains("note: this terminal does not say that it shows pictures"),
        "{}",
        stdout(&plain)
    );
    assert!(!plain.stdout.contains(&0x1b));
}
