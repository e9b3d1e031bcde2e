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
