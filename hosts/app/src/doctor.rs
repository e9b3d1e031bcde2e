//! What is usable here, and what to do about the rest.

use std::path::Path;

use serde::Serialize;

use crate::config::{Config, load};
use crate::error::AppError;

/// What is usable here, as a JSON document.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct DoctorDocument {
    /// `trueup.doctor/1`.
    pub schema: &'static str,
    /// `pass` when nothing that the configuration needs is missing, else `fail`.
    pub status: &'static str,
    /// Everything that was looked at.
    pub checks: Vec<CheckDocument>,
}

/// One thing that was looked at.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct CheckDocument {
    /// What it is.
    pub name: String,
    /// `usable`, `missing` or `not-set`.
    pub status: &'static str,
    /// Whether the configuration needs it.
    pub needed: bool,
    /// What was found, or what to do.
    pub detail: String,
}

/// Variables by which model providers are usually given their keys.
const KEYS: [(&str, &str); 3] =
    [("ANTHROPIC_API_KEY", "Anthropic"), ("OPENAI_API_KEY", "OpenAI"), ("GEMINI_API_KEY", "Gemini")];

/// Looks at what is usable here, and, with the configuration at `path`, at what it needs.
///
/// # Errors
/// When the configuration cannot be used.
pub fn doctor(path: Option<&Path>) -> Result<DoctorDocument, AppError> {
    let mut checks = vec![
        usable("capturer svg", "renders SVG in this process, with its own font"),
        usable("comparer pixel", "compares by pixels in CIEDE2000, in this process"),
        usable("reviser tokens", "fits declared design tokens, in this process"),
    ];
    let config = path.map(load).transpose()?;
    checks.push(browser(config.as_ref()));
    for (variable, provider) in KEYS {
        // Whether it is there is all that is looked at.
        let is_set = std::env::var_os(variable).is_some_and(|value| !value.is_empty());
        checks.push(CheckDocument {
            name: format!("key {variable}"),
            status: if is_set { "usable" } else { "not-set" },
            needed: false,
            detail: if is_set {
                format!("is set; models, and programs that name it in variables, can ask {provider}")
            } else {
                format!("is not set: export it where a model or a program of yours asks {provider}")
            },
        });
    }
    if let Some(config) = config {
        for (port, program) in config.filled.programs() {
            let found = program.locate();
            checks.push(CheckDocument {
                name: format!("{port} {}", program.name()),
                status: if found.is_some() { "usable" } else { "missing" },
                needed: true,
                detail: match found {
                    Some(place) => format!("is {}", place.display()),
                    None => "is not there, or may not be run: install it, or correct the command".to_owned(),
                },
            });
            for variable in program.unset_variables() {
                checks.push(CheckDocument {
                    name: format!("variable {variable}"),
                    status: "missing",
                    needed: true,
                    detail: format!("the {port} may see it, and it is not set: export it"),
                });
            }
        }
        for (port, model) in config.filled.models() {
            let missing = model.missing_key();
            checks.push(CheckDocument {
                name: format!("{port} {}", model.name()),
                status: if missing.is_some() { "missing" } else { "usable" },
                needed: true,
                detail: match missing {
                    Some(variable) => format!("{variable} is not set: export the key of the {port}"),
                    None => "can be asked; whether the key is taken only a question shows".to_owned(),
                },
            });
        }
    }
    let fails = checks.iter().any(|check| check.needed && check.status != "usable");
    Ok(DoctorDocument { schema: "trueup.doctor/1", status: if fails { "fail" } else { "pass" }, checks })
}

/// The browser: the one that the configuration names, where there is one.
#[cfg(feature = "browser")]
fn browser(config: Option<&Config>) -> CheckDocument {
    let asked = config.and_then(|config| config.filled.browser());
    let found = match asked {
        Some(browser) => browser.locate(),
        None => trueup_capture_chromium::find_browser(None).map_err(|error| error.to_string()),
    };
    CheckDocument {
        name: "capturer chromium".to_owned(),
        status: if found.is_ok() { "usable" } else { "missing" },
        needed: asked.is_some(),
        detail: match found {
            Ok(place) => format!("shows pages in {}", place.display()),
            Err(why) => why,
        },
    }
}

#[cfg(not(feature = "browser"))]
fn browser(_: Option<&Config>) -> CheckDocument {
    CheckDocument {
        name: "capturer chromium".to_owned(),
        status: "missing",
        needed: false,
        detail: "is not part of this build: build it with the feature browser to show pages".to_owned(),
    }
}

fn usable(name: &str, detail: &str) -> CheckDocument {
    CheckDocument { name: name.to_owned(), status: "usable", needed: false, detail: detail.to_owned() }
}
