//! A judge of one's own, tested with the kit.

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;
    use trueup::contract::StateId;
    use trueup::frame::{Frame, PixelFormat, Size};
    use trueup::ports::{Capture, JudgeRequest, Pixels};
    use trueup::rubric::{Axis, Rubric};
    use trueup::score::{Better, Points, Scale};
    use trueup_testkit::{SimulatedTime, block_on, conformance};

    use crate::world::Taste;

    fn rubric() -> Rubric {
        let scale = Scale::new(Points::ONE, Points::from_whole(5), Better::Higher).unwrap();
        Rubric::new([Axis::new("brightness", scale)]).unwrap()
    }

    fn capture(level: u8) -> Capture {
        let frame = Frame::new(vec![level], Size::new(1, 1), PixelFormat::Gray8).unwrap();
        Capture::new("pixel".parse().unwrap(), Pixels::Frame(Arc::new(frame)))
    }

    // Ten lines: whatever is captured, the judge does what every judge must do.
    proptest! {
        #[test]
        fn my_judge_conforms(levels in proptest::collection::vec(any::<u8>(), 0..4)) {
            let captures = levels.into_iter().map(capture).collect();
            let request = JudgeRequest::new(StateId::of_parts([]), Arc::new(rubric()), captures);
            let cx = conformance::context(Arc::new(SimulatedTime::new()));
            prop_assert_eq!(block_on(conformance::judge(&Taste, &request, &cx)), Ok(()));
        }
    }
}
