//! The client that questions go through.

use std::sync::Arc;
use std::time::Duration;

use reqwest::redirect;
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::Verifier;
use trueup_contract::FaultKind;
use trueup_ports::Fault;

use crate::model::Model;

/// How long a connection may take to stand.
const CONNECT_LIMIT: Duration = Duration::from_secs(30);

/// A client for one conversation.
pub(crate) fn client(model: &Model) -> Result<reqwest::Client, Fault> {
    let (is_open, is_local) = model.reach();
    let mut builder = reqwest::Client::builder()
        .tls_backend_preconfigured(config(is_open)?)
        .connect_timeout(CONNECT_LIMIT)
        // A header with a key in it would follow a redirection to anybody.
        .redirect(redirect::Policy::none())
        // An answer is a page of text; what is packed can be much more than it looks.
        .gzip(false)
        // The service says when it may be asked again, and whoever drives the loop counts it.
        .retry(reqwest::retry::never())
        .user_agent(concat!("trueup/", env!("CARGO_PKG_VERSION")));
    if is_local {
        // A proxy has another idea of what this machine is.
        builder = builder.no_proxy();
    }
    builder.build().map_err(|error| {
        Fault::new(FaultKind::Unavailable, format!("no connection can be made here: {error}"))
    })
}

fn config(is_open: bool) -> Result<ClientConfig, Fault> {
    let unavailable = |error: rustls::Error| {
        let why = format!(
            "no certificate can be checked here ({error}): install the system's root certificates, or name them in SSL_CERT_FILE"
        );
        Fault::new(FaultKind::Unavailable, why)
    };
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(unavailable)?;
    // An open connection needs no certificates, so that a local server can be asked where there are none.
    Ok(if is_open {
        builder.with_root_certificates(RootCertStore::empty()).with_no_client_auth()
    } else {
        let verifier = Verifier::new(provider).map_err(unavailable)?;
        // The verifier of the system; only the name of the method calls that dangerous.
        builder.dangerous().with_custom_certificate_verifier(Arc::new(verifier)).with_no_client_auth()
    })
}
