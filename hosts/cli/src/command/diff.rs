//! `trueup diff`.

use std::collections::BTreeMap;

use trueup_app::{
    AppError, DiffDocument, DiffRequest, DiffSetDocument, PageDiffDocument, PageView, RegionDocument,
    diff_files, diff_folders, diff_pages, is_page, read_regions,
};

use crate::args::{Diff, Format};
use crate::error::CliError;
use crate::preview::Shown;
use crate::progress::Bar;
use crate::{interrupt, output, style};

/// Regions that are listed for people; all of them are in the JSON document.
const LISTED: usize = 20;

pub(crate) fn execute(args: &Diff) -> Result<u8, CliError> {
    let mut request = DiffRequest::default();
    request.expected = args.expected.clone();
    request.actual = args.actual.clone();
    request.tolerance = args.tolerance.clone();
    request.strict = args.strict;
    request.metric = args.metric.kind();
    request.level = args.level.kind();
    request.areas = args.area.clone();
    request.ignored = args.mask.clone();
    request.backdrop = args.backdrop.kind(args.metric);
    request.picture = args.output.clone();
    request.picture_kind = args.picture.kind();
    request.threads = args.threads;
    request.antialiasing = args.aa.kind(args.metric);
    if let Some(path) = &args.regions {
        request.boxes = read_regions(path).map_err(AppError::from)?;
    }
    let bar = Bar::new(args.progress);
    let is_of_folders = args.expected.is_dir() && args.actual.is_dir();
    let shown = Shown::of(args.preview, args.format, is_of_folders, args.output.as_deref())?;
    if let Some(shown) = &shown {
        request.picture = Some(shown.picture().to_owned());
    }
    let show = |exit_code: u8| match &shown {
        // Of images that match there is nothing to see.
        Some(shown) if exit_code == 1 => Ok::<_, CliError>(shown.show()??),
        _ => Ok(()),
    };
    if is_of_folders {
        let outcome = diff_folders(&request, &bar.told());
        bar.clear();
        let outcome = outcome?;
        match args.format {
            Format::Json => output::json(&outcome.document)?,
            Format::Text => output::line(set_text(&outcome.document).trim_end())?,
        }
        return Ok(outcome.exit_code);
    }
    if is_page(&args.expected) || is_page(&args.actual) {
        let mut view = PageView::default();
        view.viewport.clone_from(&args.viewport);
        view.theme = args.theme.map(|theme| theme.name().to_owned());
        let outcome = diff_pages(&request, &view, interrupt::token()?, &bar.told());
        bar.clear();
        let outcome = outcome?;
        match args.format {
            Format::Json => output::json(&outcome.document)?,
            Format::Text => output::line(page_text(&outcome.document).trim_end())?,
        }
        show(outcome.exit_code)?;
        return Ok(outcome.exit_code);
    }
    let outcome = diff_files(&request)?;
    match args.format {
        Format::Json => output::json(&outcome.document)?,
        Format::Text => output::line(text(&outcome.document).trim_end())?,
    }
    show(outcome.exit_code)?;
    Ok(outcome.exit_code)
}

/// One line a pair, the failing ones with their reason, and a line that sums up.
fn set_text(document: &DiffSetDocument) -> String {
    let mut text = String::new();
    for pair in &document.pairs {
        let why = pair.error.as_deref().or(pair.diff.as_ref().map(|diff| diff.reason.as_str()));
        let status = style::status(&format!("{:<12}", pair.status));
        text.push_str(&format!("{status} {}: {}\n", pair.name, why.unwrap_or_default()));
    }
    for group in document.groups.iter().take(LISTED) {
        let first = &group.members[0];
        text.push_str(&format!(
            "{:<12} the same change of kind {} in {} places, first {} {}\n",
            "alike", group.kind, group.count, first.name, first.id
        ));
    }
    for (names, what) in [(&document.missing, "missing"), (&document.extra, "extra")] {
        for name in names {
            text.push_str(&format!("{} {name}\n", style::status(&format!("{what:<12}"))));
        }
    }
    let count = |status| document.pairs.iter().filter(|pair| pair.status == status).count();
    text.push_str(&format!(
        "{}: {}, {} fail, {} undetermined, {} missing, {} extra\n",
        style::status(document.status),
        output::count(document.pairs.len(), "pair", "pairs"),
        count("fail"),
        count("undetermined"),
        document.missing.len(),
        document.extra.len(),
    ));
    text
}

/// What differs, then the elements that changed, each on a line.
fn page_text(document: &PageDiffDocument) -> String {
    let mut text = text(&document.diff);
    for element in document.elements.iter().take(LISTED) {
        text.push_str(&format!("  {:<8} {}", element.change, element.selector));
        let styles = element.styles.iter();
        let mut what: Vec<String> =
            styles.map(|style| format!("{} {} → {}", style.property, style.expected, style.actual)).collect();
        what.extend(
            element.text.as_ref().map(|text| format!("text {:?} → {:?}", text.expected, text.actual)),
        );
        if !what.is_empty() {
            text.push_str(&format!(": {}", what.join("; ")));
        }
        text.push('\n');
    }
    if document.elements.len() > LISTED {
        text.push_str(&format!(
            "  … and {} more; --format json lists all\n",
            document.elements.len() - LISTED
        ));
    }
    if document.moved_elements > 0 {
        text.push_str(&format!(
            "  {} more elements are elsewhere or of another size\n",
            document.moved_elements
        ));
    }
    text
}

fn text(document: &DiffDocument) -> String {
    let mut text = format!("{}: {}\n", style::status(document.status), document.reason);
    let (key, threshold) = document.tolerance.threshold();
    text.push_str(&format!(
        "  {} of {} pixels differ, {} visibly ({} {key} {threshold}) · max ΔE {:.2} · mean ΔE {:.4} · score {:.1}\n",
        document.differing_pixels,
        document.compared_pixels,
        document.visible_pixels,
        document.metric,
        document.max_delta_e,
        document.mean_delta_e,
        document.score,
    ));
    if document.antialiased_pixels > 0 {
        text.push_str(&format!("  {} pixels differ only by antialiasing\n", document.antialiased_pixels));
    }
    if document.masked_pixels > 0 {
        text.push_str(&format!("  {} pixels are masked\n", document.masked_pixels));
    }
    for mask in &document.unmatched_masks {
        text.push_str(&format!("  warning: mask {} covers no pixel of either image\n", mask + 1));
    }
    if let Some(sizes) = &document.size_mismatch {
        text.push_str(&format!(
            "  sizes differ: {}×{} and {}×{}, {} pixels only in the first and {} only in the second\n",
            document.expected.width,
            document.expected.height,
            document.actual.width,
            document.actual.height,
            sizes.expected_extra_pixels,
            sizes.actual_extra_pixels,
        ));
    }
    let open: Vec<&RegionDocument> = document.regions.iter().filter(|region| region.open).collect();
    for region in open.iter().take(LISTED) {
        text.push_str(&line(region));
    }
    if document.relation.is_some_and(|relation| relation.cut) {
        text.push_str("  what moved was not looked for everywhere: it would have taken too long\n");
    }
    if open.len() > LISTED {
        text.push_str(&format!("  … and {} more; --format json lists all\n", open.len() - LISTED));
    }
    text.push_str(&excused(document));
    for found in document.boxes.iter().filter(|found| found.differing_pixels > 0) {
        text.push_str(&format!(
            "  in {}: {} of {} pixels differ, {} visibly · ΔE mean {:.2} max {:.2}\n",
            found.name,
            found.differing_pixels,
            found.compared_pixels,
            found.visible_pixels,
            found.mean_delta_e,
            found.max_delta_e,
        ));
    }
    if let Some(pass) = document.would_pass_at.filter(|_| document.status == "fail") {
        text.push_str(&format!("  it would pass at {key}={}\n", (pass * 100.0).ceil() / 100.0));
    }
    text
}

/// What differs and is excused, a line for each reason.
fn excused(document: &DiffDocument) -> String {
    let mut reasons: BTreeMap<&str, (usize, u64)> = BTreeMap::new();
    for region in &document.regions {
        if let Some(excuse) = &region.excuse {
            let of = reasons.entry(excuse).or_default();
            *of = (of.0 + 1, of.1 + region.pixels);
        }
    }
    let line = |(reason, (regions, pixels)): (&str, (usize, u64))| {
        let regions = if regions == 1 { "1 region".to_owned() } else { format!("{regions} regions") };
        let why = match reason {
            "consequence" => "made way for the others".to_owned(),
            "placement" => "moved within the tolerance pixel".to_owned(),
            "level" => "is excused by the level".to_owned(),
            area => format!("is excused by {area}"),
        };
        format!("  {regions} of {pixels} px {why}\n")
    };
    reasons.into_iter().map(line).collect()
}

/// How far something moved, in words.
fn distance(vector: Option<[i64; 2]>) -> String {
    let Some(vector) = vector.filter(|vector| *vector != [0, 0]) else { return String::new() };
    let words = [(vector[0], "right", "left"), (vector[1], "down", "up")];
    let said: Vec<String> = words
        .into_iter()
        .filter(|(by, ..)| *by != 0)
        .map(|(by, more, less)| format!("{} px {}", by.unsigned_abs(), if by > 0 { more } else { less }))
        .collect();
    format!(" · {}", said.join(" and "))
}

/// What there is to say of a region: how far it moved, what came or went, or which colours it has.
fn line(region: &RegionDocument) -> String {
    let distance = distance(region.vector);
    if region.vector.is_none() || region.kind == "moved" {
        return format!(
            "  {:<4} {:<8} {:>4}×{:<4} at ({}, {}) · {} px{distance}{}\n",
            region.id,
            region.kind,
            region.width,
            region.height,
            region.x,
            region.y,
            region.pixels,
            region.element.as_ref().map(|element| format!(" · {element}")).unwrap_or_default(),
        );
    }
    format!(
        "  {:<4} {:<8} {:>4}×{:<4} at ({}, {}) · {} px · ΔE mean {:.2} p95 {:.2} max {:.2} · {}{distance}{}\n",
        region.id,
        region.kind,
        region.width,
        region.height,
        region.x,
        region.y,
        region.pixels,
        region.mean_delta_e,
        region.p95_delta_e,
        region.max_delta_e,
        direction(region),
        region.element.as_ref().map(|element| format!(" · {element}")).unwrap_or_default(),
    )
}

/// Which way the colours went, in words, where they went one way.
fn direction(region: &RegionDocument) -> String {
    let words = [(region.delta_l, "lighter", "darker"), (region.delta_c, "more saturated", "less saturated")];
    let said: Vec<String> = words
        .into_iter()
        .filter(|(delta, ..)| delta.abs() >= 0.5)
        .map(|(delta, more, less)| format!("{} by {:.1}", if delta > 0.0 { more } else { less }, delta.abs()))
        .collect();
    if said.is_empty() { "about as light and saturated".to_owned() } else { said.join(", ") }
}
