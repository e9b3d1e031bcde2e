//! Several judges, or one asked several times.

mod agreement;
mod calibration;
mod combine;
mod noise;

pub use agreement::{Agreement, cohens_kappa, fleiss_kappa, krippendorffs_alpha};
pub use calibration::{Calibration, CalibrationAxis, is_reevaluation_due};
pub use combine::{Combined, Panel, PanelRule, Tie};
pub use noise::{Acceptance, Gain, standard_error};
