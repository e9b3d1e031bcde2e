//! Numbers and verdicts that cannot lie.
//!
//! - [`Points`] is a score as an exact integer of micro-points. It has no NaN, no infinity and no rounding error, so a
//!   threshold is met or missed, never "met within an epsilon".
//! - [`Scale`] says which scores are legal and which direction is better. Nothing else in trueup assumes a direction.
//! - [`Ratio`] is an exact quotient of points: means and weighted means compare by cross-multiplication.
//! - [`Truth`] has three values. *Undetermined* is neither a pass nor a fail and never turns into a pass.
//!
//! ```
//! use trueup_score::{Points, Ratio, Truth};
//!
//! // In f64 this mean is 0.7499999999999999 and fails at 0.75.
//! let scores = ["0.6", "0.7", "0.8", "0.9"].map(|text| text.parse::<Points>().unwrap());
//! let mean = Ratio::mean(scores).unwrap();
//! assert!(mean >= Ratio::from("0.75".parse::<Points>()?));
//!
//! assert_eq!(Truth::all([Truth::Pass, Truth::Undetermined]), Truth::Undetermined);
//! assert_eq!(Truth::all([]), Truth::Undetermined);
//! # Ok::<(), trueup_score::ParsePointsError>(())
//! ```
//!
//! # Features
//!
//! - `serde`: every type as its text form (`"0.75"`, `"pass"`).
//! - `proptest`: strategies, such as `Points::strategy`.

mod points;
mod ratio;
mod scale;
mod truth;

pub use points::{ParsePointsError, ParsePointsErrorKind, Points, Tenths};
pub use ratio::Ratio;
pub use scale::{Better, Scale, ScaleError, ScaleErrorKind};
pub use truth::{ParseTruthError, Truth};
