//! Frames: format, size, background, sameness.

use trueup_capture_svg::{Background, Options, RenderErrorKind, Renderer};
use trueup_frame::{Alpha, ColorSpace, PixelFormat, PixelRatio, Size};

use crate::{render, svg};

const HALF_RED: &str = r##"<rect x="2" y="2" width="4" height="4" fill="#f00" fill-opacity="0.5"/>"##;

#[test]
fn over_a_colour_the_frame_is_rgb() {
    let frame = render(&svg(HALF_RED)).unwrap().frame;
    assert_eq!(
        (frame.format(), frame.alpha(), frame.color()),
        (PixelFormat::Rgb8, Alpha::Opaque, ColorSpace::Srgb)
    );
    let row = frame.view();
    assert_eq!(row.row(0)[..3], [255, 255, 255]);
    // Half over white, in gamma-encoded values as browsers do.
    let pixel = &row.row(3)[9..12];
    assert_eq!(pixel[0], 255);
    assert!(pixel[1].abs_diff(127) <= 1 && pixel[1] == pixel[2], "{pixel:?}");

    let green = Options::default().with_background(Background::Color([0, 128, 0]));
    let rendered = Renderer::new(green).unwrap().render(svg("").as_bytes(), Size::new(3, 2), PixelRatio::ONE);
    assert_eq!(rendered.unwrap().frame.bytes(), [0, 128, 0].repeat(6));
}

#[test]
fn without_a_background_alpha_is_premultiplied_and_said_so() {
    let options = Options::default().with_background(Background::Transparent);
    let renderer = Renderer::new(options).unwrap();
    let frame = renderer.render(svg(HALF_RED).as_bytes(), Size::new(20, 10), PixelRatio::ONE).unwrap().frame;
    assert_eq!((frame.format(), frame.alpha()), (PixelFormat::Rgba8, Alpha::Premultiplied));
    let view = frame.view();
    assert_eq!(view.row(0)[..4], [0, 0, 0, 0]);
    let pixel = &view.row(3)[12..16];
    assert_eq!(pixel[0], pixel[3], "red is multiplied by alpha: {pixel:?}");
    assert!(pixel[3].abs_diff(127) <= 1 && pixel[1..3] == [0, 0], "{pixel:?}");
}

#[test]
fn the_same_document_gives_the_same_bytes() {
    let content = r##"<defs><linearGradient id="g"><stop stop-color="#08f"/><stop offset="1" stop-color="#f0a"/>
        </linearGradient><filter id="f"><feGaussianBlur stdDeviation="1"/></filter></defs>
        <circle cx="6" cy="5" r="4.3" fill="url(#g)"/><text x="8" y="9" font-size="9">Ag</text>
        <rect x="12" width="5" height="7" rx="2" filter="url(#f)" fill="#333"/>"##;
    let document = svg(content);
    let first = render(&document).unwrap();
    for _ in 0..20 {
        // A new renderer each time: nothing may depend on what was rendered before.
        let again = render(&document).unwrap();
        assert_eq!(again.frame, first.frame);
        assert_eq!(again.boxes, first.boxes);
    }
    let renderer = Renderer::new(Options::default()).unwrap();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    renderer.render(document.as_bytes(), Size::new(20, 10), PixelRatio::ONE).unwrap()
                })
            })
            .collect();
        for thread in threads {
            assert_eq!(thread.join().unwrap().frame, first.frame);
        }
    });
}

#[test]
fn the_pixel_ratio_scales() {
    let content = r##"<rect id="r" x="5" y="2" width="10" height="4" fill="#123456"/>"##;
    let renderer = Renderer::new(Options::default()).unwrap();
    let viewport = Size::new(20, 10);
    let two = PixelRatio::from_thousandths(2_000).unwrap();
    let rendered = renderer.render(svg(content).as_bytes(), viewport, two).unwrap();
    assert_eq!(rendered.frame.size(), Size::new(40, 20));
    assert_eq!(rendered.frame.ratio(), two);
    // Edges on whole pixels at both ratios: each pixel becomes four.
    let one = render(&svg(content)).unwrap();
    for y in 0..20 {
        for x in 0..40 {
            let big = &rendered.frame.view().row(y)[3 * x..3 * x + 3];
            assert_eq!(big, &one.frame.view().row(y / 2)[3 * (x / 2)..3 * (x / 2) + 3], "{x},{y}");
        }
    }
    let (small, big) = (&one.boxes[0], &rendered.boxes[0]);
    assert_eq!((small.x, small.y, small.width, small.height), (5.0, 2.0, 10.0, 4.0));
    assert_eq!((big.x, big.y, big.width, big.height), (10.0, 4.0, 20.0, 8.0));

    let odd = PixelRatio::from_thousandths(1_250).unwrap();
    let rendered = renderer.render(svg(content).as_bytes(), viewport, odd).unwrap();
    assert_eq!(rendered.frame.size(), Size::new(25, 13), "rounded up");
}

#[test]
fn what_is_too_large_or_empty_is_refused() {
    let renderer = Renderer::new(Options::default().with_max_pixels(10_000)).unwrap();
    let document = svg("");
    let two = PixelRatio::from_thousandths(2_000).unwrap();
    let kind =
        |viewport, ratio| renderer.render(document.as_bytes(), viewport, ratio).unwrap_err().kind().clone();
    assert!(renderer.render(document.as_bytes(), Size::new(50, 50), two).is_ok());
    let size = Size::new(102, 100);
    assert_eq!(kind(Size::new(51, 50), two), RenderErrorKind::TooManyPixels { size, limit: 10_000 });
    let viewport = Size::new(0, 50);
    assert_eq!(kind(viewport, two), RenderErrorKind::EmptyViewport { viewport });
    let unlimited = Renderer::new(Options::default().with_max_pixels(u64::MAX)).unwrap();
    let error =
        unlimited.render(document.as_bytes(), Size::new(u32::MAX, u32::MAX), PixelRatio::ONE).unwrap_err();
    assert!(matches!(error.kind(), RenderErrorKind::OutOfMemory { .. }));
}
