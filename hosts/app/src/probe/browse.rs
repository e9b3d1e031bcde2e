//! Opening pages in Chromium.

#[cfg(feature = "browser")]
pub(super) use with::pages;
#[cfg(not(feature = "browser"))]
pub(super) use without::pages;

#[cfg(feature = "browser")]
mod with {
    use std::path::Path;
    use std::sync::Arc;

    use trueup_capture_chromium::{ChromiumCapturer, ChromiumOptions, ReadRequest};
    use trueup_contract::Viewport;
    use trueup_ports::{CancelToken, Cx};
    use trueup_probes::Page;

    use crate::error::{AppError, AppErrorKind};
    use crate::probe::pages::{ProbeRequest, label};
    use crate::runtime::TokioRuntime;

    /// A desk and a hand.
    const VIEWPORTS: [&str; 2] = ["1280x720", "375x667"];

    /// Each page at each viewport, all in one browser.
    pub(in crate::probe) fn pages(
        paths: &[&Path],
        request: &ProbeRequest,
        cancel: CancelToken,
    ) -> Result<Vec<Vec<(String, Page)>>, AppError> {
        if paths.is_empty() {
            return Ok(Vec::new());
        }
        let viewports = if request.viewports.is_empty() {
            VIEWPORTS.map(str::to_owned).to_vec()
        } else {
            request.viewports.clone()
        };
        let bad = |text: &String| AppError::new(AppErrorKind::BadViewport { text: text.clone() });
        let viewports: Vec<Viewport> =
            viewports.iter().map(|text| text.parse().map_err(|_| bad(text))).collect::<Result<_, _>>()?;
        let capturer = ChromiumCapturer::new(".", ChromiumOptions::default());
        let cx = Cx::new(Arc::new(TokioRuntime::new()), cancel);
        let reading = async {
            let mut all = Vec::new();
            for path in paths {
                let mut seen = Vec::new();
                for viewport in &viewports {
                    let mut asked = ReadRequest::new(path.to_string_lossy(), *viewport);
                    asked.theme.clone_from(&request.theme);
                    asked.scanner.clone_from(&request.scanner);
                    if let Some(most) = request.max_actions {
                        asked = asked.with_max_actions(most);
                    }
                    seen.push((label(path), capturer.read(asked, &cx).await?));
                }
                all.push(seen);
            }
            Ok(all)
        };
        TokioRuntime::block_on(reading)
            .map_err(|error| AppError::new(AppErrorKind::Runtime(error)))?
            .map_err(|fault| AppError::new(AppErrorKind::Port { port: "browser", fault }))
    }
}

#[cfg(not(feature = "browser"))]
mod without {
    use std::path::Path;

    use trueup_ports::CancelToken;
    use trueup_probes::Page;

    use crate::error::{AppError, AppErrorKind};
    use crate::probe::pages::ProbeRequest;

    pub(in crate::probe) fn pages(
        paths: &[&Path],
        _: &ProbeRequest,
        _: CancelToken,
    ) -> Result<Vec<Vec<(String, Page)>>, AppError> {
        match paths.first() {
            None => Ok(Vec::new()),
            Some(page) => Err(AppError::new(AppErrorKind::NoBrowser { page: page.display().to_string() })),
        }
    }
}
