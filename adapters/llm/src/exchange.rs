//! One question, one answer.

use std::time::{Duration, Instant};

use genai::chat::{ChatOptions, ChatRequest, ChatResponse, JsonSpec, StopReason};
use genai::resolver::{AuthData, Endpoint, ProviderConfig};
use genai::{Client, ModelIden};
use serde_json::Value;
use trueup_contract::FaultKind;
use trueup_ports::{Cx, Fault};

use crate::fault::{names_the_schema, of_error};
use crate::model::Model;
use crate::schema::{Schema, for_provider};
use crate::secret::{Secret, redact};
use crate::tls::client;

/// How often it is seen whether the call is called off.
const TICK: Duration = Duration::from_millis(20);

/// What is sent as a key where none is needed and the form has a place for one.
const NO_KEY: &str = "none";

/// A model's line: everything that one conversation needs.
pub(crate) struct Line {
    model: Model,
    secret: Option<Secret>,
    target: ModelIden,
    client: Client,
    runtime: Option<tokio::runtime::Runtime>,
}

/// What a model said, with no key in it.
pub(crate) struct Answer {
    pub(crate) text: String,
    pub(crate) end: End,
}

/// How an answer ended.
pub(crate) enum End {
    /// Where the model ended it.
    Whole,
    /// At a limit of its length.
    CutOff,
    /// The model, or a filter behind it, declines.
    Declined(String),
    /// For another reason of the provider's.
    Other(String),
}

impl Line {
    /// Reads the key, and makes ready. Nobody is asked yet.
    pub(crate) fn open(model: &Model) -> Result<Self, Fault> {
        let secret = model.key()?;
        let broken = |what: String| Fault::new(FaultKind::Unavailable, what);
        // A runtime of its own, so that it works in every program: this thread waits anyway.
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .enable_time()
            .build()
            .map_err(|error| broken(format!("no connection can be made here: {error}")))?;
        let mut provider =
            ProviderConfig::from_auth(AuthData::from_single(secret.as_ref().map_or(NO_KEY, Secret::reveal)));
        if let Some(address) = model.address() {
            provider = provider.with_endpoint(Endpoint::from_owned(address.to_owned()));
        }
        let client = Client::builder()
            .with_reqwest(client(model)?)
            .append_provider_config(model.kind(), provider)
            .build();
        let client = client.map_err(|error| broken(format!("no connection can be made here: {error}")))?;
        let target = ModelIden::new(model.kind(), model.bare_name().to_owned());
        Ok(Self { model: model.clone(), secret, target, client, runtime: Some(runtime) })
    }

    /// Asks, and reports what that used. Where the server does not know of schemas, once more without one.
    pub(crate) fn ask(&self, request: &ChatRequest, schema: &Schema, cx: &Cx) -> Result<Answer, Fault> {
        let with_schema = self.model.takes_schema();
        match self.send(request, with_schema.then_some(schema), cx)? {
            Ok(response) => Ok(self.answer(response)),
            Err(error) if with_schema && names_the_schema(&error) => {
                self.model.never_schema_again();
                match self.send(request, None, cx)? {
                    Ok(response) => Ok(self.answer(response)),
                    Err(error) => Err(self.fault(&error)),
                }
            }
            Err(error) => Err(self.fault(&error)),
        }
    }

    /// Sends a question and waits, until there is an answer, the time is up, or the call is called off.
    fn send(
        &self,
        request: &ChatRequest,
        schema: Option<&Schema>,
        cx: &Cx,
    ) -> Result<Result<ChatResponse, genai::Error>, Fault> {
        // The whole body tells a refusal from an empty answer.
        let mut options = ChatOptions::default().with_capture_raw_body(true);
        if let Some(limit) = self.model.max_tokens {
            options = options.with_max_tokens(limit);
        }
        if let Some(schema) = schema {
            let spec = JsonSpec::new(schema.name, for_provider(schema, self.model.kind()));
            options = options.with_response_format(spec);
        }
        let Some(runtime) = &self.runtime else { return Err(Fault::cancelled()) };
        let began = Instant::now();
        let result = runtime.block_on(async {
            let mut call =
                Box::pin(self.client.exec_chat(self.target.clone(), request.clone(), Some(&options)));
            loop {
                if cx.is_cancelled() {
                    let late = cx.time_left().is_some_and(|left| left.is_zero());
                    return Err(if late { self.too_late() } else { Fault::cancelled() });
                }
                if began.elapsed() >= self.model.time_limit {
                    return Err(self.too_late());
                }
                if let Ok(result) = tokio::time::timeout(TICK, &mut call).await {
                    return Ok(result);
                }
            }
        })?;
        if let Ok(response) = &result {
            self.report(response, cx);
        }
        Ok(result)
    }

    fn report(&self, response: &ChatResponse, cx: &Cx) {
        let count = |tokens: Option<i32>| u64::try_from(tokens.unwrap_or(0)).unwrap_or(0);
        let (input, output) = (count(response.usage.prompt_tokens), count(response.usage.completion_tokens));
        let tokens = count(response.usage.total_tokens).max(input.saturating_add(output));
        let cost = self.model.prices.map_or(0, |prices| prices.cost_micros(input, output));
        cx.report_usage(tokens, cost);
    }

    fn answer(&self, response: ChatResponse) -> Answer {
        let declined = response.captured_raw_body.as_ref().and_then(refusal);
        let reason = response.stop_reason.as_ref();
        let text = redact(&response.texts().concat(), self.secret.as_ref());
        let end = match (declined, reason) {
            (Some(why), _) => End::Declined(redact(why, self.secret.as_ref())),
            (None, Some(StopReason::MaxTokens(_))) => End::CutOff,
            (None, Some(StopReason::ContentFilter(reason))) => End::Declined(reason.clone()),
            (None, Some(StopReason::Completed(_) | StopReason::StopSequence(_)) | None) => End::Whole,
            (None, Some(other)) => End::Other(redact(other.raw(), self.secret.as_ref())),
        };
        Answer { text, end }
    }

    fn fault(&self, error: &genai::Error) -> Fault {
        of_error(error, &self.model, self.secret.as_ref())
    }

    fn too_late(&self) -> Fault {
        Fault::new(FaultKind::TimedOut, format!("{} did not answer in time", self.model.whom()))
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        // A name that is still looked up is waited for by nobody.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// What a model of OpenAI says instead of an answer when it declines, in both of its forms.
fn refusal(body: &Value) -> Option<&str> {
    let chat = body.pointer("/choices/0/message/refusal").and_then(Value::as_str);
    let items = body.get("output").and_then(Value::as_array).into_iter().flatten();
    let contents = items.filter_map(|item| item.get("content")?.as_array()).flatten();
    let responses = contents.filter_map(|content| content.get("refusal")?.as_str());
    chat.into_iter().chain(responses).find(|why| !why.trim().is_empty())
}
