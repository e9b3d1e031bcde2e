//! A server of a few pages.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// Answers with the same few pages until the test ends; everything else is not found.
pub(crate) struct Server {
    at: String,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Pages by path, status and text.
    pub(crate) fn start(pages: &[(&str, u16, &str)]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let at = format!("http://{}", listener.local_addr().unwrap());
        let pages: Vec<(String, u16, String)> = pages
            .iter()
            .map(|(path, status, text)| ((*path).to_owned(), *status, (*text).to_owned()))
            .collect();
        let (asked, pages) = (Arc::<Mutex<Vec<String>>>::default(), Arc::new(pages));
        let noted = Arc::clone(&asked);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (pages, noted) = (Arc::clone(&pages), Arc::clone(&noted));
                thread::spawn(move || answer(stream, &pages, &noted));
            }
        });
        Self { at, asked }
    }

    pub(crate) fn address(&self, path: &str) -> String {
        format!("{}{path}", self.at)
    }

    /// How often something was asked for, such as `GET /`.
    pub(crate) fn asked(&self, what: &str) -> usize {
        self.asked.lock().unwrap().iter().filter(|asked| *asked == what).count()
    }
}

fn answer(stream: TcpStream, pages: &[(String, u16, String)], noted: &Mutex<Vec<String>>) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut first = String::new();
    reader.read_line(&mut first).ok()?;
    let (mut length, mut line) = (0, String::new());
    while reader.read_line(&mut line).ok()? > 2 {
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
        line.clear();
    }
    reader.take(length).read_to_end(&mut Vec::new()).ok()?;
    let mut words = first.split(' ');
    let (method, target) = (words.next()?, words.next()?);
    noted.lock().unwrap().push(format!("{method} {target}"));
    let path = target.split('?').next()?;
    let found = pages.iter().find(|(known, ..)| known == path);
    let (status, text) = found.map_or((404, "Not found"), |(_, status, text)| (*status, text.as_str()));
    let kind = match path.rsplit_once('.') {
        Some((_, "svg")) => "image/svg+xml",
        Some((_, "css")) => "text/css",
        _ => "text/html",
    };
    let mut stream = stream;
    write!(
        stream,
        "HTTP/1.1 {status} Status\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{text}",
        text.len()
    )
    .ok()
}
