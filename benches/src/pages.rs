//! Pictures of pages: an application's screen and a tall landing page.

use trueup_frame::{Rect, Size};

use crate::canvas::{Canvas, Rgb};

const WHITE: Rgb = [255, 255, 255];
const INK: Rgb = [31, 41, 55];
const PALE_INK: Rgb = [107, 114, 128];
const LINE: Rgb = [229, 231, 235];
const ACCENT: Rgb = [37, 99, 235];

/// Something that two versions of a page do differently.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Edit {
    /// A flat area in another colour.
    Fill(Rect, Rgb),
    /// Other words on the same ground.
    Words { rect: Rect, ground: Rgb, scale: u32, color: Rgb, seed: u64 },
}

impl Edit {
    /// The area outside of which it changes nothing.
    pub(crate) const fn rect(self) -> Rect {
        match self {
            Self::Fill(rect, _) | Self::Words { rect, .. } => rect,
        }
    }

    pub(crate) fn apply(self, canvas: &mut Canvas) {
        match self {
            Self::Fill(rect, color) => canvas.fill(rect, color),
            Self::Words { rect, ground, scale, color, seed } => {
                canvas.fill(rect, ground);
                canvas.text(rect, scale, color, seed);
            }
        }
    }
}

/// A screen of an application, 1280×720: side bar, tool bar, cards, a table.
pub(crate) fn app() -> Canvas {
    let mut page = Canvas::new(Size::new(1280, 720), [249, 250, 251]);
    page.fill(Rect::new(0, 0, 220, 720), [17, 24, 39]);
    for item in 0..9 {
        let y = 90 + item * 44;
        if item == 2 {
            page.fill(Rect::new(8, y - 10, 204, 36), [55, 65, 81]);
        }
        page.fill(Rect::new(24, y, 16, 16), [156, 163, 175]);
        page.text(Rect::new(52, y, 140, 16), 1, [209, 213, 219], 100 + u64::from(item));
    }
    page.fill(Rect::new(220, 0, 1060, 64), WHITE);
    page.fill(Rect::new(220, 63, 1060, 1), LINE);
    page.text(Rect::new(244, 18, 300, 32), 2, INK, 7);
    page.gradient(Rect::new(1120, 14, 136, 36), [59, 130, 246], ACCENT);
    page.text(Rect::new(1144, 24, 90, 16), 1, WHITE, 8);
    for card in 0..4 {
        let x = 244 + card * 258;
        page.fill(Rect::new(x, 88, 238, 112), LINE);
        page.fill(Rect::new(x + 1, 89, 236, 110), WHITE);
        page.text(Rect::new(x + 16, 104, 180, 16), 1, PALE_INK, 20 + u64::from(card));
        page.text(Rect::new(x + 16, 132, 120, 32), 2, INK, 30 + u64::from(card));
        for bar in 0..12 {
            let height = 8 + (bar * 37 + card * 23) % 40;
            page.fill(Rect::new(x + 140 + bar * 8, 188 - height, 5, height), [147, 197, 253]);
        }
    }
    page.fill(Rect::new(244, 220, 1012, 480), LINE);
    page.fill(Rect::new(245, 221, 1010, 478), WHITE);
    for row in 0..14 {
        let y = 221 + row * 34;
        if row % 2 == 1 {
            page.fill(Rect::new(245, y, 1010, 34), [248, 250, 252]);
        }
        for column in 0..5 {
            let rect = Rect::new(262 + column * 200, y + 9, 150, 16);
            page.text(rect, 1, if row == 0 { PALE_INK } else { INK }, u64::from(200 + row * 5 + column));
        }
    }
    page
}

/// A button, a card's number, a cell of the table, a status dot that was not there.
pub(crate) const APP_EDITS: [Edit; 4] = [
    Edit::Fill(Rect::new(1120, 14, 136, 36), [22, 163, 74]),
    Edit::Words { rect: Rect::new(260, 132, 112, 32), ground: WHITE, scale: 2, color: INK, seed: 9001 },
    Edit::Words {
        rect: Rect::new(462, 366, 140, 16),
        ground: [248, 250, 252],
        scale: 1,
        color: INK,
        seed: 9002,
    },
    Edit::Fill(Rect::new(1230, 480, 12, 12), [220, 38, 38]),
];

/// A landing page, 1440×9000: sections with headings, paragraphs, cards and pictures.
pub(crate) fn landing() -> Canvas {
    let mut page = Canvas::new(Size::new(1440, 9000), WHITE);
    page.gradient(Rect::new(0, 0, 1440, 720), [30, 58, 138], [59, 130, 246]);
    page.text(Rect::new(160, 200, 900, 200), 5, WHITE, 1);
    page.text(Rect::new(160, 430, 700, 120), 2, [219, 234, 254], 2);
    page.fill(Rect::new(160, 580, 200, 56), WHITE);
    page.text(Rect::new(190, 600, 140, 16), 1, ACCENT, 3);
    for section in 0..9u32 {
        let top = 720 + section * 900;
        let seed = u64::from(section) * 100;
        if section % 2 == 1 {
            page.fill(Rect::new(0, top, 1440, 900), [248, 250, 252]);
        }
        page.text(Rect::new(160, top + 80, 800, 64), 4, INK, seed + 10);
        for column in 0..2u32 {
            let rect = Rect::new(160 + column * 580, top + 180, 540, 220);
            page.text(rect, 1, PALE_INK, seed + 20 + u64::from(column));
        }
        for card in 0..3u32 {
            let x = 160 + card * 380;
            let image = Rect::new(x, top + 430, 340, 200);
            picture(&mut page, image, section * 3 + card);
            page.text(Rect::new(x, top + 650, 340, 40), 2, INK, seed + 30 + u64::from(card));
            page.text(Rect::new(x, top + 700, 340, 130), 1, PALE_INK, seed + 40 + u64::from(card));
        }
    }
    page.fill(Rect::new(0, 8820, 1440, 180), [17, 24, 39]);
    page.text(Rect::new(160, 8860, 1100, 100), 1, [156, 163, 175], 5);
    page
}

/// A hero button, a heading, two lines of a paragraph, a card's title, a badge far down, and a footer link.
pub(crate) const LANDING_EDITS: [Edit; 6] = [
    Edit::Fill(Rect::new(160, 580, 200, 56), [254, 243, 199]),
    Edit::Words {
        rect: Rect::new(160, 1700, 784, 64),
        ground: [248, 250, 252],
        scale: 4,
        color: INK,
        seed: 9101,
    },
    Edit::Words {
        rect: Rect::new(160, 3632, 532, 32),
        ground: [248, 250, 252],
        scale: 1,
        color: PALE_INK,
        seed: 9102,
    },
    Edit::Words { rect: Rect::new(540, 5870, 336, 32), ground: WHITE, scale: 2, color: INK, seed: 9103 },
    Edit::Fill(Rect::new(1240, 7100, 90, 28), [220, 38, 38]),
    Edit::Words {
        rect: Rect::new(160, 8860, 210, 16),
        ground: [17, 24, 39],
        scale: 1,
        color: [156, 163, 175],
        seed: 9104,
    },
];

/// A smooth picture inside a page, as illustrations are.
fn picture(page: &mut Canvas, rect: Rect, which: u32) {
    page.map(rect, |x, y, _| {
        let (x, y) = (x - rect.x, y - rect.y);
        let wave = (x * x / 90 + y * y / 70 + which * 40) % 512;
        let wave = if wave > 255 { 511 - wave } else { wave };
        // Each is at most 255 by construction.
        [(40 + wave * 3 / 4) as u8, (60 + (x + y) * 150 / 540) as u8, (200 - wave / 2) as u8]
    });
}
