//! The browser's process: how it is started, and how it ends with everything that it started.

use std::ffi::OsString;
use std::io::Read;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use tempfile::TempDir;

use crate::error::{BrowserError, BrowserErrorKind};
use crate::options::ChromiumOptions;

/// Bytes at the end of what the browser says that are kept.
const KEPT_BYTES: usize = 4 << 10;

/// Has a POSIX shell hand its standard input and output on as the file descriptors 3 and 4, where Chromium looks for the pipe of
/// its protocol, and become the browser. No port is opened, and the browser ends when the pipe does.
const HAND_ON: &str = r#"exec "$0" "$@" 3<&0 4>&1 </dev/null >&2"#;

/// A browser that runs, with a profile of its own that goes when it goes.
#[derive(Debug)]
pub(crate) struct Process {
    child: Mutex<Child>,
    said: Arc<Mutex<Vec<u8>>>,
    _profile: TempDir,
}

impl Process {
    /// Starts the browser; gives the ends of its pipe.
    pub(crate) fn start(
        browser: &Path,
        options: &ChromiumOptions,
    ) -> Result<(Self, ChildStdin, ChildStdout), BrowserError> {
        if !cfg!(unix) {
            return Err(BrowserError::new(BrowserErrorKind::UnsupportedSystem));
        }
        let failed = |error: std::io::Error| {
            let (browser, why) = (browser.to_owned(), error.to_string());
            BrowserError::new(BrowserErrorKind::NotStarted { browser, why })
        };
        let profile = tempfile::Builder::new().prefix("trueup-browser").tempdir().map_err(failed)?;
        let mut command = Command::new("/bin/sh");
        command.arg("-c").arg(HAND_ON).arg(browser).args(arguments(options, profile.path()));
        // Set for the whole browser, so that pages that share a process cannot contradict each other.
        command.env("TZ", &options.time_zone);
        for name in ["LANG", "LC_ALL"] {
            command.env(name, format!("{}.UTF-8", options.locale.replace('-', "_")));
        }
        command.env("LANGUAGE", options.locale.replace('-', "_"));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(failed)?;
        let (Some(to), Some(from), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            unreachable!("all three were asked to be pipes");
        };
        let said = Arc::default();
        let kept = Arc::clone(&said);
        // Ends when the last process of the browser closes its end.
        thread::spawn(move || keep_the_end(stderr, &kept));
        Ok((Self { child: Mutex::new(child), said, _profile: profile }, to, from))
    }

    /// What the browser said last, on one line.
    pub(crate) fn last_words(&self) -> String {
        let said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&said);
        let telling =
            |line: &&str| !line.trim().is_empty() && !line.contains("dbus") && !line.contains("DBus");
        let lines: Vec<&str> = text.lines().filter(telling).collect();
        let words: Vec<&str> = lines.iter().rev().take(3).rev().map(|line| line.trim()).collect();
        words.join(" / ")
    }

    /// Ends everything that the browser started, and the browser.
    pub(crate) fn kill(&self) {
        let mut child = self.child.lock().unwrap_or_else(PoisonError::into_inner);
        #[cfg(unix)]
        if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
            // The group may be gone already.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = child.kill();
        // Reaped, so that nothing is left of it.
        let _ = child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

fn keep_the_end(mut stderr: impl Read, kept: &Mutex<Vec<u8>>) {
    let mut chunk = [0; 1 << 12];
    while let Ok(read) = stderr.read(&mut chunk) {
        if read == 0 {
            return;
        }
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(&chunk[..read]);
        let first = kept.len().saturating_sub(KEPT_BYTES);
        kept.drain(..first);
    }
}

fn arguments(options: &ChromiumOptions, profile: &Path) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = [
        "--headless",
        "--remote-debugging-pipe",
        "--no-startup-window",
        // Nothing of its own: no questions, no updates, no requests that a page did not make.
        "--no-first-run",
        "--no-default-browser-check",
        "--disable-background-networking",
        "--disable-breakpad",
        "--disable-client-side-phishing-detection",
        "--disable-component-update",
        "--disable-default-apps",
        "--disable-extensions",
        "--disable-search-engine-choice-screen",
        "--disable-sync",
        "--metrics-recording-only",
        "--password-store=basic",
        "--use-mock-keychain",
        "--mute-audio",
        // Every page is worked with as if it were in front.
        "--disable-background-timer-throttling",
        "--disable-backgrounding-occluded-windows",
        "--disable-renderer-backgrounding",
        "--disable-hang-monitor",
        "--disable-ipc-flooding-protection",
        // Containers have little shared memory.
        "--disable-dev-shm-usage",
        // The same pixels on every machine: no graphics card, one colour profile, no hinting, no subpixels of a screen, no
        // pictures that are drawn later than the rest, no animated pictures.
        "--disable-gpu",
        "--force-color-profile=srgb",
        "--font-render-hinting=none",
        "--disable-lcd-text",
        "--disable-checker-imaging",
        "--disable-image-animation-resync",
        "--blink-settings=imageAnimationPolicy=2",
        "--hide-scrollbars",
        "--disable-features=Translate,PaintHolding,OptimizationHints,MediaRouter,DialMediaRouteProvider,\
         InterestFeedContentSuggestions,AutofillServerCommunication,HttpsUpgrades",
    ]
    .map(OsString::from)
    .into();
    arguments.push(format!("--lang={}", options.locale).into());
    arguments.push(format!("--accept-lang={}", options.locale).into());
    let mut data = OsString::from("--user-data-dir=");
    data.push(profile);
    arguments.push(data);
    if !options.sandbox.unwrap_or_else(|| !is_root()) {
        arguments.push("--no-sandbox".into());
    }
    arguments.extend(options.arguments.iter().map(OsString::from));
    arguments
}

/// Chromium refuses to set up a sandbox for root.
#[cfg(unix)]
fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

#[cfg(not(unix))]
fn is_root() -> bool {
    false
}
