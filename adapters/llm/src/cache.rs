//! Verdicts that were paid for once.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use trueup_contract::{Digest, StateId};

use crate::{ModelError, ModelErrorKind};

/// What an answer was an answer to: another state, rubric, model, question or picture is another key.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VerdictKey(Digest);

impl VerdictKey {
    /// The key of an answer about `state`, by the rubric of that fingerprint, from `model`, to a question of that version
    /// with that content.
    pub(crate) fn new(state: &StateId, rubric: &str, model: &str, version: &str, asked: Digest) -> Self {
        let (state, asked) = (state.to_string(), asked.to_string());
        let parts = [
            ("state", state.as_str()),
            ("rubric", rubric),
            ("model", model),
            ("version", version),
            ("asked", &asked),
        ];
        Self(Digest::of_parts(parts.map(|(name, text)| (name, text.as_bytes()))))
    }
}

impl fmt::Display for VerdictKey {
    /// 64 lower-case hexadecimal digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Where answers are kept that were read once, so that the same question about the same state is not paid for again.
///
/// # Contract
/// `get` gives what was `put` under the key last, whole, or nothing. An answer is read again each time as if it had just come, so
/// a store decides nothing. A store that fails loses answers, and they are asked for anew.
pub trait Verdicts: fmt::Debug + Send + Sync + 'static {
    /// The answer that is kept under the key.
    fn get(&self, key: &VerdictKey) -> Option<String>;

    /// Keeps an answer.
    fn put(&self, key: &VerdictKey, answer: &str);
}

/// Answers in memory, as long as the process lives.
#[derive(Default)]
pub struct MemoryVerdicts(Mutex<BTreeMap<VerdictKey, String>>);

impl MemoryVerdicts {
    /// An empty store.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl fmt::Debug for MemoryVerdicts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner).len();
        write!(f, "MemoryVerdicts({kept})")
    }
}

impl Verdicts for MemoryVerdicts {
    fn get(&self, key: &VerdictKey) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }

    fn put(&self, key: &VerdictKey, answer: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(key.clone(), answer.to_owned());
    }
}

/// Answers in a folder, one file each, named by its key. The first line is the hash of the rest: a file that was changed or cut
/// counts as not there.
#[derive(Clone, Debug)]
pub struct FolderVerdicts {
    folder: PathBuf,
}

impl FolderVerdicts {
    /// The store in `folder`, which is made where it is not there.
    ///
    /// # Errors
    /// When the folder cannot be made, or nothing can be written to it.
    pub fn open(folder: impl Into<PathBuf>) -> Result<Self, ModelError> {
        let folder = folder.into();
        let tried = fs::create_dir_all(&folder).and_then(|()| tempfile::NamedTempFile::new_in(&folder));
        tried.map_err(|error| {
            ModelError::new(ModelErrorKind::NoFolder { why: format!("{}: {error}", folder.display()) })
        })?;
        Ok(Self { folder })
    }

    fn path(&self, key: &VerdictKey) -> PathBuf {
        self.folder.join(format!("{key}.verdict"))
    }
}

impl Verdicts for FolderVerdicts {
    fn get(&self, key: &VerdictKey) -> Option<String> {
        let text = fs::read_to_string(self.path(key)).ok()?;
        let (hash, answer) = text.split_once('\n')?;
        (hash == hash_of(answer)).then(|| answer.to_owned())
    }

    fn put(&self, key: &VerdictKey, answer: &str) {
        // A full disk must not take an answer away that was paid for: it is only not kept, as the trait says.
        let _kept = write(&self.folder, &self.path(key), answer);
    }
}

/// Writes a file whole, or not at all.
fn write(folder: &Path, path: &Path, answer: &str) -> std::io::Result<()> {
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    write!(file, "{}\n{answer}", hash_of(answer))?;
    file.persist(path)?;
    Ok(())
}

fn hash_of(answer: &str) -> String {
    Digest::of_parts([("answer", answer.as_bytes())]).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(model: &str) -> VerdictKey {
        let state = StateId::of_parts([("a", &b"b"[..])]);
        VerdictKey::new(&state, "rubric", model, "1", Digest::ZERO)
    }

    fn behaves(store: &dyn Verdicts) {
        assert_eq!(store.get(&key("a")), None);
        store.put(&key("a"), "{\"rubric\":\n {}}");
        store.put(&key("a"), "{\"rubric\":\n 1}");
        assert_eq!(store.get(&key("a")).as_deref(), Some("{\"rubric\":\n 1}"));
        assert_eq!(store.get(&key("b")), None);
    }

    #[test]
    fn what_is_kept_comes_back_under_its_key_alone() {
        behaves(&MemoryVerdicts::new());
        let folder = tempfile::tempdir().unwrap();
        behaves(&FolderVerdicts::open(folder.path().join("deep/er")).unwrap());
    }

    #[test]
    fn a_file_that_was_changed_or_cut_counts_as_not_there() {
        let folder = tempfile::tempdir().unwrap();
        let store = FolderVerdicts::open(folder.path()).unwrap();
        store.put(&key("a"), "an answer");
        let path = store.path(&key("a"));
        let text = fs::read_to_string(&path).unwrap();
        for broken in [text.replace("answer", "other"), text[..text.len() - 1].to_owned(), String::new()] {
            fs::write(&path, broken).unwrap();
            assert_eq!(store.get(&key("a")), None);
        }
        fs::write(&path, text).unwrap();
        assert!(store.get(&key("a")).is_some());
    }

    #[test]
    fn a_folder_that_cannot_be_is_an_error_at_once() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let error = FolderVerdicts::open(file.path().join("below")).unwrap_err();
        assert!(matches!(error.kind(), ModelErrorKind::NoFolder { .. }), "{error}");
    }
}
