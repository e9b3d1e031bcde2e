//! Beginning: a configuration from what is there, captures, completions, manual pages.

use std::fs;
use std::path::Path;

use crate::{Card, code, stderr, stdout, trueup};

#[test]
fn a_configuration_from_what_is_there_converges() {
    let card = Card::drifted();
    fs::remove_file(card.path("trueup.toml")).unwrap();
    fs::write(card.path("other.svg"), "<svg xmlns=\"http://www.w3.org/2000/svg\"/>").unwrap();
    let folder = card.path(".");
    let init = trueup().arg("init").arg(&folder).output().unwrap();
    assert_eq!(code(&init), 0, "{}", stderr(&init));
    assert!(stdout(&init).trim_end().ends_with("trueup.toml: 1 label, 5 tokens"), "{}", stdout(&init));
    assert!(stderr(&init).contains("other.svg has no reference"), "{}", stderr(&init));
    let run = card.run(&[]);
    assert_eq!(code(&run), 0, "{}{}", stdout(&run), stderr(&run));
    // It is never replaced.
    let before = fs::read_to_string(card.path("trueup.toml")).unwrap();
    let again = trueup().arg("init").arg(&folder).output().unwrap();
    assert_eq!(code(&again), 2);
    assert!(stderr(&again).contains("is there already"), "{}", stderr(&again));
    assert_eq!(fs::read_to_string(card.path("trueup.toml")).unwrap(), before);
}

#[test]
fn what_cannot_be_begun_with_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let init = || trueup().arg("init").arg(folder.path()).output().unwrap();
    let empty = init();
    assert_eq!(code(&empty), 2);
    assert!(stderr(&empty).contains("has no SVG file"), "{}", stderr(&empty));
    fs::write(folder.path().join("a.svg"), "<svg xmlns=\"http://www.w3.org/2000/svg\"/>").unwrap();
    let lonely = init();
    assert_eq!(code(&lonely), 2);
    assert!(stderr(&lonely).contains("reference/a.png"), "{}", stderr(&lonely));
}

#[test]
fn captures_are_what_a_run_compares() {
    let card = Card::with(&crate::DESIGN);
    let out = card.path("captures");
    let capture = trueup().arg("capture").arg(card.path("trueup.toml")).arg("-o").arg(&out).output().unwrap();
    assert_eq!(code(&capture), 0, "{}", stderr(&capture));
    let diff = trueup()
        .arg("diff")
        .arg(card.path("reference/card.png"))
        .arg(out.join("card.png"))
        .arg("--strict")
        .output()
        .unwrap();
    assert_eq!(code(&diff), 0, "{}", stdout(&diff));
}

#[test]
fn every_command_has_an_example_a_page_and_completions() {
    let folder = tempfile::tempdir().unwrap();
    let man = trueup().arg("man").arg(folder.path()).output().unwrap();
    assert_eq!(code(&man), 0, "{}", stderr(&man));
    let help = stdout(&trueup().arg("--help").output().unwrap());
    let commands: Vec<&str> = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.trim().is_empty())
        .filter_map(|line| line.strip_prefix("  "))
        .filter(|line| !line.starts_with(' '))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    assert!(commands.len() >= 12, "{commands:?}");
    for name in &commands {
        let page = Path::new(folder.path()).join(format!("trueup-{name}.1"));
        assert!(
            fs::read_to_string(&page).unwrap().contains(&format!("trueup\\-{}", name.replace('-', "\\-"))),
            "{name}"
        );
        let help = stdout(&trueup().args([name, "--help"]).output().unwrap());
        let has_commands = help.contains("\nCommands:");
        assert!(has_commands || help.contains("Example:"), "{name} has no example:\n{help}");
    }
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = stdout(&trueup().args(["completions", shell]).output().unwrap());
        assert!(commands.iter().all(|name| script.contains(name)), "{shell}");
    }
}
