//! Killing a run at every record, whatever journal it is kept in.

use std::fmt::Debug;
use std::sync::Arc;

use trueup_ports::{Cx, JournalStore, Put};

use crate::conformance::Violation;

/// Runs to the end once, then once more from every prefix of the journal that this left behind, and holds what each came to
/// against the first. Gives the number of kills.
///
/// `store` makes an empty journal; `run` runs or resumes on the journal that it is given, in a world that it makes anew each
/// time, and gives whatever must be the same: the outcome, what was charged, what is in the artifact.
///
/// # Errors
/// When the journal cannot be used, or a run that was killed comes to something else.
pub async fn survives_every_kill<T, F>(
    store: impl Fn() -> Arc<dyn JournalStore>,
    run: impl Fn(Arc<dyn JournalStore>) -> F,
    cx: &Cx,
) -> Result<usize, Violation>
where
    T: PartialEq + Debug,
    F: Future<Output = T>,
{
    let broken = |what: &str, fault: trueup_ports::Fault| {
        Violation::broken("the journal works", format!("{what}: {fault}"))
    };
    let whole = store();
    let expected = run(Arc::clone(&whole)).await;
    let lines = whole.read(cx).await.map_err(|fault| broken("reading", fault))?.whole;
    for cut in 0..lines.len() {
        let journal = store();
        for (place, line) in (0u64..).zip(&lines[..cut]) {
            match journal.put(place, line.clone(), cx).await {
                Ok(Put::Written) => {}
                Ok(Put::Occupied) => {
                    return Err(Violation::broken(
                        "a new journal is empty",
                        format!("place {place} is taken"),
                    ));
                }
                Err(fault) => return Err(broken("writing", fault)),
            }
        }
        let came = run(journal).await;
        if came != expected {
            let what = format!("killed after record {cut} it came to {came:?}, and else to {expected:?}");
            return Err(Violation::broken("a kill changes nothing", what));
        }
    }
    Ok(lines.len())
}
