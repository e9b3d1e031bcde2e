//! A role that a program plays: the prompt on its standard input, the reply on its standard output.

use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Bytes of a reply that are read.
const AT_MOST: u64 = 1 << 20;

/// Runs the program, and gives what it writes.
pub(super) fn ask(command: &str, prompt: &str, timeout: Duration) -> Result<String, String> {
    let mut words = command.split_whitespace();
    let program = words.next().ok_or("the command is empty")?;
    let mut child = Command::new(program)
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .map_err(|error| format!("{program} cannot be started: {error}"))?;
    let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
    let prompt = prompt.to_owned();
    // A program that does not read its input ends that with its exit, which is no error of its own.
    let writer = thread::spawn(move || stdin.map(|mut stdin| stdin.write_all(prompt.as_bytes())));
    let reader = thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = stdout.map(|stdout| stdout.take(AT_MOST + 1).read_to_end(&mut bytes));
        (bytes, read)
    });
    let start = Instant::now();
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break Ok(status),
            Ok(None) if start.elapsed() > timeout => {
                let _ended = child.kill().and_then(|()| child.wait());
                break Err(format!("{program} did not answer within {} s", timeout.as_secs()));
            }
            Ok(None) => thread::sleep(Duration::from_millis(5)),
            Err(error) => break Err(format!("{program} cannot be waited for: {error}")),
        }
    }?;
    let _written = writer.join();
    let (bytes, _) = reader.join().map_err(|_| format!("the output of {program} cannot be read"))?;
    if !status.success() {
        return Err(format!("{program} failed: {status}"));
    }
    if bytes.len() as u64 > AT_MOST {
        return Err(format!("{program} wrote more than {AT_MOST} bytes"));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
