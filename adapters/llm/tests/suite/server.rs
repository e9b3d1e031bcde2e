//! A server that replays what it was given, one answer a connection.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use serde_json::Value;

/// What the server does with a connection.
#[derive(Debug)]
pub(crate) enum Act {
    /// Answers with a status, headers and a body.
    Answer(u16, Vec<(&'static str, String)>, String),
    /// Says how long its answer is, and closes halfway.
    CutOff(String),
    /// Closes without a word.
    Close,
    /// Never answers.
    Hang,
}

/// A request as it came in.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    /// `POST /v1/messages`
    pub(crate) line: String,
    /// In lower case.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Value,
}

impl Seen {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// A server on this machine.
pub(crate) struct Server {
    port: u16,
    seen: Arc<Mutex<Vec<Seen>>>,
    left: Arc<Mutex<usize>>,
    // Connections that hang do so until it goes.
    _hold: Sender<()>,
}

impl Server {
    pub(crate) fn start(acts: Vec<Act>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (hold, held) = channel();
        let (seen, left) = (Arc::new(Mutex::new(Vec::new())), Arc::new(Mutex::new(acts.len())));
        let (sees, counts) = (Arc::clone(&seen), Arc::clone(&left));
        thread::spawn(move || {
            for act in acts {
                let Ok((stream, _)) = listener.accept() else { return };
                *counts.lock().unwrap() -= 1;
                serve(stream, act, &sees, &held);
            }
        });
        Self { port, seen, left, _hold: hold }
    }

    pub(crate) fn address(&self) -> String {
        format!("http://127.0.0.1:{}/v1", self.port)
    }

    /// What was asked, when everything that was prepared was asked for.
    pub(crate) fn seen(&self) -> Vec<Seen> {
        assert_eq!(*self.left.lock().unwrap(), 0, "questions that never came");
        self.seen.lock().unwrap().clone()
    }
}

fn serve(stream: TcpStream, act: Act, seen: &Mutex<Vec<Seen>>, held: &Receiver<()>) {
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap_or(0) == 0 {
            return;
        }
        match line.trim_end() {
            "" => break,
            line => lines.push(line.to_owned()),
        }
    }
    let headers: Vec<(String, String)> = lines[1..]
        .iter()
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let length = headers.iter().find(|(name, _)| name == "content-length").unwrap().1.parse().unwrap();
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    let line = lines[0].trim_end_matches(" HTTP/1.1").to_owned();
    seen.lock().unwrap().push(Seen { line, headers, body: serde_json::from_slice(&body).unwrap() });
    answer(stream, act, held);
}

fn answer(mut stream: TcpStream, act: Act, held: &Receiver<()>) {
    let head = |status: u16, length: usize| {
        format!("HTTP/1.1 {status} Said\r\ncontent-length: {length}\r\nconnection: close\r\n")
    };
    match act {
        Act::Answer(status, headers, body) => {
            let mut text = head(status, body.len());
            if !headers.iter().any(|(name, _)| *name == "content-type") {
                text.push_str("content-type: application/json\r\n");
            }
            for (name, value) in headers {
                text.push_str(&format!("{name}: {value}\r\n"));
            }
            // Whoever asked may have gone.
            let _ = stream.write_all(format!("{text}\r\n{body}").as_bytes());
        }
        Act::CutOff(body) => {
            let text = head(200, body.len());
            let half = &body[..body.len() / 2];
            let _ =
                stream.write_all(format!("{text}content-type: application/json\r\n\r\n{half}").as_bytes());
        }
        Act::Close => {}
        Act::Hang => {
            let _ = held.recv_timeout(Duration::from_secs(30));
        }
    }
}
