//! What is revised.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use trueup_contract::StateId;

use crate::{Cx, Fault};

/// The content of an artifact at one moment: named parts, for instance files by their relative path.
///
/// Cheap to clone. Its [`StateId`] is the hash of names and contents, so equal content has one name.
#[derive(Clone, PartialEq, Eq)]
pub struct Snapshot {
    state: StateId,
    parts: Arc<BTreeMap<String, Arc<[u8]>>>,
}

impl Snapshot {
    /// A snapshot of these parts.
    #[must_use]
    pub fn new(parts: impl IntoIterator<Item = (String, Arc<[u8]>)>) -> Self {
        let parts: BTreeMap<String, Arc<[u8]>> = parts.into_iter().collect();
        let state = StateId::of_parts(parts.iter().map(|(name, content)| (name.as_str(), content.as_ref())));
        Self { state, parts: Arc::new(parts) }
    }

    /// The snapshot with some parts replaced or added.
    #[must_use]
    pub fn with_parts(&self, changed: impl IntoIterator<Item = (String, Arc<[u8]>)>) -> Self {
        let mut parts = BTreeMap::clone(&self.parts);
        parts.extend(changed);
        Self::new(parts)
    }

    /// The name of this content.
    #[must_use]
    pub const fn state(&self) -> &StateId {
        &self.state
    }

    /// The content of the part `name`, where there is one.
    #[must_use]
    pub fn part(&self, name: &str) -> Option<&Arc<[u8]>> {
        self.parts.get(name)
    }

    /// All parts in the order of their names.
    pub fn parts(&self) -> impl Iterator<Item = (&str, &Arc<[u8]>)> {
        self.parts.iter().map(|(name, content)| (name.as_str(), content))
    }
}

impl fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = self.parts.iter().map(|(name, content)| (name, content.len()));
        write!(f, "Snapshot({}, ", self.state.short())?;
        f.debug_map().entries(parts).finish()?;
        f.write_str(")")
    }
}

/// What is revised: something whose content can be taken and put back, exactly.
///
/// # Contract
/// After `restore(s)` succeeds, `snapshot()` gives `s` again. A restore that fails may leave anything behind; calling it
/// again must be possible. Parts that `s` does not have are removed.
#[async_trait]
pub trait Artifact: fmt::Debug + Send + Sync + 'static {
    /// The present content.
    async fn snapshot(&self, cx: &Cx) -> Result<Snapshot, Fault>;

    /// Makes `snapshot` the present content.
    async fn restore(&self, snapshot: Snapshot, cx: &Cx) -> Result<(), Fault>;
}
