//! A session of the protocol: commands, and what is known from events meanwhile.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use trueup_ports::Cx;

use crate::connection::{Connection, Message};
use crate::error::{BrowserError, BrowserErrorKind};
use crate::watch::Watch;

/// How long nothing may come before it is seen whether the work is called off or the browser is gone.
const TICK: Duration = Duration::from_millis(20);

/// Until when something may take: the call's own end, or a limit inside it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limit<'c> {
    cx: &'c Cx,
    ends: Option<Instant>,
}

impl<'c> Limit<'c> {
    pub(crate) const fn of(cx: &'c Cx) -> Self {
        Self { cx, ends: None }
    }

    /// The limit, with an end at most so far from now.
    pub(crate) fn within(self, time: Duration) -> Self {
        let ends = Instant::now() + time;
        Self { ends: Some(self.ends.map_or(ends, |own| own.min(ends))), ..self }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.ends.is_some_and(|ends| Instant::now() >= ends)
    }

    /// An error when the work is called off or took too long.
    pub(crate) fn check(&self, what: &str) -> Result<(), BrowserError> {
        if self.cx.is_cancelled() {
            return Err(if self.cx.time_left().is_some_and(|left| left.is_zero()) {
                BrowserError::timed_out(what)
            } else {
                BrowserError::new(BrowserErrorKind::Cancelled)
            });
        }
        if self.is_over() { Err(BrowserError::timed_out(what)) } else { Ok(()) }
    }
}

/// A command that was sent.
#[derive(Debug)]
#[must_use]
pub(crate) struct Sent {
    id: u64,
    method: &'static str,
}

/// One page's, or with no name the browser's, side of the connection.
#[derive(Debug)]
pub(crate) struct Session {
    connection: Arc<Connection>,
    name: Option<String>,
    to: Sender<Message>,
    inbox: Receiver<Message>,
    replies: HashMap<u64, Result<Value, String>>,
    pub(crate) watch: Watch,
}

impl Session {
    /// The browser's own.
    pub(crate) fn of_browser(connection: Arc<Connection>) -> Self {
        Self::new(connection, None, String::new())
    }

    /// That of a page, whose main frame is `frame`.
    pub(crate) fn of_page(connection: Arc<Connection>, name: String, frame: String) -> Self {
        Self::new(connection, Some(name), frame)
    }

    fn new(connection: Arc<Connection>, name: Option<String>, frame: String) -> Self {
        let (to, inbox) = channel();
        if let Some(name) = &name {
            connection.listen(name, to.clone());
        }
        Self { connection, name, to, inbox, replies: HashMap::new(), watch: Watch::new(frame) }
    }

    /// Sends a command, and does not wait for its reply.
    pub(crate) fn send(&mut self, method: &'static str, params: Value) -> Result<Sent, BrowserError> {
        let id = self.connection.send(self.name.as_deref(), method, params, &self.to);
        let id = id.map_err(|_| BrowserError::gone("the browser is gone"))?;
        Ok(Sent { id, method })
    }

    /// Waits for the reply to a command.
    pub(crate) fn reply(&mut self, sent: Sent, limit: Limit<'_>) -> Result<Value, BrowserError> {
        loop {
            if let Some(result) = self.replies.remove(&sent.id) {
                return result.map_err(|why| BrowserError::refused(sent.method, why));
            }
            self.hear(TICK)?;
            limit.check(sent.method)?;
        }
    }

    /// Sends a command and waits for its reply.
    pub(crate) fn call(
        &mut self,
        method: &'static str,
        params: Value,
        limit: Limit<'_>,
    ) -> Result<Value, BrowserError> {
        let sent = self.send(method, params)?;
        self.reply(sent, limit)
    }

    /// Takes in what has come, waiting so long at most for the first of it.
    pub(crate) fn hear(&mut self, time: Duration) -> Result<(), BrowserError> {
        match self.inbox.recv_timeout(time) {
            Ok(message) => self.take(message)?,
            Err(RecvTimeoutError::Timeout) if self.connection.is_closed() => {
                return Err(BrowserError::gone("the browser is gone"));
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => unreachable!("the session holds a sender itself"),
        }
        while let Ok(message) = self.inbox.try_recv() {
            self.take(message)?;
        }
        if self.watch.is_crashed() {
            return Err(BrowserError::gone("the process of the page is gone"));
        }
        Ok(())
    }

    /// Takes in what comes for so long.
    pub(crate) fn pause(&mut self, time: Duration, limit: Limit<'_>) -> Result<(), BrowserError> {
        let ends = Instant::now() + time;
        loop {
            let left = ends.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(());
            }
            self.hear(left.min(TICK))?;
            limit.check("waiting")?;
        }
    }

    fn take(&mut self, message: Message) -> Result<(), BrowserError> {
        match message {
            Message::Reply { id, result } => {
                self.replies.insert(id, result);
            }
            Message::Event { method, params } if method == "Page.javascriptDialogOpening" => {
                // Nobody is there to answer; leaving a page is always allowed.
                let accept = params["type"] == "beforeunload";
                self.watch.asked();
                let _answered = self.send("Page.handleJavaScriptDialog", json!({ "accept": accept }))?;
            }
            Message::Event { method, params } => self.watch.take(&method, params),
        }
        Ok(())
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if let Some(name) = &self.name {
            self.connection.forget(name);
        }
    }
}
