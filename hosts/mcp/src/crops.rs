//! Pictures for agents that see.

use std::fs;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rmcp::model::ContentBlock;
use trueup_app::ReviseDocument;
use trueup_frame::Rect;

/// Regions that are shown at most: each is two pictures, and models pay for every one.
const SHOWN: usize = 4;

/// What is shown around a region, pixels.
const MARGIN: u32 = 16;

/// A PNG as content.
pub(crate) fn png(bytes: &[u8]) -> ContentBlock {
    ContentBlock::image(STANDARD.encode(bytes), "image/png")
}

/// The heaviest open regions, each as the reference has it and as it is now. A picture that cannot be read is said to be missing.
pub(crate) fn of(folder: &Path, revise: &ReviseDocument) -> Vec<ContentBlock> {
    let seen = folder.join(format!("diff/{:02}", revise.best_iteration));
    let mut content = Vec::new();
    for open in revise.open.iter().take(SHOWN) {
        let region = &open.region;
        let Some((label, _)) = region.id.split_once('/') else { continue };
        let area = Rect::new(region.x, region.y, region.width, region.height);
        for (what, path) in [
            ("as the reference has it", folder.join(format!("reference/{label}.png"))),
            ("as it is now", seen.join(format!("{label}.render.png"))),
        ] {
            match crop(&path, area) {
                Ok(bytes) => {
                    content.push(ContentBlock::text(format!("{} {what}:", region.id)));
                    content.push(png(&bytes));
                }
                Err(why) => {
                    content.push(ContentBlock::text(format!("{} {what}: no picture: {why}", region.id)));
                }
            }
        }
    }
    content
}

/// The part of a picture around an area.
fn crop(path: &Path, area: Rect) -> Result<Vec<u8>, String> {
    let bytes = fs::read(path).map_err(|error| error.to_string())?;
    let decoded =
        trueup_codec::decode(&bytes, &trueup_codec::Limits::default()).map_err(|error| error.to_string())?;
    let view = decoded.frame.view();
    // What was added may stand beyond the reference.
    let around = area.grown(MARGIN).clipped_to(view.size()).ok_or("it has nothing there")?;
    let view = view.crop(around).map_err(|error| error.to_string())?;
    trueup_codec::encode_png(&view).map_err(|error| error.to_string())
}
