//! Ctrl-C.

use std::io;

use trueup_ports::CancelToken;

use crate::output::error_line;

/// A token that Ctrl-C raises: the run then ends as cancelled, in its best state. A second Ctrl-C ends the process at once;
/// the run can be resumed all the same.
pub(crate) fn token() -> io::Result<CancelToken> {
    let token = CancelToken::new();
    let raised = token.clone();
    ctrlc::set_handler(move || {
        if raised.is_cancelled() {
            std::process::exit(130);
        }
        error_line("stopping; press Ctrl-C again to leave at once");
        raised.cancel();
    })
    .map_err(io::Error::other)?;
    Ok(token)
}
