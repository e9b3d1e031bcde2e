//! One guarded call of a port: cancellation, time limit, panic.

use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::{Either, select};
use trueup_contract::FaultKind;
use trueup_ports::{Cx, Fault};

/// How often a call looks at its token. The token is a plain flag that wakes nobody.
const GLANCE: Duration = Duration::from_millis(20);

/// How long a port may take to notice that it should stop, before its future is dropped.
const GRACE: Duration = Duration::from_millis(500);

/// Drives a call to its end, unless it is called off, takes too long or panics: each of which is a fault.
pub(crate) async fn guarded<T>(cx: &Cx, call: impl Future<Output = Result<T, Fault>>) -> Result<T, Fault> {
    let result = watched(cx, call).await;
    if let Some(wait) = result.as_ref().err().and_then(Fault::retry_after) {
        cx.note_wait(wait);
    }
    result
}

async fn watched<T>(cx: &Cx, call: impl Future<Output = Result<T, Fault>>) -> Result<T, Fault> {
    let mut call = pin!(AssertUnwindSafe(call).catch_unwind());
    let mut stopped_at = None;
    loop {
        let nap = cx.time_left().map_or(GLANCE, |left| left.clamp(Duration::from_millis(1), GLANCE));
        match select(call.as_mut(), pin!(cx.runtime().sleep(nap))).await {
            Either::Left((Ok(result), _)) => return result,
            Either::Left((Err(payload), _)) => return Err(panicked(payload.as_ref())),
            Either::Right(_) if !cx.is_cancelled() => {}
            Either::Right(_) => {
                let now = cx.runtime().now();
                let since = *stopped_at.get_or_insert(now);
                if now.saturating_sub(since) >= GRACE {
                    return Err(given_up(cx));
                }
            }
        }
    }
}

fn given_up(cx: &Cx) -> Fault {
    if cx.time_left().is_some_and(|left| left.is_zero()) {
        Fault::new(FaultKind::TimedOut, "it did not answer within its time limit")
    } else {
        Fault::cancelled()
    }
}

fn panicked(payload: &(dyn std::any::Any + Send)) -> Fault {
    let text =
        payload.downcast_ref::<&str>().copied().or(payload.downcast_ref::<String>().map(String::as_str));
    Fault::new(FaultKind::Panicked, format!("it panicked: {}", text.unwrap_or("without a message")))
}
