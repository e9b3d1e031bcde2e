//! Routes, parts of pages, and browsers that die.

use std::fs;
use std::process::Command;
use std::time::Duration;

use trueup_capture_chromium::{Area, Screen, Step};
use trueup_contract::FaultKind;
use trueup_frame::Rect;
use trueup_ports::Capturer;
use trueup_testkit::block_on;

use crate::server::Server;
use crate::support::*;

const APP: &str = r##"<!doctype html><style>
    body { margin: 0; background: #fff } #menu { width: 100px; height: 50px; border: 0 }
    #panel { height: 100px; background: rgb(0, 0, 255); display: none } #panel.open { display: block }
    #late { margin-top: 1500px; height: 40px; background: rgb(0, 128, 0) }
  </style>
  <button id="menu">Menu</button><div id="panel"></div>
  <form action="#found"><input id="find" value="old"></form><p id="said"></p>
  <div id="late"></div>
  <script>
    document.querySelector(`#menu`).onclick = () => setTimeout(() => document.querySelector(`#panel`).classList.add(`open`), 100);
    document.querySelector(`#find`).oninput = (event) => { document.querySelector(`#said`).textContent = event.target.value; };
    document.querySelector(`form`).onsubmit = (event) => { event.preventDefault(); location.hash = `found`; };
  </script>"##;

#[test]
fn a_route_leads_to_its_screen_again_and_again() {
    let Some(site) = site(&[("app.html", APP)]) else { return };
    let steps =
        [Step::click("#menu"), Step::type_text("#find", "lamp"), Step::press("Enter"), Step::scroll("#late")];
    let routes = site.path().join("routes");
    let capturer = || {
        site.capturer_with(options().with_styles())
            .with_screen(name("menu"), Screen::default().with_route(steps.clone()))
            .with_routes(&routes)
    };
    let labels = [label("menu", "app.html", "400x300")];
    let capturer_one = capturer();
    let first = capture(&capturer_one, &labels).remove(0);
    let shown: Vec<&str> = first.elements.iter().map(|element| element.selector.as_str()).collect();
    assert!(shown.contains(&"#late") && !shown.contains(&"#menu"), "it is scrolled: {shown:?}");
    let recipe = fs::read_to_string(routes.join("menu.json")).unwrap();
    for part in ["trueup.route/1", "\"settle_ms\": 300", "\"arrives_at\": \"app.html#found\"", "lamp"] {
        assert!(recipe.contains(part), "{part}: {recipe}");
    }
    assert!(!recipe.contains(site.path().to_str().unwrap()), "no address of this machine is kept: {recipe}");

    // After a restart, and in another process, the same steps lead to the same picture, and the recipe stays as it is.
    block_on(capturer_one.recover(1, &cx())).unwrap();
    assert!(png(&capture(&capturer_one, &labels)[0]) == png(&first));
    drop(capturer_one);
    assert!(png(&capture(&capturer(), &labels)[0]) == png(&first));
    assert_eq!(fs::read_to_string(routes.join("menu.json")).unwrap(), recipe);

    // Where it leads elsewhere, the capture fails; where the route itself is another one, it is recorded anew.
    fs::write(site.path().join("app.html"), APP.replace("= `found`", "= `lost`")).unwrap();
    let fault = try_capture(&capturer(), &labels).unwrap_err();
    assert_eq!(fault.kind(), FaultKind::Rejected);
    assert!(fault.to_string().contains("leads to app.html#lost, and led to app.html#found"), "{fault}");
    let shorter = Screen::default().with_route([Step::click("#menu")]);
    let other = site.capturer().with_screen(name("menu"), shorter).with_routes(&routes);
    capture(&other, &labels);
    assert_ne!(fs::read_to_string(routes.join("menu.json")).unwrap(), recipe);
}

#[test]
fn what_a_route_does_is_seen_once_it_has_settled() {
    let Some(site) = site(&[("app.html", APP)]) else { return };
    let opened = Screen::default().with_route([Step::click("#menu"), Step::type_text("#find", "lamp")]);
    let shot = capture_screen(&site, "app.html", "400x300", opened).unwrap();
    assert_eq!(element(&shot, "#panel").area, Rect::new(0, 50, 400, 100));
    assert!(shot.elements.iter().any(|element| element.selector == "#said"), "what was typed is said");
    let (width, _, pixels) = picture(&shot);
    assert_eq!(pixels[usize::try_from(width).unwrap() * 100 + 200], [0, 0, 255]);
}

#[test]
fn a_missed_step_is_a_failed_capture_that_names_it() {
    let covered = r#"<button id="under">A</button><div id="over" style="position: fixed; inset: 0"></div>"#;
    let Some(site) = site(&[("app.html", APP), ("covered.html", covered)]) else { return };
    for (page, step, said) in [
        ("app.html", Step::click("#gone"), "step 2 of the route: no element #gone to click"),
        ("app.html", Step::type_text("#panel", "x"), "#panel takes no text"),
        ("app.html", Step::press("F13"), "\"F13\" is no key"),
        ("app.html", Step::scroll("##"), "\"##\" is no CSS selector"),
        ("covered.html", Step::click("#under"), "#under is covered by #over"),
    ] {
        let first = if page == "app.html" { Step::scroll("#menu") } else { Step::scroll("#over") };
        let screen = Screen::default().with_route([first, step]).with_settle(Duration::from_millis(10));
        let fault = capture_screen(&site, page, "400x300", screen).unwrap_err();
        assert_eq!(fault.kind(), FaultKind::Rejected, "{fault}");
        assert!(fault.to_string().contains(said), "{said}: {fault}");
    }
}

#[test]
fn parts_of_a_page_are_captured_to_the_pixel() {
    let Some(site) = site(&[("app.html", APP)]) else { return };
    let size = |screen: Screen| {
        let (width, height, pixels) =
            picture(&capture_screen(&site, "app.html", "400x300@2", screen).unwrap());
        (width, height, pixels)
    };
    let (width, height, pixels) = size(Screen::default().with_area(Area::Element("#late".to_owned())));
    assert_eq!((width, height), (800, 80));
    assert!(pixels.iter().all(|pixel| *pixel == [0, 128, 0]), "it, and nothing around it");
    let (width, height, pixels) = size(Screen::default().with_area(Area::FullPage));
    assert_eq!(width, 800);
    assert!(height > 3_000, "{height}");
    assert_eq!(pixels.last(), Some(&[0, 128, 0]));
    let (width, height, _) = size(Screen::default().with_area(Area::Clip([10.0, 20.0, 30.0, 40.0])));
    assert_eq!((width, height), (60, 80));
    let fault = capture_screen(
        &site,
        "app.html",
        "400x300",
        Screen::default().with_area(Area::Element("#no".to_owned())),
    );
    assert!(fault.unwrap_err().to_string().contains("no element #no to capture"));
    let fault = capture_screen(
        &site,
        "app.html",
        "400x300",
        Screen::default().with_area(Area::Clip([0.0, 0.0, 20_000.0, 9.0])),
    );
    assert!(fault.unwrap_err().to_string().contains("20000×9 device pixels"));
}

#[test]
fn what_loads_once_it_is_in_view_is_there_on_a_full_page() {
    let lazy = r#"<!doctype html><body style="margin: 0"><div style="height: 3000px"></div>
      <img id="lazy" loading="lazy" src="/dot.svg" width="100" height="100">
      <div id="seen" style="height: 100px"></div>
      <script>new IntersectionObserver(([entry]) => {
        if (entry.isIntersecting) entry.target.style.background = `rgb(1, 2, 3)`;
      }).observe(document.querySelector(`#seen`));</script>"#;
    let dot = r#"<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><rect width="10" height="10" fill="rgb(255, 0, 0)"/></svg>"#;
    let Some(site) = site(&[]) else { return };
    let server = Server::start(&[("/", 200, lazy), ("/dot.svg", 200, dot)]);
    let screen = Screen::default().with_area(Area::FullPage).with_wait("#seen");
    let shot = capture_screen(&site, &server.address("/"), "400x300", screen).unwrap();
    let (width, _, pixels) = picture(&shot);
    let at = |x: usize, y: usize| pixels[usize::try_from(width).unwrap() * y + x];
    assert_eq!(at(50, 3_050), [255, 0, 0], "the picture");
    assert_eq!(at(50, 3_150), [1, 2, 3], "what a script shows");
    let never = Screen::default().with_wait("#never");
    let capturer = site
        .capturer_with(options().with_load_limit(Duration::from_secs(2)))
        .with_screen(name("page"), never);
    let fault = try_capture(&capturer, &[label("page", &server.address("/"), "400x300")]).unwrap_err();
    assert!(fault.to_string().contains("no element #never to wait for"), "{fault}");
}

#[test]
fn a_page_is_loaded_anew_even_where_its_address_names_a_place_in_it() {
    let counting = "<!doctype html><body><p id=end>End</p>\
      <script>document.body.append(sessionStorage.n ? `again` : `first`); sessionStorage.n = 1;</script>";
    let Some(site) = site(&[("page.html", counting)]) else { return };
    let capturer = site.capturer();
    let labels = [label("page", "page.html#end", "400x300")];
    let first = capture(&capturer, &labels).remove(0);
    assert!(png(&capture(&capturer, &labels)[0]) == png(&first));
}

#[test]
fn a_browser_that_dies_is_lost_until_it_is_recovered() {
    let Some(site) = site(&[("app.html", "<p>A")]) else { return };
    let capturer = site.capturer();
    let labels = [label("page", "app.html", "100x100")];
    let first = capture(&capturer, &labels).remove(0);
    let own = std::process::id().to_string();
    let listed = Command::new("ps").args(["-A", "-o", "pid=,ppid="]).output().unwrap();
    let listed = String::from_utf8(listed.stdout).unwrap();
    let pairs = listed.lines().filter_map(|line| line.trim().split_once(' '));
    let browsers: Vec<&str> = pairs.filter(|(_, of)| of.trim() == own).map(|(pid, _)| pid).collect();
    // The other child is `ps`, which has ended.
    assert!(
        Command::new("kill")
            .arg("-KILL")
            .args(&browsers)
            .stderr(std::process::Stdio::null())
            .status()
            .is_ok()
    );
    for _ in 0..2 {
        let fault = try_capture(&capturer, &labels).unwrap_err();
        assert_eq!(fault.kind(), FaultKind::Lost, "{fault}");
    }
    block_on(capturer.recover(1, &cx())).unwrap();
    assert!(png(&capture(&capturer, &labels)[0]) == png(&first));
}
