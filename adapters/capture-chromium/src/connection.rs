//! The pipe to the browser: JSON messages that end with a zero byte, in both directions.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::ChildStdin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use serde::Deserialize;
use serde_json::{Value, json};

/// What comes from the browser for one session.
#[derive(Debug)]
pub(crate) enum Message {
    /// The answer to a command.
    Reply { id: u64, result: Result<Value, String> },
    /// Something happened.
    Event { method: String, params: Value },
}

/// One message as it is written.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Incoming {
    id: Option<u64>,
    session_id: Option<String>,
    method: Option<String>,
    #[serde(default)]
    params: Value,
    #[serde(default)]
    result: Value,
    error: Option<Refusal>,
}

#[derive(Deserialize)]
struct Refusal {
    message: String,
    #[serde(default)]
    data: Option<String>,
}

/// Who waits for what.
#[derive(Debug, Default)]
struct Routes {
    replies: Mutex<HashMap<u64, Sender<Message>>>,
    sessions: Mutex<HashMap<String, Sender<Message>>>,
    is_closed: AtomicBool,
}

/// The pipe to one browser. Everybody may write; one thread reads.
#[derive(Debug)]
pub(crate) struct Connection {
    to: Mutex<ChildStdin>,
    next: AtomicU64,
    routes: Arc<Routes>,
}

/// The other end of the pipe is closed.
#[derive(Debug)]
pub(crate) struct Closed;

impl Connection {
    /// Begins to read `from`, on a thread of its own that ends with the pipe.
    pub(crate) fn new(to: ChildStdin, from: impl Read + Send + 'static) -> Self {
        let routes = Arc::new(Routes::default());
        let reader = Arc::clone(&routes);
        thread::spawn(move || reader.read(from));
        Self { to: Mutex::new(to), next: AtomicU64::new(1), routes }
    }

    /// Whether the browser is gone.
    pub(crate) fn is_closed(&self) -> bool {
        self.routes.is_closed.load(Ordering::Acquire)
    }

    /// Sends the events of a session here from now on.
    pub(crate) fn listen(&self, session: &str, inbox: Sender<Message>) {
        lock(&self.routes.sessions).insert(session.to_owned(), inbox);
    }

    /// Sends the events of a session nowhere any more.
    pub(crate) fn forget(&self, session: &str) {
        lock(&self.routes.sessions).remove(session);
    }

    /// Writes a command, whose reply goes to `inbox`; gives its number.
    pub(crate) fn send(
        &self,
        session: Option<&str>,
        method: &str,
        params: Value,
        inbox: &Sender<Message>,
    ) -> Result<u64, Closed> {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let mut message = json!({ "id": id, "method": method, "params": params });
        if let Some(session) = session {
            message["sessionId"] = session.into();
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        lock(&self.routes.replies).insert(id, inbox.clone());
        let written = {
            let mut to = lock(&self.to);
            to.write_all(&bytes).and_then(|()| to.flush())
        };
        // Whoever waits would wait for ever if the reader had ended before the number was noted.
        if written.is_err() || self.is_closed() {
            lock(&self.routes.replies).remove(&id);
            return Err(Closed);
        }
        Ok(id)
    }
}

impl Routes {
    fn read(&self, from: impl Read) {
        let mut from = BufReader::with_capacity(1 << 16, from);
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            match from.read_until(0, &mut bytes) {
                Ok(read) if read > 0 && bytes.last() == Some(&0) => {}
                // The end, or what cannot be read any further.
                _ => break,
            }
            bytes.pop();
            // A message that we cannot read is none that we wait for.
            if let Ok(incoming) = serde_json::from_slice(&bytes) {
                self.hand_out(incoming);
            }
        }
        self.is_closed.store(true, Ordering::Release);
        // Whoever waits sees that nobody will answer.
        lock(&self.replies).clear();
        lock(&self.sessions).clear();
    }

    fn hand_out(&self, incoming: Incoming) {
        let Incoming { id, session_id, method, params, result, error } = incoming;
        if let Some(id) = id {
            let inbox = lock(&self.replies).remove(&id);
            let result = match error {
                None => Ok(result),
                Some(Refusal { message, data: None }) => Err(message),
                Some(Refusal { message, data: Some(data) }) => Err(format!("{message} ({data})")),
            };
            // Whoever asked may have given up.
            let _gone = inbox.map(|inbox| inbox.send(Message::Reply { id, result }));
        } else if let (Some(session), Some(method)) = (session_id, method) {
            let inbox = lock(&self.sessions).get(&session).cloned();
            let _gone = inbox.map(|inbox| inbox.send(Message::Event { method, params }));
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
