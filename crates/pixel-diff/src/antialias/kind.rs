//! Which differences are only another rasterisation of the same edge.

/// Which differences count as antialiasing and are not held against the image.
///
/// An edge between two colours is drawn with pixels that mix them, and how much of each a pixel gets depends on the
/// rasteriser: it may change without anything having moved that one could see.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum Antialiasing {
    /// None: every difference counts.
    Off,
    /// A pixel whose coverage of an edge changed, and nothing else. The default.
    ///
    /// Of its eight neighbours, take those that are the same in both images, and of these the two that lie farthest apart
    /// along the change. Both the expected and the actual colour are mixtures of these two (within 4 levels of 8 bits in
    /// each sample, alpha included, colours premultiplied), at least one of them a proper mixture, and the share changed
    /// by at most one half. So a red edge that turned blue is never excused, nor an edge that moved by a whole pixel, nor
    /// the loss of a line. Neighbours outside the image are not there; those
    /// under a mask are.
    ///
    /// Text on LCDs is drawn by sub-pixels, each with a share of its own. So a pixel whose edge they draw is excused as well: of two to
    /// four changed pixels of a row between two that are the same in both images, all of them opaque, where
    ///
    /// - in each image the shares of the right one of these two, in the order of the sub-pixels (red, green, blue, or the other way
    ///   round, but the same in both images), rise from 0 to 1: never falling, by at most one half from one sub-pixel to the next,
    ///   and in some pixel not the same in all channels;
    /// - from one image to the other every share changes to the same side, in every channel by the same sum over these
    ///   pixels (within 8 levels of 8 bits), which is at most one half: the edge moved by half a pixel or less.
    ///
    /// Filters of rasterisers leave ramps like these, wider than a pixel and balanced between the channels (FreeType,
    /// "Subpixel rendering"). What may as well be a colour stays a change: a line, of one pixel or of several; strokes too thin to have
    /// a pixel of their own colour beside what changed; greys that became sub-pixels; a ramp that became sharper where it is.
    ///
    /// Strict comparisons ignore this, and between different colour spaces nothing is the same.
    #[default]
    Coverage,
    /// What pixelmatch up to 7.2 takes for antialiasing, for results that equal its own.
    ///
    /// A pixel of either image that has both darker and brighter neighbours, at most two equal ones, and whose darkest or
    /// brightest neighbour has three equal neighbours in both images (V. Vyšniauskas, 2009). It does not look at
    /// colours: a red edge that turned blue is excused.
    Pixelmatch7,
    /// The same of pixelmatch 8, which sees translucent pixels over white.
    Pixelmatch8,
}

impl Antialiasing {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Off, Self::Coverage, Self::Pixelmatch7, Self::Pixelmatch8];

    /// The stable lower-case name, as written in configurations.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Coverage => "coverage",
            Self::Pixelmatch7 => "pixelmatch7",
            Self::Pixelmatch8 => "pixelmatch8",
        }
    }

    /// Rows above and below a pixel that are looked at.
    pub(crate) const fn reach_rows(self) -> u32 {
        match self {
            Self::Off => 0,
            Self::Coverage => 1,
            Self::Pixelmatch7 | Self::Pixelmatch8 => 2,
        }
    }
}
