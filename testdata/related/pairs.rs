//! Pairs of screens of which it is known what happened between them.
//!
//! A screen is a list of elements in one or two columns. Something is done to it: elements are inserted, removed, moved,
//! recoloured, their words changed, noise is laid over a part. Both states are drawn, and the truth is noted from the model,
//! not from the pixels. Included by path, so that tests and benches share it.

#![allow(dead_code, unreachable_pub, reason = "each user of this file takes a part of it")]

/// Left, top, width, height.
pub type Area = [u32; 4];

/// What is known to have happened, in the places of the second picture; for `removed`, of the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Truth {
    /// `added`, `removed`, `moved`, `color`, `content` or `noise`.
    pub kind: &'static str,
    /// Where.
    pub area: Area,
}

/// Two pictures and the truth about them.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The category, for reading.
    pub name: String,
    /// The first picture.
    pub before: Picture,
    /// The second one.
    pub after: Picture,
    /// What happened.
    pub truth: Vec<Truth>,
}

/// An RGB picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    pub width: u32,
    pub height: u32,
    pub rgb: Vec<u8>,
}

impl Picture {
    pub fn new(width: u32, height: u32, color: [u8; 3]) -> Self {
        Self { width, height, rgb: color.repeat((width * height) as usize) }
    }

    pub fn at(&self, x: u32, y: u32) -> [u8; 3] {
        let at = (y * self.width + x) as usize * 3;
        [self.rgb[at], self.rgb[at + 1], self.rgb[at + 2]]
    }

    pub fn set(&mut self, x: u32, y: u32, color: [u8; 3]) {
        if x < self.width && y < self.height {
            let at = (y * self.width + x) as usize * 3;
            self.rgb[at..at + 3].copy_from_slice(&color);
        }
    }

    pub fn fill(&mut self, [x, y, width, height]: Area, color: [u8; 3]) {
        for row in y..(y + height).min(self.height) {
            for column in x..(x + width).min(self.width) {
                self.set(column, row, color);
            }
        }
    }

    /// Marks that have the stems, the bars and the soft edges of letters.
    pub fn text(&mut self, x: u32, y: u32, letters: &[u8], color: [u8; 3]) {
        let mut left = x;
        for &letter in letters {
            if letter == GAP {
                left += GAP_WIDTH;
                continue;
            }
            let mut shape = Random(u64::from(letter).wrapping_mul(0x5851_F42D_4C95_7F2D) + 1);
            let (bars, stem) = (shape.next(), 1 + shape.below(3));
            for row in 0..9 {
                for column in 0..6 {
                    // Every letter has a bar somewhere, and so its whole width.
                    let share = if column == stem {
                        255
                    } else if bars >> (3 * row) & 7 == 0 || row == u32::from(letter) % 9 {
                        200
                    } else if column == stem + 1 && bars >> row & 1 == 0 {
                        90
                    } else {
                        0
                    };
                    let (at_x, at_y) = (left + column, y + row);
                    if share > 0 && at_x < self.width && at_y < self.height {
                        let under = self.at(at_x, at_y);
                        let mix = |c: usize| {
                            ((u32::from(under[c]) * (255 - share) + u32::from(color[c]) * share) / 255) as u8
                        };
                        self.set(at_x, at_y, [mix(0), mix(1), mix(2)]);
                    }
                }
            }
            left += LETTER;
        }
    }
}

/// Pixels from one letter to the next, of which one is free, and the space of a gap between words: as in text of 13 px.
const LETTER: u32 = 7;
const GAP_WIDTH: u32 = 4;
const GAP: u8 = 0;

/// A small generator of numbers (SplitMix64).
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    pub fn below(&mut self, end: u32) -> u32 {
        (self.next() % u64::from(end.max(1))) as u32
    }

    pub fn range(&mut self, from: u32, to: u32) -> u32 {
        from + self.below(to - from + 1)
    }
}

/// One element: a card with a heading, lines of text, a button or a picture.
#[derive(Clone, Debug)]
struct Element {
    height: u32,
    fill: [u8; 3],
    ink: [u8; 3],
    lines: Vec<Vec<u8>>,
    button: Option<[u8; 3]>,
    /// Seed of a picture on its right.
    picture: Option<u64>,
}

impl Element {
    fn new(random: &mut Random) -> Self {
        let fill = random.pick(&[[255, 255, 255], [246, 248, 250], [232, 240, 254], [254, 249, 231]]);
        let ink = random.pick(&[[17, 24, 39], [55, 65, 81], [30, 64, 175]]);
        let lines: Vec<Vec<u8>> = (0..random.range(1, 3)).map(|_| words(random, 22)).collect();
        let colors = [[37, 99, 235], [22, 163, 74], [220, 38, 38], [124, 58, 237]];
        let button = (random.below(2) == 0).then(|| random.pick(&colors));
        let picture = (random.below(3) == 0).then(|| random.next());
        let height = 18 + 16 * lines.len() as u32 + if button.is_some() { 24 } else { 0 };
        Self { height, fill, ink, lines, button, picture }
    }

    fn draw(&self, on: &mut Picture, [x, y, width, _]: Area) {
        let height = self.height;
        on.fill([x, y, width, height], [209, 213, 219]);
        on.fill([x + 1, y + 1, width - 2, height - 2], self.fill);
        for (i, line) in (0..).zip(&self.lines) {
            on.text(x + 10, y + 10 + 16 * i, line, self.ink);
        }
        if let Some(color) = self.button {
            on.fill(self.button_area([x, y, width, height]), color);
        }
        if let Some(seed) = self.picture {
            let side = height - 16;
            let mut random = Random(seed);
            for row in 0..side.min(40) {
                for column in 0..40 {
                    let shade = (column * 4 + row * 2) as u8 ^ (random.next() as u8 & 31);
                    on.set(x + width - 50 + column, y + 8 + row, [shade, 120, 255 - shade]);
                }
            }
        }
    }

    fn button_area(&self, [x, y, ..]: Area) -> Area {
        [x + 10, y + 12 + 16 * self.lines.len() as u32, 64, 16]
    }
}

impl Random {
    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u32) as usize]
    }
}

/// Letters with gaps between words; 0 is a gap.
fn words(random: &mut Random, most: u32) -> Vec<u8> {
    let mut letters = Vec::new();
    let count = random.range(most / 2, most);
    let mut left = random.range(2, 7);
    for _ in 0..count {
        if left == 0 {
            letters.push(GAP);
            left = random.range(2, 7);
        } else {
            letters.push(1 + random.below(40) as u8);
            left -= 1;
        }
    }
    letters
}

/// A screen: a header, perhaps a column on the left that scrolls with nothing, and elements below each other.
#[derive(Clone, Debug)]
struct Screen {
    width: u32,
    ground: [u8; 3],
    header: Vec<u8>,
    side: Option<Vec<Vec<u8>>>,
    /// Space above, and the element.
    elements: Vec<(u32, Element)>,
    /// Space below the last one.
    foot: u32,
    /// Things on the ground at places of their own.
    floats: Vec<(Area, Float)>,
}

#[derive(Clone, Debug)]
enum Float {
    Fill([u8; 3]),
    Text(Vec<u8>, [u8; 3]),
    Card(Element),
}

impl Screen {
    fn new(random: &mut Random) -> Self {
        let elements = (0..random.range(3, 5)).map(|_| (random.range(8, 18), Element::new(random))).collect();
        let side =
            (random.below(3) == 0).then(|| (0..random.range(4, 9)).map(|_| words(random, 9)).collect());
        Self {
            width: random.range(320, 480),
            ground: random.pick(&[[255, 255, 255], [243, 244, 246], [250, 250, 249]]),
            header: words(random, 20),
            side,
            elements,
            foot: random.range(30, 90),
            floats: Vec::new(),
        }
    }

    fn height(&self) -> u32 {
        40 + self.elements.iter().map(|(space, element)| space + element.height).sum::<u32>() + self.foot
    }

    fn left(&self) -> u32 {
        if self.side.is_some() { 100 } else { 16 }
    }

    fn area(&self, index: usize) -> Area {
        let before: u32 = self.elements[..index].iter().map(|(space, element)| space + element.height).sum();
        let (space, element) = &self.elements[index];
        [self.left(), 40 + before + space, self.width - self.left() - 16, element.height]
    }

    fn draw(&self) -> Picture {
        let mut on = Picture::new(self.width, self.height(), self.ground);
        on.fill([0, 0, self.width, 32], [31, 41, 55]);
        on.text(12, 12, &self.header, [249, 250, 251]);
        for (i, line) in (0..).zip(self.side.iter().flatten()) {
            on.text(12, 52 + 20 * i, line, [75, 85, 99]);
        }
        for (index, (_, element)) in self.elements.iter().enumerate() {
            element.draw(&mut on, self.area(index));
        }
        for ([x, y, width, height], float) in &self.floats {
            match float {
                Float::Fill(color) => on.fill([*x, *y, *width, *height], *color),
                Float::Text(letters, color) => on.text(*x, *y, letters, *color),
                Float::Card(element) => element.draw(&mut on, [*x, *y, *width, *height]),
            }
        }
        on
    }

    /// A screen with free ground at its foot for things at places of their own.
    fn with_yard(random: &mut Random) -> (Self, Area) {
        let mut screen = Self::new(random);
        screen.elements.truncate(2);
        screen.side = None;
        screen.foot = 180;
        let top = screen.height() - 170;
        let yard = [16, top, screen.width - 32, 160];
        (screen, yard)
    }
}

/// The box of everything that differs between two pictures of one size.
pub fn differing(a: &Picture, b: &Picture) -> Option<Area> {
    let mut all: Option<[u32; 4]> = None;
    for y in 0..a.height.min(b.height) {
        for x in 0..a.width.min(b.width) {
            if a.at(x, y) != b.at(x, y) {
                let [l, t, r, d] = all.unwrap_or([x, y, x, y]);
                all = Some([l.min(x), t.min(y), r.max(x), d.max(y)]);
            }
        }
    }
    all.map(|[l, t, r, d]| [l, t, r - l + 1, d - t + 1])
}

/// One pair of a category.
pub fn pair(category: usize, seed: u64) -> Pair {
    let (name, make, _) = CATEGORIES[category];
    let (before, after, truth) = make(&mut Random(seed));
    Pair { name: format!("{name} of {seed}"), before, after, truth }
}

/// All pairs of a seed: the same on every machine.
pub fn pairs(seed: u64) -> Vec<Pair> {
    let mut all = Vec::new();
    for (name, make, count) in CATEGORIES {
        for index in 0..count {
            let mut random = Random(seed ^ (index << 20) ^ hash(name));
            let (before, after, truth) = make(&mut random);
            all.push(Pair { name: format!("{name} {index}"), before, after, truth });
        }
    }
    all
}

/// The seed of the pairs that the alignment was made with, and one that was only measured.
pub const SEEDS: [u64; 2] = [0x7275_6574, 0x6865_6C64];

fn hash(name: &str) -> u64 {
    name.bytes().fold(7, |all, byte| all.wrapping_mul(0x0100_0000_01B3) ^ u64::from(byte))
}

pub type Made = (Picture, Picture, Vec<Truth>);

/// A category: its name, what makes a pair of it, and how many of them there are.
pub type Category = (&'static str, fn(&mut Random) -> Made, u64);

pub const CATEGORIES: [Category; 16] = [
    ("insert", insert, 30),
    ("insert in a fixed view", insert_fixed, 20),
    ("insert a rule", insert_thin, 15),
    ("remove", remove, 30),
    ("put on free ground", put, 20),
    ("take from free ground", take, 20),
    ("move on free ground", move_free, 30),
    ("nudge a text", nudge, 25),
    ("shift the page", shift, 20),
    ("exchange elements", exchange, 20),
    ("recolour", recolor, 30),
    ("other words", reword, 30),
    ("noise", noise, 15),
    ("insert and recolour", insert_recolor, 25),
    ("remove and other words", remove_reword, 20),
    ("move, recolour, noise", move_recolor_noise, 25),
];

fn full(screen: &Screen, top: u32, height: u32) -> Area {
    [0, top, screen.width, height]
}

fn do_insert(random: &mut Random, screen: &mut Screen) -> Truth {
    let at = random.below(screen.elements.len() as u32) as usize;
    let element = (random.range(8, 18), Element::new(random));
    // The space of what follows stays with it: what came is the element and the space above it.
    screen.elements.insert(at, element);
    let [_, top, _, height] = screen.area(at);
    let space = screen.elements[at].0;
    let area = if screen.side.is_some() {
        let left = screen.left();
        [left, top - space, screen.width - left, height + space]
    } else {
        full(screen, top - space, height + space)
    };
    Truth { kind: "added", area }
}

fn insert(random: &mut Random) -> Made {
    let mut screen = Screen::new(random);
    screen.side = None;
    let before = screen.draw();
    let truth = do_insert(random, &mut screen);
    (before, screen.draw(), vec![truth])
}

fn insert_fixed(random: &mut Random) -> Made {
    let mut screen = Screen::new(random);
    screen.side = None;
    let before = screen.draw();
    // Something of what makes way is still to be seen.
    let before_it = screen.clone();
    let truth = loop {
        let truth = do_insert(random, &mut screen);
        if truth.area[1] + 2 * truth.area[3] + 40 < before.height {
            break truth;
        }
        screen = before_it.clone();
    };
    let mut after = screen.draw();
    after.rgb.truncate(before.rgb.len());
    after.height = before.height;
    let [x, y, width, height] = truth.area;
    let area = [x, y, width, height.min(after.height - y)];
    (before, after, vec![Truth { area, ..truth }])
}

/// One to three rows of a colour of their own.
fn insert_thin(random: &mut Random) -> Made {
    let screen = Screen::new(random);
    let before = screen.draw();
    let (y, rows) = (random.range(33, before.height - 1), random.range(1, 3));
    let mut after = before.clone();
    let line = [200, 30, 90].repeat((before.width * rows) as usize);
    let at = (y * before.width * 3) as usize;
    after.rgb.splice(at..at, line);
    after.height += rows;
    (before, after, vec![Truth { kind: "added", area: full(&screen, y, rows) }])
}

fn remove(random: &mut Random) -> Made {
    let mut screen = Screen::new(random);
    screen.side = None;
    let before = screen.draw();
    let truth = do_remove(random, &mut screen);
    (before, screen.draw(), vec![truth])
}

fn do_remove(random: &mut Random, screen: &mut Screen) -> Truth {
    let at = random.below(screen.elements.len() as u32 - 1) as usize;
    let [_, top, _, height] = screen.area(at);
    let space = screen.elements[at].0;
    let area = full(screen, top - space, height + space);
    screen.elements.remove(at);
    Truth { kind: "removed", area }
}

fn float(random: &mut Random, width: u32) -> (u32, u32, Float) {
    let ink = random.pick(&[[17, 24, 39], [30, 64, 175], [153, 27, 27]]);
    match random.below(3) {
        0 => (random.range(20, 60), random.range(14, 40), Float::Fill(ink)),
        1 => {
            let letters = words(random, 14);
            (letters.len() as u32 * LETTER, 9, Float::Text(letters, ink))
        }
        _ => {
            let element = Element { picture: None, ..Element::new(random) };
            let lines = element.lines.iter().map(|line| line[..line.len().min(14)].to_vec()).collect();
            let element = Element { lines, fill: [254, 243, 199], ..element };
            (random.range(120, 150).min(width), element.height, Float::Card(element))
        }
    }
}

/// What can be seen of something on free ground.
fn seen(screen: &Screen, float: (Area, Float)) -> Area {
    let mut bare = screen.clone();
    bare.floats.clear();
    let mut with = bare.clone();
    with.floats.push(float);
    differing(&bare.draw(), &with.draw()).unwrap_or_default()
}

fn put(random: &mut Random) -> Made {
    let (mut screen, [x, y, width, height]) = Screen::with_yard(random);
    let before = screen.draw();
    let (w, h, float) = float(random, width);
    let area = [x + random.below(width - w), y + random.below(height - h), w, h];
    screen.floats.push((area, float.clone()));
    let area = seen(&screen, (area, float));
    (before, screen.draw(), vec![Truth { kind: "added", area }])
}

fn take(random: &mut Random) -> Made {
    let (before, after, truth) = put(random);
    (after, before, truth.into_iter().map(|truth| Truth { kind: "removed", ..truth }).collect())
}

fn move_free(random: &mut Random) -> Made {
    let (mut screen, [x, y, width, height]) = Screen::with_yard(random);
    let (w, h, float) = float(random, width);
    let place = |random: &mut Random| [x + random.below(width - w), y + random.below(height - h), w, h];
    let from = place(random);
    let to = loop {
        let to = place(random);
        if to != from {
            break to;
        }
    };
    screen.floats.push((from, float.clone()));
    let before = screen.draw();
    screen.floats = vec![(to, float.clone())];
    (before, screen.draw(), vec![Truth { kind: "moved", area: seen(&screen, (to, float)) }])
}

fn nudge(random: &mut Random) -> Made {
    let (mut screen, [x, y, width, _]) = Screen::with_yard(random);
    let lines: Vec<(Area, Float)> = (0..3)
        .map(|i| {
            let letters = words(random, 30.min(width / LETTER));
            ([x + 8, y + 10 + 20 * i, letters.len() as u32 * LETTER, 9], Float::Text(letters, [17, 24, 39]))
        })
        .collect();
    screen.floats.clone_from(&lines);
    let before = screen.draw();
    let at = random.below(3) as usize;
    let by = [random.range(0, 2), random.range(0, 2)];
    let by = if by == [0, 0] { [1, 0] } else { by };
    let [x, y, w, h] = lines[at].0;
    screen.floats[at].0 = [x + by[0], y + by[1], w, h];
    let after = screen.draw();
    let area = seen(&screen, screen.floats[at].clone());
    (before, after, vec![Truth { kind: "moved", area }])
}

fn shift(random: &mut Random) -> Made {
    let screen = Screen::new(random);
    let before = screen.draw();
    let (dx, dy) = random.pick(&[(0, 1), (1, 0), (0, 2), (0, 3), (2, 0)]);
    let mut after = Picture::new(before.width, before.height, screen.ground);
    for y in dy..before.height {
        for x in dx..before.width {
            after.set(x, y, before.at(x - dx, y - dy));
        }
    }
    let area = [dx, dy, before.width - dx, before.height - dy];
    (before, after, vec![Truth { kind: "moved", area }])
}

fn exchange(random: &mut Random) -> Made {
    let mut screen = Screen::new(random);
    screen.side = None;
    while screen.elements[0].1.height == screen.elements[1].1.height {
        screen.elements[0].1 = Element::new(random);
    }
    let before = screen.draw();
    screen.elements.swap(0, 1);
    let after = screen.draw();
    // The smaller one passed the larger one by.
    let smaller = usize::from(screen.elements[0].1.height > screen.elements[1].1.height);
    (before, after, vec![Truth { kind: "moved", area: screen.area(smaller) }])
}

fn recolor(random: &mut Random) -> Made {
    let mut screen = Screen::new(random);
    let before = screen.draw();
    let truth = do_recolor(random, &mut screen);
    (before, screen.draw(), vec![truth])
}

fn do_recolor(random: &mut Random, screen: &mut Screen) -> Truth {
    let at = random.below(screen.elements.len() as u32) as usize;
    do_recolor_at(screen, at)
}

/// Another colour of an element's button, or of the element where it has none.
fn do_recolor_at(screen: &mut Screen, at: usize) -> Truth {
    let whole = screen.area(at);
    let element = &mut screen.elements[at].1;
    let colors = [[37, 99, 235], [22, 163, 74], [220, 38, 38]];
    let area = if let Some(color) = &mut element.button {
        let old = *color;
        *color = *colors.iter().find(|&&color| color != old).unwrap_or(&[0, 0, 0]);
        element.button_area(whole)
    } else {
        element.fill = if element.fill == [219, 234, 254] { [254, 226, 226] } else { [219, 234, 254] };
        let [x, y, width, height] = whole;
        [x + 1, y + 1, width - 2, height - 2]
    };
    Truth { kind: "color", area }
}

fn reword(random: &mut Random) -> Made {
    let mut screen = Screen::new(random);
    let before = screen.draw();
    let truth = do_reword(random, &mut screen);
    (before, screen.draw(), vec![truth])
}

fn do_reword(random: &mut Random, screen: &mut Screen) -> Truth {
    let at = random.below(screen.elements.len() as u32) as usize;
    let before = screen.draw();
    let line = random.below(screen.elements[at].1.lines.len() as u32) as usize;
    let old = screen.elements[at].1.lines[line].clone();
    // As long as before, so that one word of a line may be another.
    let new =
        old.iter().map(|&letter| if letter == 0 { 0 } else { 1 + (letter + random.below(38) as u8) % 40 });
    screen.elements[at].1.lines[line] = new.collect();
    let area = differing(&before, &screen.draw()).unwrap_or_default();
    Truth { kind: "content", area }
}

/// One step of noise on every second pixel or so.
fn sprinkle(random: &mut Random, on: &mut Picture, [x, y, width, height]: Area) {
    for row in y..y + height {
        for column in x..x + width {
            let noise = random.next();
            let by = |c: usize| [0_i8, 1, -1, 0][(noise >> (2 * c) & 3) as usize];
            let old = on.at(column, row);
            let new = std::array::from_fn(|c| old[c].saturating_add_signed(by(c)));
            on.set(column, row, new);
        }
    }
}

fn noise(random: &mut Random) -> Made {
    let screen = Screen::new(random);
    let before = screen.draw();
    let mut after = before.clone();
    let (w, h) = (random.range(60, 200), random.range(30, 90));
    let area = [random.below(before.width - w), random.below(before.height - h), w, h];
    sprinkle(random, &mut after, area);
    (before, after, vec![Truth { kind: "noise", area }])
}

fn insert_recolor(random: &mut Random) -> Made {
    let mut screen = Screen::new(random);
    screen.side = None;
    let at = random.below(screen.elements.len() as u32) as usize;
    screen.elements[at].1.button = None;
    let before = screen.draw();
    // What is inserted may push down what is recoloured.
    do_recolor_at(&mut screen, at);
    let (lines, fill) = (screen.elements[at].1.lines.clone(), screen.elements[at].1.fill);
    let added = do_insert(random, &mut screen);
    let is_same = |(_, element): &(u32, Element)| element.lines == lines && element.fill == fill;
    let now = screen.elements.iter().position(is_same).unwrap_or(at);
    let [x, y, width, height] = screen.area(now);
    let color = Truth { kind: "color", area: [x + 1, y + 1, width - 2, height - 2] };
    (before, screen.draw(), vec![added, color])
}

fn remove_reword(random: &mut Random) -> Made {
    let mut screen = Screen::new(random);
    screen.side = None;
    let before = screen.draw();
    let removed = do_remove(random, &mut screen);
    let content = do_reword(random, &mut screen);
    (before, screen.draw(), vec![removed, content])
}

fn move_recolor_noise(random: &mut Random) -> Made {
    let (mut screen, [x, y, width, height]) = Screen::with_yard(random);
    let (w, h, float) = float(random, width);
    let from = [x + random.below(width - w), y, w, h];
    let to = [x + random.below(width - w), y + height - h, w, h];
    screen.floats.push((from, float.clone()));
    let before = screen.draw();
    screen.floats = vec![(to, float.clone())];
    let color = do_recolor(random, &mut screen);
    let moved = Truth { kind: "moved", area: seen(&screen, (to, float)) };
    let mut after = screen.draw();
    // Faint noise on the header: nothing of it may be open.
    sprinkle(random, &mut after, [0, 0, before.width, 32]);
    (before, after, vec![moved, color])
}
