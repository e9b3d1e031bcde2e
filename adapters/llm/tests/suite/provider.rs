//! The forms of the providers, as each documents them.

use serde_json::{Value, json};
use trueup_llm::Model;

use crate::server::{Act, Server};
use crate::setup::KEY;

/// A provider whose form is replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Provider {
    Anthropic,
    OpenAi,
    /// A server of one's own that speaks OpenAI's form, needs no key and counts no tokens.
    Compatible,
}

impl Provider {
    pub(crate) const ALL: [Self; 3] = [Self::Anthropic, Self::OpenAi, Self::Compatible];

    /// A model of this provider, asked at the server.
    pub(crate) fn model(self, server: &Server) -> Model {
        let name = match self {
            Self::Anthropic => "anthropic::claude-sonnet-4-5",
            Self::OpenAi => "openai::gpt-4o",
            Self::Compatible => "qwen3-vl-8b",
        };
        let model = Model::at(&server.address(), name).unwrap();
        match self {
            Self::Compatible => model,
            _ => model
                .with_key_variable("PLANTED_KEY")
                .unwrap()
                .with_environment(|name| (name == "PLANTED_KEY").then(|| KEY.to_owned())),
        }
    }

    /// Tokens that an answer of [`says`](Self::says) reports.
    pub(crate) const fn tokens(self) -> u64 {
        match self {
            Self::Anthropic | Self::OpenAi => 1_200,
            Self::Compatible => 0,
        }
    }

    /// An answer that is whole.
    pub(crate) fn says(self, text: &str) -> Act {
        self.ends(text, if self == Self::Anthropic { "end_turn" } else { "stop" })
    }

    /// An answer that was cut off at its greatest length.
    pub(crate) fn breaks_off(self, text: &str) -> Act {
        self.ends(text, if self == Self::Anthropic { "max_tokens" } else { "length" })
    }

    /// An answer that declines.
    pub(crate) fn declines(self) -> Act {
        match self {
            Self::Anthropic => self.ends("I won't help with that.", "refusal"),
            Self::OpenAi => {
                let mut body = self.body("", "stop");
                body["choices"][0]["message"]["content"] = Value::Null;
                body["choices"][0]["message"]["refusal"] = "I'm sorry, I can't assist with that.".into();
                good(&body)
            }
            Self::Compatible => self.ends("", "content_filter"),
        }
    }

    fn ends(self, text: &str, reason: &str) -> Act {
        good(&self.body(text, reason))
    }

    pub(crate) fn body(self, text: &str, reason: &str) -> Value {
        match self {
            Self::Anthropic => json!({
                "id": "msg_01XFDUDYJgAACzvnptvVoYEL", "type": "message", "role": "assistant",
                "model": "claude-sonnet-4-5-20250929",
                "content": [{"type": "text", "text": text}],
                "stop_reason": reason, "stop_sequence": null,
                "usage": {"input_tokens": 900, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 100,
                          "output_tokens": 200, "service_tier": "standard"}
            }),
            Self::OpenAi => json!({
                "id": "chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT", "object": "chat.completion", "created": 1_741_569_952,
                "model": "gpt-4o-2024-08-06",
                "choices": [{"index": 0, "message": {"role": "assistant", "content": text, "refusal": null, "annotations": []},
                             "logprobs": null, "finish_reason": reason}],
                "usage": {"prompt_tokens": 1_000, "completion_tokens": 200, "total_tokens": 1_200,
                          "prompt_tokens_details": {"cached_tokens": 0, "audio_tokens": 0},
                          "completion_tokens_details": {"reasoning_tokens": 0, "audio_tokens": 0,
                                                        "accepted_prediction_tokens": 0, "rejected_prediction_tokens": 0}},
                "service_tier": "default", "system_fingerprint": "fp_fc9f1d7035"
            }),
            Self::Compatible => json!({
                "id": "cmpl-1", "object": "chat.completion", "created": 1_741_569_952, "model": "qwen3-vl-8b",
                "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": reason}]
            }),
        }
    }

    /// A refusal of the service with this status.
    pub(crate) fn refuses(self, status: u16, kind: &str, message: &str) -> Act {
        let headers = match (self, status) {
            (Self::OpenAi, 429) => vec![("retry-after-ms", "7000".to_owned())],
            (_, 429) => vec![("retry-after", "7".to_owned())],
            _ => Vec::new(),
        };
        let body = match self {
            Self::Anthropic => {
                json!({"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_011CSHoEeqs5C35K2UUqR7Fy"})
            }
            _ => json!({"error": {"message": message, "type": kind, "param": null, "code": kind}}),
        };
        Act::Answer(status, headers, body.to_string())
    }

    /// The question of a request body: all its texts, in order.
    pub(crate) fn texts(self, body: &Value) -> String {
        let mut texts = Vec::new();
        collect(body, &mut texts);
        texts.join("\n")
    }
}

pub(crate) fn good(body: &Value) -> Act {
    Act::Answer(200, Vec::new(), body.to_string())
}

fn collect(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::String(text) => texts.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| collect(item, texts)),
        Value::Object(members) => members.values().for_each(|member| collect(member, texts)),
        _ => {}
    }
}
