//! Running a child to its end, whatever it does.

use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process_group};
use trueup_contract::FaultKind;
use trueup_ports::{Cx, Fault};

use crate::exchange::Finished;
use crate::program::Program;
use crate::redact::redact;

/// How long to wait for something to happen before it is seen whether the call is called off.
const TICK: Timespec = Timespec { tv_sec: 0, tv_nsec: 20_000_000 };
/// How long pipes are read after the child has ended: a grandchild may hold them open for ever.
const GRACE: Duration = Duration::from_millis(300);
/// Bytes at the end of standard error that are kept.
const KEPT_BYTES: usize = 16 << 10;
/// Exit codes with a meaning of their own, as in sysexits.
const UNAVAILABLE: i32 = 69;
const TEMPORARY_FAILURE: i32 = 75;

/// Runs the program in `folder` with `input` on its standard input.
pub(crate) fn run(program: &Program, folder: &Path, input: &[u8], cx: &Cx) -> Result<Finished, Fault> {
    let environment = program.environment();
    let mut command = Command::new(program.executable());
    command
        .args(program.resolved_arguments())
        .current_dir(folder)
        .env_clear()
        .envs(environment.iter().map(|(name, value)| (name, value)))
        .env("TRUEUP_HOME", program.home())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        // A group of its own, so that everything that it starts can be ended with it.
        .process_group(0);
    let child = command.spawn().map_err(|error| not_started(program, &error))?;
    let mut running =
        Running::new(child, input, program.max_reply_bytes).map_err(|error| broken(program, error))?;
    let end = running.talk(program, cx);
    running.kill();
    let stderr = redact(&String::from_utf8_lossy(&running.stderr), &environment);
    let said = last_words(&stderr);
    let name = program.name();
    match end.map_err(|error| broken(program, error))? {
        End::Exited(status) if status.success() => {
            Ok(Finished { reply: std::mem::take(&mut running.stdout), environment })
        }
        End::Exited(status) => {
            let (kind, how) = match (status.code(), status.signal()) {
                (Some(TEMPORARY_FAILURE), _) => {
                    (FaultKind::Transient, "exited with 75, try again later".to_owned())
                }
                (Some(UNAVAILABLE), _) => {
                    (FaultKind::Unavailable, "exited with 69, it cannot work here".to_owned())
                }
                (Some(code), _) => (FaultKind::Rejected, format!("exited with {code}")),
                (None, signal) => {
                    (FaultKind::Transient, format!("was killed by signal {}", signal.unwrap_or(0)))
                }
            };
            Err(Fault::new(kind, format!("{name} {how}{said}")))
        }
        End::TimedOut => Err(Fault::new(FaultKind::TimedOut, format!("{name} did not answer in time{said}"))),
        End::Cancelled => Err(Fault::cancelled()),
        End::Flooded => {
            let why = format!("{name} printed more than {} bytes{said}", program.max_reply_bytes);
            Err(Fault::new(FaultKind::Rejected, why))
        }
    }
}

fn not_started(program: &Program, error: &io::Error) -> Fault {
    let name = program.command.display();
    let what_to_do = match error.kind() {
        io::ErrorKind::NotFound => "is not there: install it, or correct the command",
        io::ErrorKind::PermissionDenied => {
            "may not be run: make it executable, or name its interpreter first"
        }
        io::ErrorKind::InvalidInput | io::ErrorKind::ExecutableFileBusy => {
            "cannot be started as it is: correct the command"
        }
        _ if error.raw_os_error() == Some(rustix::io::Errno::NOEXEC.raw_os_error()) => {
            "is no program: name its interpreter first"
        }
        _ => return Fault::new(FaultKind::Transient, format!("{name} could not be started: {error}")),
    };
    Fault::new(FaultKind::Unavailable, format!("{name} {what_to_do}"))
}

fn broken(program: &Program, error: io::Error) -> Fault {
    Fault::new(FaultKind::Transient, format!("{} could not be talked to", program.name())).with_source(error)
}

/// The end of what was said on standard error, for a message.
fn last_words(stderr: &str) -> String {
    let text = stderr.trim();
    if text.is_empty() {
        return String::new();
    }
    let lines: Vec<&str> = text.lines().rev().take(5).collect();
    let lines: Vec<&str> = lines.into_iter().rev().map(str::trim_end).collect();
    let mut said = lines.join(" / ");
    if let Some((at, _)) = said.char_indices().nth(600) {
        said.truncate(at);
        said.push('…');
    }
    format!("; it said: {said}")
}

enum End {
    Exited(ExitStatus),
    TimedOut,
    Cancelled,
    Flooded,
}

/// A child and the ends of its pipes that are still open.
struct Running<'i> {
    child: Child,
    group: Option<Pid>,
    stdin: Option<ChildStdin>,
    input: &'i [u8],
    out: Option<ChildStdout>,
    err: Option<ChildStderr>,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
    max_reply_bytes: usize,
}

impl<'i> Running<'i> {
    fn new(mut child: Child, input: &'i [u8], max_reply_bytes: usize) -> io::Result<Self> {
        let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        let (stdin, out, err) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let running = Self {
            child,
            group,
            stdin,
            input,
            out,
            err,
            stdout: Vec::new(),
            stderr: Vec::new(),
            max_reply_bytes,
        };
        for end in [
            running.stdin.as_ref().map(AsFd::as_fd),
            running.out.as_ref().map(AsFd::as_fd),
            running.err.as_ref().map(AsFd::as_fd),
        ]
        .into_iter()
        .flatten()
        {
            rustix::io::ioctl_fionbio(end, true)?;
        }
        Ok(running)
    }

    /// Talks to the child until it ends or has to be ended.
    fn talk(&mut self, program: &Program, cx: &Cx) -> io::Result<End> {
        let began = Instant::now();
        let mut ended: Option<(ExitStatus, Instant)> = None;
        loop {
            if cx.is_cancelled() {
                return Ok(if cx.time_left().is_some_and(|left| left.is_zero()) {
                    End::TimedOut
                } else {
                    End::Cancelled
                });
            }
            if began.elapsed() >= program.time_limit {
                return Ok(End::TimedOut);
            }
            self.wait()?;
            self.feed();
            self.read()?;
            if self.stdout.len() > self.max_reply_bytes {
                return Ok(End::Flooded);
            }
            if ended.is_none() {
                ended = self.child.try_wait()?.map(|status| (status, Instant::now()));
            }
            if let Some((status, at)) = ended
                && ((self.out.is_none() && self.err.is_none()) || at.elapsed() >= GRACE)
            {
                return Ok(End::Exited(status));
            }
        }
    }

    /// Waits until a pipe is ready, or for a moment.
    fn wait(&self) -> io::Result<()> {
        let mut ends: Vec<PollFd<'_>> = Vec::new();
        if !self.input.is_empty()
            && let Some(stdin) = &self.stdin
        {
            ends.push(PollFd::new(stdin, PollFlags::OUT));
        }
        ends.extend(self.out.as_ref().map(|out| PollFd::new(out, PollFlags::IN)));
        ends.extend(self.err.as_ref().map(|err| PollFd::new(err, PollFlags::IN)));
        match poll(&mut ends, Some(&TICK)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Writes what the child takes of its input. A child that does not want it may close its end.
    fn feed(&mut self) {
        let Some(stdin) = &mut self.stdin else { return };
        while !self.input.is_empty() {
            match stdin.write(self.input) {
                Ok(0) => break,
                Ok(written) => self.input = &self.input[written..],
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
        // Everything is written, or nobody listens: the child sees the end.
        self.stdin = None;
    }

    fn read(&mut self) -> io::Result<()> {
        if let Some(out) = &mut self.out
            && take(out, &mut self.stdout, self.max_reply_bytes)?
        {
            self.out = None;
        }
        if let Some(err) = &mut self.err {
            let over = take(err, &mut self.stderr, usize::MAX)?;
            // Only its end is kept.
            let first = self.stderr.len().saturating_sub(KEPT_BYTES);
            self.stderr.drain(..first);
            if over {
                self.err = None;
            }
        }
        Ok(())
    }

    /// Ends everything that the child started, and the child.
    fn kill(&mut self) {
        if let Some(group) = self.group {
            // The group may be gone already.
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = self.child.kill();
        // Reaped, so that nothing is left of it.
        let _ = self.child.wait();
    }
}

/// Reads what is there, a little more than `at_most` bytes in all; whether the other end is closed.
fn take(from: &mut impl Read, into: &mut Vec<u8>, at_most: usize) -> io::Result<bool> {
    let mut chunk = [0; 1 << 16];
    // So many times, so that a child which never stops printing does not keep us here.
    for _ in 0..16 {
        match from.read(&mut chunk) {
            Ok(0) => return Ok(true),
            Ok(read) => into.extend_from_slice(&chunk[..read]),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(false),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
        if into.len() > at_most {
            break;
        }
    }
    Ok(false)
}
