//! Whether a picture is shown, and in which protocol.

use super::protocol::Protocol;

/// Whether a picture of the difference is shown in the terminal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Preview {
    /// It is not.
    #[default]
    Off,
    /// Where standard output is a terminal that says of itself that it can.
    Auto,
    /// By the graphics protocol of kitty, whatever standard output is; Ghostty and Konsole know it, too.
    Kitty,
    /// By inline images as in iTerm2, whatever standard output is; WezTerm and mintty know them, too.
    Iterm,
    /// As sixels, whatever standard output is; foot, mlterm and contour know them.
    Sixel,
}

/// The protocol of the terminal that sets these variables; `None` where none of them says so.
///
/// A multiplexer in between passes no picture on unless it is told to, and takes the place of the terminal in `TERM`.
pub(super) fn protocol_of(variable: impl Fn(&str) -> Option<String>) -> Option<Protocol> {
    let get = |name: &str| variable(name).filter(|value| !value.is_empty());
    let (term, program) =
        (get("TERM").unwrap_or_default(), get("TERM_PROGRAM").unwrap_or_default().to_lowercase());
    let is = |names: &[&str]| names.contains(&program.as_str());
    if get("TMUX").is_some() || get("STY").is_some() || term.starts_with("tmux") || term.starts_with("screen")
    {
        return None;
    }
    // Konsole has kitty's protocol since 22.04.
    let is_konsole = get("KONSOLE_VERSION")
        .and_then(|version| version.parse::<u32>().ok())
        .is_some_and(|version| version >= 220_400);
    if get("KITTY_WINDOW_ID").is_some()
        || ["xterm-kitty", "xterm-ghostty"].contains(&term.as_str())
        || is(&["ghostty"])
        || is_konsole
    {
        return Some(Protocol::Kitty);
    }
    // LC_TERMINAL is what iTerm2 hands on to the other end of a connection.
    if is(&["iterm.app", "wezterm", "mintty"]) || get("LC_TERMINAL").is_some_and(|name| name == "iTerm2") {
        return Some(Protocol::Iterm);
    }
    let is_sixel = term.contains("sixel") || ["foot", "mlterm"].iter().any(|name| term.starts_with(name));
    (is_sixel || is(&["contour"])).then_some(Protocol::Sixel)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminals_are_known_by_what_they_say_of_themselves() {
        for (variables, known) in [
            (&[("TERM", "xterm-kitty")][..], Some(Protocol::Kitty)),
            (&[("TERM", "xterm-256color"), ("KITTY_WINDOW_ID", "1")], Some(Protocol::Kitty)),
            (&[("TERM", "xterm-256color"), ("TERM_PROGRAM", "ghostty")], Some(Protocol::Kitty)),
            (&[("KONSOLE_VERSION", "230800")], Some(Protocol::Kitty)),
            (&[("KONSOLE_VERSION", "210400")], None),
            (&[("TERM_PROGRAM", "iTerm.app")], Some(Protocol::Iterm)),
            (&[("TERM", "xterm-256color"), ("LC_TERMINAL", "iTerm2")], Some(Protocol::Iterm)),
            (&[("TERM_PROGRAM", "WezTerm")], Some(Protocol::Iterm)),
            (&[("TERM", "foot")], Some(Protocol::Sixel)),
            (&[("TERM", "xterm-sixel")], Some(Protocol::Sixel)),
            (&[("TERM", "xterm-256color")], None),
            (&[("TERM", "dumb")], None),
            (&[], None),
            // Something stands between.
            (&[("TERM", "xterm-kitty"), ("TMUX", "/tmp/tmux-0/default,1,0")], None),
            (&[("TERM", "screen-256color"), ("KITTY_WINDOW_ID", "1")], None),
            (&[("TERM", "xterm-kitty"), ("TMUX", "")], Some(Protocol::Kitty)),
        ] {
            let get = |name: &str| {
                variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
            };
            assert_eq!(protocol_of(get), known, "{variables:?}");
        }
    }
}
