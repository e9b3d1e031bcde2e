//! Pairs of pictures, and what a correct program finds in them.

use trueup_frame::Rect;

use crate::canvas::Canvas;
use crate::oracle;
use crate::pages::{self, APP_EDITS, LANDING_EDITS};
use crate::photo;

/// Which picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "benches go through all of them")]
pub enum Picture {
    /// A screen of an application, 1280×720.
    App,
    /// A tall page of text, cards and pictures, 1440×9000.
    Landing,
    /// Smooth colours under noise, 3840×2160.
    Photo,
}

/// How the second picture of a pair differs from the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "benches go through all of them")]
pub enum Change {
    /// Not at all.
    Identical,
    /// In a few areas.
    Few,
    /// In every pixel: a page turns dark, a photo gets brighter.
    All,
}

/// Two pictures of one size.
#[expect(clippy::exhaustive_structs, reason = "a case of a bench, made in one place and read in others")]
#[derive(Clone, Debug)]
pub struct Pair {
    /// The reference.
    pub expected: Canvas,
    /// The other picture.
    pub actual: Canvas,
    /// The exact boxes of the areas that differ, from the top, then from the left: what the regions of a diff have to
    /// be where there are a few of them. Empty when nothing differs or everything does.
    pub areas: Vec<Rect>,
    /// How many pixels have another value.
    pub differing: u64,
}

impl Pair {
    /// Holds regions against the areas that differ: each region lies in one area, and those of an area span it.
    ///
    /// An area of words may fall apart into several regions, which is why they are not compared one by one.
    ///
    /// # Panics
    /// When they are not a right answer.
    pub fn assert_regions(&self, regions: &[Rect]) {
        let mut spans: Vec<Option<Rect>> = vec![None; self.areas.len()];
        for region in regions {
            let inside = |area: &Rect| area.intersection(*region) == Some(*region);
            let area = self.areas.iter().position(inside);
            let Some(area) = area else { panic!("region {region:?} lies in none of {:?}", self.areas) };
            spans[area] = Some(spans[area].map_or(*region, |span| span.union(*region)));
        }
        let areas: Vec<Option<Rect>> = self.areas.iter().copied().map(Some).collect();
        assert_eq!(spans, areas, "the regions do not span the areas that differ");
    }
}

impl Picture {
    /// All of them, the smallest first.
    pub const ALL: [Self; 3] = [Self::App, Self::Landing, Self::Photo];

    /// A name for tables and files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::App => "app",
            Self::Landing => "landing",
            Self::Photo => "photo",
        }
    }

    /// Draws it.
    #[must_use]
    pub fn draw(self) -> Canvas {
        match self {
            Self::App => pages::app(),
            Self::Landing => pages::landing(),
            Self::Photo => photo::photo(),
        }
    }

    /// Draws both pictures and works out, pixel by pixel, what differs between them.
    #[must_use]
    pub fn pair(self, change: Change) -> Pair {
        let expected = self.draw();
        let mut actual = expected.clone();
        let whole = Rect::of_size(expected.size());
        let mut edited = Vec::new();
        match (self, change) {
            (_, Change::Identical) => {}
            (Self::App, Change::Few) => edited = edit(&mut actual, &APP_EDITS),
            (Self::Landing, Change::Few) => edited = edit(&mut actual, &LANDING_EDITS),
            (Self::Photo, Change::Few) => {
                for rect in photo::EDITS {
                    actual.map(rect, |_, _, color| photo::tinted(color));
                }
                edited = photo::EDITS.to_vec();
            }
            // 255 is odd, so no sample is its own opposite.
            (Self::App | Self::Landing, Change::All) => {
                actual.map(whole, |_, _, color| color.map(|sample| 255 - sample));
            }
            (Self::Photo, Change::All) => photo::brighter(&mut actual),
        }
        let mut areas: Vec<Rect> =
            edited.into_iter().filter_map(|rect| oracle::differing_box(&expected, &actual, rect)).collect();
        areas.sort_by_key(|area| (area.y, area.x));
        let differing = oracle::differing_pixels(&expected, &actual);
        Pair { expected, actual, areas, differing }
    }
}

fn edit(canvas: &mut Canvas, edits: &[pages::Edit]) -> Vec<Rect> {
    for edit in edits {
        edit.apply(canvas);
    }
    edits.iter().map(|edit| edit.rect()).collect()
}

impl Change {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Identical, Self::Few, Self::All];

    /// A name for tables and files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Identical => "identical",
            Self::Few => "few",
            Self::All => "all",
        }
    }
}
