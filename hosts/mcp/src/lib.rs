//! The referee that any agent can call: trueup as a server of the Model Context Protocol.
//!
//! [`serve`] answers on standard input and output, [`serve_http`] over HTTP on this machine. An agent revises files and calls `loop_next`, which measures what they hold
//! now and says what is open, with pictures, until the run is over. It cannot set a verdict, skip a gate, raise a cap, answer for
//! a person, or reach a file outside the declared roots.

mod crops;
mod fault;
mod parameters;
mod resources;
mod roots;
mod serve;
mod server;
mod work;

pub use roots::{RootError, Roots};
pub use serve::{Options, ServeError, serve, serve_http};
