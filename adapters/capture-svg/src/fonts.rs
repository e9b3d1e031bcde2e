//! The fonts that text is set in: bundled ones and those that the caller hands in, never those of the system.

use std::sync::{Arc, Mutex, PoisonError};

use resvg::usvg::fontdb::{Database, Source};
use resvg::usvg::{Font, FontFamily, FontResolver};

use crate::error::{RenderError, RenderErrorKind};
use crate::note::Note;
use crate::options::Options;

/// Family of the bundled fonts.
const BUNDLED: &str = "Noto Sans";

/// Fonts by family, and the one that is used when none fits.
#[derive(Clone, Debug)]
pub(crate) struct Fonts {
    pub(crate) database: Arc<Database>,
    pub(crate) default_family: String,
}

impl Fonts {
    pub(crate) fn load(options: &Options) -> Result<Self, RenderError> {
        let mut database = Database::new();
        // The caller's come first: among equal faces the first one is taken.
        for (index, file) in options.fonts.iter().enumerate() {
            let found = database.load_font_source(Source::Binary(Arc::new(file.clone())));
            if found.is_empty() {
                return Err(RenderErrorKind::BadFont { index }.into());
            }
        }
        for file in
            [notosans::REGULAR_TTF, notosans::BOLD_TTF, notosans::ITALIC_TTF, notosans::BOLD_ITALIC_TTF]
        {
            database.load_font_source(Source::Binary(Arc::new(file)));
        }
        let default_family = options.default_family.clone().unwrap_or_else(|| BUNDLED.to_owned());
        if !has_family(&database, &default_family) {
            let mut known: Vec<String> = database
                .faces()
                .flat_map(|face| face.families.iter().map(|(name, _)| name.clone()))
                .collect();
            known.sort();
            known.dedup();
            return Err(RenderErrorKind::UnknownFamily { family: default_family, known }.into());
        }
        for set in [
            Database::set_serif_family,
            Database::set_sans_serif_family,
            Database::set_cursive_family,
            Database::set_fantasy_family,
            Database::set_monospace_family,
        ] {
            set(&mut database, default_family.clone());
        }
        Ok(Self { database: Arc::new(database), default_family })
    }

    /// A resolver that takes the default family where it has to, and writes that down.
    pub(crate) fn resolver<'a>(&'a self, notes: &'a Mutex<Vec<Note>>) -> FontResolver<'a> {
        let select = FontResolver::default_font_selector();
        FontResolver {
            select_font: Box::new(move |font, database| {
                if let Some(asked) = missing(font, database) {
                    let note = Note::FontSubstituted { asked, used: self.default_family.clone() };
                    // A list of notes is in order whatever a panic elsewhere left undone.
                    let mut notes = notes.lock().unwrap_or_else(PoisonError::into_inner);
                    if !notes.contains(&note) {
                        notes.push(note);
                    }
                }
                select(font, database)
            }),
            select_fallback: FontResolver::default_fallback_selector(),
        }
    }
}

/// The families that are asked for when none of them is there. Generic ones always are.
fn missing(font: &Font, database: &Database) -> Option<String> {
    let names = font.families().iter().map(|family| match family {
        FontFamily::Named(name) if !has_family(database, name) => Some(format!("{name:?}")),
        _ => None,
    });
    names.collect::<Option<Vec<String>>>().filter(|names| !names.is_empty()).map(|names| names.join(", "))
}

fn has_family(database: &Database, family: &str) -> bool {
    database.faces().any(|face| face.families.iter().any(|(name, _)| name == family))
}
