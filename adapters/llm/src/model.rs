//! Who is asked, and how far that may go.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use genai::adapter::AdapterKind;
use reqwest::Url;
use trueup_contract::FaultKind;
use trueup_ports::Fault;

use crate::secret::Secret;
use crate::{ModelError, ModelErrorKind, Prices};

/// Where Ollama listens unless it is told otherwise.
const OLLAMA: &str = "http://localhost:11434/v1/";

/// Providers that can be put before a name. Each needs a key and nothing else; every other one has an endpoint.
const PROVIDERS: [&str; 12] = [
    "anthropic",
    "openai",
    "openai_resp",
    "gemini",
    "ollama",
    "open_router",
    "groq",
    "mistral",
    "deepseek",
    "xai",
    "together",
    "fireworks",
];

type Lookup = dyn Fn(&str) -> Option<String> + Send + Sync;

/// A model at a provider, and how far asking it may go.
#[derive(Clone)]
pub struct Model {
    provider: &'static str,
    kind: AdapterKind,
    name: String,
    /// The base of the address, with a slash at its end.
    endpoint: Option<Url>,
    variable: Option<String>,
    lookup: Arc<Lookup>,
    pub(crate) time_limit: Duration,
    pub(crate) max_tokens: Option<u32>,
    pub(crate) reasks: u32,
    pub(crate) prices: Option<Prices>,
    /// Set once a server has said that it cannot hold a model to a schema.
    schema_refused: Arc<AtomicBool>,
}

impl Model {
    /// The model `name` at its provider: known by its name for `claude-…`, `gpt-…`, `o3…`, `chatgpt-…` and `gemini-…`, or put before it, as
    /// in `ollama::llava` or `open_router::qwen/qwen3-vl`.
    ///
    /// # Errors
    /// When nobody can tell whose the model is.
    pub fn new(name: &str) -> Result<Self, ModelError> {
        let (provider, name) = split(name)?;
        let provider = match provider {
            Some(provider) => provider,
            None => provider_of(&name).ok_or_else(|| unknown(&name))?,
        };
        Ok(Self::of(provider, name))
    }

    /// The model `name` at a server of your own, or at a gateway. The server speaks OpenAI's form (`/chat/completions` below `endpoint`),
    /// unless another provider is put before the name, as in `anthropic::claude-…`. No key is sent unless
    /// [`with_key_variable`](Self::with_key_variable) names one: the key of a provider is for that provider.
    ///
    /// # Errors
    /// When the endpoint is no address that a server can have.
    pub fn at(endpoint: &str, name: &str) -> Result<Self, ModelError> {
        let (provider, name) = split(name)?;
        let mut model = Self::of(provider.unwrap_or("openai"), name);
        if provider.is_none() {
            // The name of a model at a gateway says nothing of the form that the gateway speaks.
            model.kind = AdapterKind::OpenAI;
        }
        let mut endpoint = base(endpoint)?;
        if model.provider == "ollama" && endpoint.path() == "/" {
            endpoint.set_path("/v1/");
        }
        Ok(Self { endpoint: Some(endpoint), ..model })
    }

    fn of(provider: &'static str, name: String) -> Self {
        let kind = match provider {
            // Ollama holds a model to a schema only in this form.
            "ollama" => AdapterKind::OpenAI,
            // Newer ones of OpenAI are reached in another way, and the name says which.
            "openai" => match AdapterKind::from_model(&name) {
                Ok(AdapterKind::OpenAIResp) => AdapterKind::OpenAIResp,
                _ => AdapterKind::OpenAI,
            },
            other => AdapterKind::from_lower_str(other).unwrap_or(AdapterKind::OpenAI),
        };
        Self {
            provider,
            kind,
            name,
            endpoint: None,
            variable: None,
            lookup: Arc::new(|name| std::env::var(name).ok()),
            // A model that looks at pictures and thinks takes a minute or two, one on a small machine many.
            time_limit: Duration::from_secs(600),
            max_tokens: None,
            // Who answers in the wrong form twice after being told does so a third time.
            reasks: 2,
            prices: None,
            schema_refused: Arc::default(),
        }
    }

    /// The model with the name of the variable that holds its key, by default the usual one of the provider, such as
    /// `ANTHROPIC_API_KEY`.
    ///
    /// # Errors
    /// When no variable has such a name, or the key would go to another machine over an open connection.
    pub fn with_key_variable(self, name: &str) -> Result<Self, ModelError> {
        let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        // What has no capital letter or is very long is rather the key than its name; it is not repeated.
        if name.is_empty()
            || !is_name
            || name.len() > 64
            || name.bytes().any(|byte| byte.is_ascii_lowercase())
        {
            let name = if is_name && name.len() <= 8 { name.to_owned() } else { "…".to_owned() };
            return Err(ModelError::new(ModelErrorKind::BadVariable { name }));
        }
        if let Some(endpoint) = &self.endpoint
            && endpoint.scheme() == "http"
            && !is_this_machine(endpoint)
        {
            let host = endpoint.host_str().unwrap_or_default().to_owned();
            return Err(ModelError::new(ModelErrorKind::KeyInTheOpen { host }));
        }
        Ok(Self { variable: Some(name.to_owned()), ..self })
    }

    /// The model with another place where variables are looked up, for programs that keep keys in a store of their own. By default the
    /// environment of the process.
    #[must_use]
    pub fn with_environment(self, lookup: impl Fn(&str) -> Option<String> + Send + Sync + 'static) -> Self {
        Self { lookup: Arc::new(lookup), ..self }
    }

    /// The model with a limit for each question, 10 minutes by default. The deadline of the call itself may be earlier.
    #[must_use]
    pub fn with_time_limit(self, time_limit: Duration) -> Self {
        Self { time_limit, ..self }
    }

    /// The model with a limit for the tokens of each answer, by default the model's own: a lower one makes long answers a fault.
    #[must_use]
    pub fn with_max_tokens(self, max_tokens: u32) -> Self {
        Self { max_tokens: Some(max_tokens), ..self }
    }

    /// The model with how often it is asked again when its answer cannot be read, 2 by default.
    #[must_use]
    pub fn with_reasks(self, reasks: u32) -> Self {
        Self { reasks, ..self }
    }

    /// The model with what it costs. Without prices only tokens are counted.
    #[must_use]
    pub fn with_prices(self, prices: Prices) -> Self {
        Self { prices: Some(prices), ..self }
    }

    /// The provider and the model, for people and as the name of the judge: `anthropic::claude-sonnet-4-5`. A model at an endpoint has that
    /// in its name, because another server is another judge.
    #[must_use]
    pub fn name(&self) -> String {
        match &self.endpoint {
            None => format!("{}::{}", self.provider, self.name),
            Some(endpoint) => {
                format!("{}::{} at {}", self.provider, self.name, endpoint.as_str().trim_end_matches('/'))
            }
        }
    }

    /// The variable that its key is read from; `None` when it needs none.
    #[must_use]
    pub fn key_variable(&self) -> Option<&str> {
        match (&self.variable, &self.endpoint) {
            (Some(variable), _) => Some(variable),
            (None, Some(_)) => None,
            (None, None) if self.provider == "ollama" => None,
            (None, None) => self.kind.default_key_env_name(),
        }
    }

    /// Whether it can be asked: its key is there, or it needs none. Nobody is asked.
    #[must_use]
    pub fn has_key(&self) -> bool {
        self.key().is_ok()
    }

    pub(crate) const fn kind(&self) -> AdapterKind {
        self.kind
    }

    pub(crate) fn bare_name(&self) -> &str {
        &self.name
    }

    /// Where it is asked, when that is not the provider's own address.
    pub(crate) fn address(&self) -> Option<&str> {
        self.endpoint.as_ref().map(Url::as_str).or((self.provider == "ollama").then_some(OLLAMA))
    }

    /// Whom to name when something goes wrong.
    pub(crate) fn whom(&self) -> String {
        self.address()
            .map_or_else(|| self.provider.to_owned(), |address| address.trim_end_matches('/').to_owned())
    }

    /// Whether the connection is an open one, and whether it stays on this machine.
    pub(crate) fn reach(&self) -> (bool, bool) {
        let local = self.address().and_then(|address| Url::parse(address).ok());
        local.map_or((false, false), |url| (url.scheme() == "http", is_this_machine(&url)))
    }

    /// Reads the key.
    pub(crate) fn key(&self) -> Result<Option<Secret>, Fault> {
        let Some(variable) = self.key_variable() else { return Ok(None) };
        let whose = self.whom();
        let missing = |why: &str| {
            let what_to_do = format!("{variable} {why}: set it to a key of {whose}");
            Fault::new(FaultKind::Unavailable, what_to_do)
        };
        let value = (self.lookup)(variable).filter(|value| !value.trim().is_empty());
        let value = value.ok_or_else(|| missing("is not set"))?;
        Secret::new(&value)
            .map(Some)
            .ok_or_else(|| missing("holds no key, but a text with spaces or other characters"))
    }

    pub(crate) fn takes_schema(&self) -> bool {
        !self.schema_refused.load(Ordering::Acquire)
    }

    pub(crate) fn never_schema_again(&self) {
        self.schema_refused.store(true, Ordering::Release);
    }
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Model")
            .field("name", &self.name())
            .field("key_variable", &self.key_variable())
            .field("time_limit", &self.time_limit)
            .field("max_tokens", &self.max_tokens)
            .field("reasks", &self.reasks)
            .field("prices", &self.prices)
            .finish_non_exhaustive()
    }
}

/// The provider that is put before a name, where there is one, and the rest.
fn split(name: &str) -> Result<(Option<&'static str>, String), ModelError> {
    let name = name.trim();
    let (provider, rest) = match name.split_once("::") {
        None => (None, name),
        Some((provider, rest)) => {
            let known = PROVIDERS.into_iter().find(|known| *known == provider);
            (Some(known.ok_or_else(|| unknown(rest))?), rest)
        }
    };
    if rest.is_empty() {
        return Err(ModelError::new(ModelErrorKind::NoName));
    }
    Ok((provider, rest.to_owned()))
}

/// Whose a model is, where its name says so.
fn provider_of(name: &str) -> Option<&'static str> {
    let begins = |beginnings: &[&str]| beginnings.iter().any(|beginning| name.starts_with(beginning));
    if begins(&["claude"]) {
        Some("anthropic")
    } else if begins(&["gpt-oss"]) {
        // Its weights are open: anybody may serve it.
        None
    } else if begins(&["gpt-", "o1", "o3", "o4", "chatgpt-", "codex-"]) {
        Some("openai")
    } else if begins(&["gemini-"]) {
        Some("gemini")
    } else {
        None
    }
}

fn unknown(name: &str) -> ModelError {
    ModelError::new(ModelErrorKind::UnknownProvider { model: name.to_owned(), known: PROVIDERS.into() })
}

/// The base of a server's address, with a slash at its end.
fn base(text: &str) -> Result<Url, ModelError> {
    let bad = |why: &str| ModelError::new(ModelErrorKind::BadEndpoint { why: why.to_owned() });
    const EXPECTED: &str = "expected the base of a server's address, such as \"https://models.example/v1\"";
    let mut url =
        Url::parse(text.trim()).map_err(|error| bad(&format!("cannot be read ({error}): {EXPECTED}")))?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none_or(str::is_empty) {
        return Err(bad(&format!("is no address of a server: {EXPECTED}")));
    }
    if !url.username().is_empty()
        || url.password().is_some()
        || url.query().is_some()
        || url.fragment().is_some()
    {
        return Err(bad("has a password, a query or a fragment in it: name the variable of the key instead"));
    }
    let path = url.path().trim_end_matches('/').to_owned();
    if path.ends_with("/chat/completions") || path.ends_with("/messages") {
        return Err(bad(&format!("names a method: {EXPECTED}")));
    }
    url.set_path(&format!("{path}/"));
    Ok(url)
}

fn is_this_machine(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(result: Result<Model, ModelError>) -> ModelErrorKind {
        result.unwrap_err().kind().clone()
    }

    #[test]
    fn a_name_says_whose_it_is_or_has_to_be_told() {
        for (name, said, variable) in [
            ("claude-sonnet-4-5", "anthropic::claude-sonnet-4-5", Some("ANTHROPIC_API_KEY")),
            ("gpt-4o", "openai::gpt-4o", Some("OPENAI_API_KEY")),
            ("gpt-5", "openai::gpt-5", Some("OPENAI_API_KEY")),
            ("gemini-2.5-pro", "gemini::gemini-2.5-pro", Some("GEMINI_API_KEY")),
            ("ollama::llava", "ollama::llava", None),
            ("groq::llama-4", "groq::llama-4", Some("GROQ_API_KEY")),
        ] {
            let model = Model::new(name).unwrap();
            assert_eq!((model.name().as_str(), model.key_variable()), (said, variable));
        }
        for name in ["claud-3", "gpt-oss-120b", "nobody::x"] {
            let unknown = kind(Model::new(name));
            assert!(matches!(unknown, ModelErrorKind::UnknownProvider { .. }), "{name}: {unknown:?}");
        }
        assert_eq!(kind(Model::new(" ")), ModelErrorKind::NoName);
        assert_eq!(kind(Model::new("ollama::")), ModelErrorKind::NoName);
    }

    #[test]
    fn every_provider_is_known_to_the_client() {
        for provider in PROVIDERS {
            assert!(AdapterKind::from_lower_str(provider).is_some(), "{provider}");
        }
    }

    #[test]
    fn a_key_of_a_provider_goes_nowhere_else() {
        let elsewhere = Model::at("https://models.example/v1", "gpt-4o").unwrap();
        assert_eq!(elsewhere.key_variable(), None);
        assert_eq!(elsewhere.name(), "openai::gpt-4o at https://models.example/v1");
        let open = Model::at("http://models.example/v1", "gpt-4o").unwrap();
        let host = "models.example".to_owned();
        assert_eq!(kind(open.with_key_variable("MY_KEY")), ModelErrorKind::KeyInTheOpen { host });
        for here in ["http://localhost:8000/v1", "http://127.0.0.1:1/", "http://[::1]:9"] {
            assert!(Model::at(here, "x").unwrap().with_key_variable("MY_KEY").is_ok(), "{here}");
        }
    }

    #[test]
    fn an_endpoint_is_the_base_of_an_address_and_nothing_else() {
        for bad in [
            "models.example",
            "ftp://models.example",
            "https://me:secret@models.example",
            "https://models.example/v1?key=secret",
            "https://models.example/v1/chat/completions",
            "",
        ] {
            let error = Model::at(bad, "x").unwrap_err();
            assert!(matches!(error.kind(), ModelErrorKind::BadEndpoint { .. }), "{bad}");
            assert!(!error.to_string().contains("secret"), "{error}");
        }
        let ollama = Model::at("http://box:11434", "ollama::llava").unwrap();
        assert_eq!(ollama.address(), Some("http://box:11434/v1/"));
    }

    #[test]
    fn a_key_in_the_place_of_its_variable_is_not_repeated() {
        let error = Model::new("claude-x").unwrap().with_key_variable("sk-ant-abcdefghijklmnop").unwrap_err();
        assert!(!error.to_string().contains("abcdef"), "{error}");
    }

    #[test]
    fn a_missing_key_says_what_to_do_and_debug_never_shows_one() {
        let model = Model::new("claude-x").unwrap();
        let keyless = model.clone().with_environment(|_| None);
        let fault = keyless.key().err().unwrap();
        assert_eq!(fault.kind(), FaultKind::Unavailable);
        assert_eq!(fault.message(), "ANTHROPIC_API_KEY is not set: set it to a key of anthropic");
        let model = model.with_environment(|_| Some("sk-planted".to_owned()));
        assert!(model.has_key() && !keyless.has_key());
        assert!(!format!("{model:?}").contains("planted"));
    }
}
