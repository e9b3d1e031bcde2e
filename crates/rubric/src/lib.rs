//! What a judge scored, held against what was asked.
//!
//! A [`Rubric`] lists axes, each with a [`Scale`](trueup_score::Scale) and perhaps a floor. A [`Scorecard`] is what a
//! judge's reply reads as: one [`Reading`] per axis, where *missing* and *invalid* are values of their own and never
//! numbers. [`Rubric::hold`] makes the [`Verdict`], and nothing else can: a judge's own "pass" decides nothing, and
//! nothing that revises has a way to make one.
//!
//! ```
//! use trueup_rubric::{Axis, Reading, Rubric, Scorecard};
//! use trueup_score::{Better, Points, Scale, Truth};
//!
//! let one_to_five = Scale::new(Points::ONE, Points::from_whole(5), Better::Higher)?;
//! let rubric = Rubric::new([
//!     Axis::new("hierarchy", one_to_five).with_floor(Points::from_whole(3))?,
//!     Axis::new("restraint", one_to_five).with_floor(Points::from_whole(3))?,
//! ])?;
//!
//! let card = Scorecard::new().with("hierarchy", Reading::Scored(Points::from_whole(4)));
//! // "restraint" was not scored, so this is not a pass, and not a fail either.
//! assert_eq!(rubric.hold(&card).truth(), Truth::Undetermined);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod rubric;
mod scorecard;

pub use error::{RubricError, RubricErrorKind};
pub use rubric::{Axis, Rubric, Verdict};
pub use scorecard::{Reading, Scorecard};
