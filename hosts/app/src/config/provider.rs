//! A model as a port.

#[cfg(feature = "llm")]
pub(crate) use with::ModelChoice;
#[cfg(not(feature = "llm"))]
pub(crate) use without::ModelChoice;

#[cfg(feature = "llm")]
mod with {
    use std::path::Path;
    use std::sync::Arc;

    use trueup_contract::Criterion;
    use trueup_llm::{FolderVerdicts, Model, ModelJudge, ModelReviser, Prices, Verdicts};
    use trueup_ports::{Judge, Reviser};
    use trueup_score::Points;

    use crate::config::error::ConfigError;
    use crate::config::load::inside;
    use crate::config::ports::time_limit;
    use crate::config::reader::Section;

    /// A model, and where its verdicts are kept.
    #[derive(Debug)]
    pub(crate) struct ModelChoice {
        model: Model,
        verdicts: Option<Arc<dyn Verdicts>>,
    }

    impl ModelChoice {
        /// Reads who is asked, and how far that may go. Keys are not looked at: a configuration is right without them.
        pub(crate) fn read(section: &Section<'_>) -> Result<Self, ConfigError> {
            let document = section.document;
            let name =
                section.required("model", "a model such as \"claude-sonnet-4-5\" or \"ollama::llava\"")?;
            let mut model = match section.string("endpoint")? {
                None => Model::new(&name.value)
                    .map_err(|error| document.bad(&name.span, "model", error.to_string()))?,
                Some(endpoint) => Model::at(&endpoint.value, &name.value)
                    .map_err(|error| document.bad(&endpoint.span, "endpoint", error.to_string()))?,
            };
            if let Some(variable) = section.string("key_variable")? {
                model = model
                    .with_key_variable(&variable.value)
                    .map_err(|error| document.bad(&variable.span, "key_variable", error.to_string()))?;
            }
            if let Some(limit) = time_limit(section)? {
                model = model.with_time_limit(limit);
            }
            if let Some(tokens) = section.number("max_tokens")? {
                let number = tokens.value.parse::<u32>().ok().filter(|tokens| *tokens > 0);
                model = model.with_max_tokens(number.ok_or_else(|| {
                    let why =
                        format!("{} is no number of tokens: expected a whole number above 0", tokens.value);
                    document.bad(&tokens.span, "max_tokens", why)
                })?);
            }
            if let Some(prices) = prices(section)? {
                model = model.with_prices(prices);
            }
            Ok(Self { model, verdicts: None })
        }

        /// Where verdicts are kept, so that the same question is not paid for twice.
        pub(crate) fn with_verdicts(self, section: &Section<'_>, folder: &Path) -> Result<Self, ConfigError> {
            let Some(path) = section.string("verdicts")? else { return Ok(self) };
            inside(section, "verdicts", &path)?;
            let store = FolderVerdicts::open(folder.join(&path.value))
                .map_err(|error| section.document.bad(&path.span, "verdicts", error.to_string()))?;
            Ok(Self { verdicts: Some(Arc::new(store)), ..self })
        }

        /// Whose model it is, and its name.
        pub(crate) fn name(&self) -> String {
            self.model.name()
        }

        /// The variable that its key should be in and is not.
        pub(crate) fn missing_key(&self) -> Option<String> {
            let variable = self.model.key_variable()?;
            (!self.model.has_key()).then(|| variable.to_owned())
        }

        pub(crate) fn into_judge(self, name: Option<String>, criteria: &[Criterion]) -> Arc<dyn Judge> {
            let told = |judge: ModelJudge, one: &Criterion| {
                judge.with_criterion(one.id.as_str(), one.criterion.as_str(), one.verification.as_str())
            };
            let mut judge = criteria.iter().fold(ModelJudge::new(self.model), told);
            if let Some(name) = name {
                judge = judge.named(name);
            }
            if let Some(verdicts) = self.verdicts {
                judge = judge.with_verdicts(verdicts);
            }
            Arc::new(judge)
        }

        pub(crate) fn into_reviser(self) -> Arc<dyn Reviser> {
            Arc::new(ModelReviser::new(self.model))
        }
    }

    fn prices(section: &Section<'_>) -> Result<Option<Prices>, ConfigError> {
        let read = |key: &'static str| -> Result<Option<Points>, ConfigError> {
            let Some(written) = section.number(key)? else { return Ok(None) };
            let price = written.value.parse::<Points>().ok().filter(|price| *price >= Points::ZERO);
            price.map(Some).ok_or_else(|| {
                let why =
                    format!("{} is no price: expected what a million tokens cost, 0 or more", written.value);
                section.document.bad(&written.span, key, why)
            })
        };
        const EXPECTED: &str = "both prices of a million tokens, or none";
        match (read("input_price")?, read("output_price")?) {
            (None, None) => Ok(None),
            (Some(input), Some(output)) => Prices::per_million(input, output)
                .map(Some)
                .map_err(|error| section.document.bad(section.span(), "input_price", error.to_string())),
            (None, Some(_)) => Err(section.missing("input_price", EXPECTED)),
            (Some(_), None) => Err(section.missing("output_price", EXPECTED)),
        }
    }
}

#[cfg(not(feature = "llm"))]
mod without {
    use std::path::Path;
    use std::sync::Arc;

    use trueup_contract::Criterion;
    use trueup_ports::{Judge, Reviser};

    use crate::config::error::ConfigError;
    use crate::config::reader::Section;

    /// No model: this build asks nobody.
    #[derive(Debug)]
    pub(crate) enum ModelChoice {}

    impl ModelChoice {
        pub(crate) fn read(section: &Section<'_>) -> Result<Self, ConfigError> {
            let why = "\"model\" is not part of this build: build it with the feature llm, or name a command";
            Err(section.document.bad(section.span(), "kind", why))
        }

        pub(crate) fn with_verdicts(self, _: &Section<'_>, _: &Path) -> Result<Self, ConfigError> {
            match self {}
        }

        pub(crate) fn name(&self) -> String {
            match *self {}
        }

        pub(crate) fn missing_key(&self) -> Option<String> {
            match *self {}
        }

        pub(crate) fn into_judge(self, _: Option<String>, _: &[Criterion]) -> Arc<dyn Judge> {
            match self {}
        }

        pub(crate) fn into_reviser(self) -> Arc<dyn Reviser> {
            match self {}
        }
    }
}
