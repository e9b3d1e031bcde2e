//! Named rubrics.
//!
//! Numbers come from the sources that the names stand for; descriptions are our own. Weights, thresholds and aggregation
//! are only where the source has them (R9).

mod aep;
mod aep_scales;
mod dimension;
mod framesmith;
mod moai;
mod named;

pub use aep::{
    api_only, code, data_pipeline, documents, mixed, product_design, security_sensitive, story_mapping,
    ui_heavy,
};
pub use framesmith::framesmith;
pub use moai::moai;
pub use named::{NAMES, Preset, named, presets};
