//! Captures pages as often as one likes, and says how long each took.
//!
//! ```sh
//! cargo run --release -p trueup-capture-chromium --example capture_page -- FOLDER PAGE.html 1280x720 OUT.png [TIMES|-]
//! ```
//!
//! Prints a line a round: its milliseconds, and the hash of the picture, which must always be the same. With `-` every line of
//! standard input is a round, of as many labels as it says.

#![allow(clippy::print_stdout, reason = "what a program on the command line does")]

use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use trueup_capture_chromium::{ChromiumCapturer, ChromiumOptions};
use trueup_contract::{Label, LabelName, StateId};
use trueup_ports::{CancelToken, CaptureRequest, Capturer, Cx, Pixels, Runtime, Snapshot};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, page, viewport, out, rest @ ..] = arguments.as_slice() else {
        return Err("expected FOLDER PAGE.html WIDTHxHEIGHT OUT.png [TIMES|-]".into());
    };
    let rounds: Box<dyn Iterator<Item = Result<usize, Box<dyn Error>>>> =
        match rest.first().map(String::as_str) {
            Some("-") => Box::new(std::io::stdin().lines().map(|line| Ok(line?.trim().parse()?))),
            Some(times) => Box::new(std::iter::repeat_n(1, times.parse()?).map(Ok)),
            None => Box::new(std::iter::once(Ok(1))),
        };
    let capturer = ChromiumCapturer::new(folder, ChromiumOptions::default());
    let cx = Cx::new(Arc::new(Inline), CancelToken::new());
    for count in rounds {
        let mut labels = Vec::new();
        for at in 0..count? {
            let name = LabelName::new(format!("page-{at}"))?;
            labels.push(Label::new(name, page.as_str(), viewport.parse()?, ""));
        }
        let request = CaptureRequest::new(Snapshot::new([]), labels.into());
        let began = Instant::now();
        let captures = block_on(capturer.capture(request, &cx))?;
        let millis = began.elapsed().as_secs_f64() * 1_000.0;
        let Some(Pixels::Encoded(png)) = captures.into_iter().next_back().map(|capture| capture.pixels)
        else {
            return Err("expected a PNG".into());
        };
        let name = StateId::of_parts([("png", png.as_ref())]);
        println!("{millis:.2} {}", name.short());
        std::fs::write(out, png)?;
    }
    Ok(())
}

/// Blocking work where it is asked for: this program has nothing else to do.
#[derive(Debug)]
struct Inline;

#[async_trait]
impl Runtime for Inline {
    fn now(&self) -> Duration {
        Duration::ZERO
    }

    async fn sleep(&self, time: Duration) {
        std::thread::sleep(time);
    }

    async fn run_blocking(&self, job: Box<dyn FnOnce() + Send>) {
        job();
    }
}

/// Everything above is ready at once.
fn block_on<T>(future: impl Future<Output = T>) -> T {
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    let mut future = std::pin::pin!(future);
    loop {
        if let std::task::Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return value;
        }
    }
}
