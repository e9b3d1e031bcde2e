//! The same change in several comparisons.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::{Region, RegionKind};

/// How far apart two looks of the same change are at most, in bits of 64.
const LOOK_BITS: u32 = 6;

/// Groups of one kind that a region is held against, the newest first.
const TRIED: usize = 256;

/// What changed, and how far it moved.
type Kind = (RegionKind, Option<[i64; 2]>);

/// Groups regions of several comparisons that show the same change: of one kind, moved alike, as large as each other but for
/// two pixels, and looking the same. Where in its image a region is does not matter.
///
/// Gives the places in the list, group by group: the largest group first, then that whose first region comes first. A region
/// that is like no other is a group of its own, and so is one whose looks are not known.
///
/// ```
/// use trueup_frame::{ImageView, PixelFormat, Size};
/// use trueup_pixel_diff::{Options, Relating, Region, diff, group_alike, relate};
///
/// // A grey square that turned lighter, on two screens.
/// let screen = |at: usize, grey: u8| -> Vec<u8> { (0..100).map(|i| if i / 10 == at { grey } else { 255 }).collect() };
/// let size = Size::new(10, 10);
/// let options = Options::default();
/// let mut regions: Vec<Region> = Vec::new();
/// for at in [2, 6] {
///     let (before, after) = (screen(at, 90), screen(at, 120));
///     let [e, a] = [&before, &after].map(|bytes| ImageView::packed(bytes, size, PixelFormat::Gray8));
///     let (e, a) = (e?, a?);
///     let found = relate(diff(&e, &a, &options)?, &e, &a, &options, &Relating::default())?;
///     regions.extend(found.open_regions().cloned());
/// }
/// assert_eq!(group_alike(&regions), [[0, 1]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn group_alike(regions: &[Region]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut of_kind: HashMap<Kind, Vec<usize>> = HashMap::new();
    let mut equal: HashMap<(Kind, u64, [u32; 2]), usize> = HashMap::new();
    for (index, region) in regions.iter().enumerate() {
        let Some(look) = region.look() else {
            groups.push(vec![index]);
            continue;
        };
        let (kind, rect) = ((region.kind(), region.vector()), region.rect());
        let known = of_kind.entry(kind).or_default();
        let exact = (kind, look, [rect.width, rect.height]);
        let near = |group: &&usize| is_alike(&regions[groups[**group][0]], region);
        let found = equal.get(&exact).copied().or_else(|| known.iter().rev().take(TRIED).find(near).copied());
        let group = found.unwrap_or_else(|| {
            groups.push(Vec::new());
            known.push(groups.len() - 1);
            groups.len() - 1
        });
        equal.entry(exact).or_insert(group);
        groups[group].push(index);
    }
    groups.sort_by_key(|group| (Reverse(group.len()), group[0]));
    groups
}

fn is_alike(a: &Region, b: &Region) -> bool {
    let near = |a: u32, b: u32| a.abs_diff(b) <= 2;
    let looks = a.look().zip(b.look()).is_some_and(|(a, b)| (a ^ b).count_ones() <= LOOK_BITS);
    looks && near(a.rect().width, b.rect().width) && near(a.rect().height, b.rect().height)
}
