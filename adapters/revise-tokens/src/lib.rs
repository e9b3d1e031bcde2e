//! A [`Reviser`](trueup_ports::Reviser) that fits declared design tokens to a reference.
//!
//! A [`Token`] is a value with a name and a [`Place`] in a file: a CSS custom property, an attribute of the elements that
//! a selector finds, or a JSON value. [`TokenReviser`] looks for the smallest edit of tokens that explains what is open:
//!
//! - **Colours** are read off the open regions: where the capture shows the token's colour, the reference shows the one
//!   that it should be.
//! - **Lengths and numbers** are searched within their bounds, nearest first.
//! - Every candidate is measured by a trial; edits that improve on their own are put together as far as each still adds
//!   something, and what adds nothing is left out again.
//!
//! It is deterministic: the same request and the same measurements give the same edit.

mod error;
mod place;
mod reviser;
mod search;
mod token;
mod value;

pub use error::{TokenError, TokenErrorKind};
pub use place::Place;
pub use reviser::TokenReviser;
pub use token::{Bounds, Token, TokenKind};
