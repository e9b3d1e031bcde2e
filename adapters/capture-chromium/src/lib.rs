//! Web pages in headless Chromium: the browser of trueup.
//!
//! [`ChromiumCapturer`] is a [`Capturer`](trueup_ports::Capturer) of a loop. It starts one browser, works with a few pages of it at a time,
//! and gives the same bytes for the same page every time; the boxes of elements come with every capture. A browser that dies
//! is a fault of kind [`Lost`](trueup_contract::FaultKind::Lost), which the loop's ladder mends.
//!
//! ```no_run
//! use trueup_capture_chromium::{Area, ChromiumCapturer, ChromiumOptions, Screen, Step};
//! use trueup_contract::LabelName;
//!
//! let menu = Screen::default().with_route([Step::click("#menu")]).with_area(Area::FullPage);
//! let capturer = ChromiumCapturer::new("site", ChromiumOptions::default())
//!     .with_screen(LabelName::new("menu")?, menu);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod address;
mod browser;
mod capturer;
mod connection;
mod error;
mod find;
mod moved;
mod options;
mod page;
mod process;
mod read;
mod route;
mod screen;
mod session;
mod take;
mod watch;

pub use capturer::ChromiumCapturer;
pub use error::{BrowserError, BrowserErrorKind};
pub use find::find_browser;
pub use options::{ChromiumOptions, Clock};
pub use read::ReadRequest;
pub use route::{Step, key_names};
pub use screen::{Area, Screen};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
