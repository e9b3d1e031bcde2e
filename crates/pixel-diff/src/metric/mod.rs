//! Colour difference formulas behind one trait.

mod channel;
mod cie76;
mod cie94;
mod ciede2000;
mod kind;
mod oklab_hyab;
mod yiq;

pub use channel::Channel;
pub use cie76::Cie76;
pub use cie94::Cie94;
pub(crate) use ciede2000::hue_difference;
pub use ciede2000::{Ciede2000, delta_e};
pub use kind::{Metric, MetricKind};
pub use oklab_hyab::OklabHyab;
pub(crate) use oklab_hyab::{
    CBRT_EXACT, CBRT_STEPS, CBRT_TABLE_F32, CHROMA_A, CHROMA_B, LIGHTNESS, LMS, TOE,
};
pub use yiq::Yiq;
pub(crate) use yiq::{YIQ_MAX, YIQ_ROWS, YIQ_WEIGHTS};
