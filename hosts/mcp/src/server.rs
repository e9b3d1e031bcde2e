//! The tools.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{
    CallToolResult, ContentBlock, Implementation, ListResourcesResult, PaginatedRequestParams,
    ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities, ServerConfig,
};
use rmcp::service::{ElicitationError, RequestContext};
use rmcp::{ErrorData, RoleServer, ServerHandler, tool, tool_handler, tool_router};
use serde::Serialize;
use serde_json::{Value, json};
use trueup_app::{
    Answer, DiffRequest, NextDocument, NextOutcome, ProbeRequest, ReportOptions, RunOptions, capture,
    diff_files, judge, load, next, nobody, probe, report,
};

use crate::crops;
use crate::fault::Refusal;
use crate::parameters::{
    AnswerParameters, CaptureParameters, ConfigParameters, DiffParameters, NextParameters, PersonSays,
    ProbeParameters, RunParameters,
};
use crate::resources;
use crate::roots::Roots;
use crate::work::{Telling, blocking};

/// Regions in a small answer; the heaviest come first.
const LISTED: usize = 10;

/// The server: a referee without a memory of its own. Everything about a run is in its folder.
#[derive(Clone, Debug)]
pub(crate) struct Server {
    pub(crate) roots: Arc<Roots>,
    pub(crate) allow_programs: bool,
}

/// What a tool gives, or the refusal that the agent reads.
type Told = Result<Vec<ContentBlock>, Refusal>;

fn result(told: Told) -> CallToolResult {
    told.map_or_else(|refusal| refusal.result(), CallToolResult::success)
}

fn read(path: &Path) -> Result<Vec<u8>, Refusal> {
    fs::read(path)
        .map_err(|error| Refusal::Lost { why: format!("{} cannot be read: {error}", path.display()) })
}

fn document(value: &impl Serialize) -> Result<ContentBlock, Refusal> {
    serde_json::to_string(value)
        .map(ContentBlock::text)
        .map_err(|error| Refusal::Lost { why: error.to_string() })
}

impl Server {
    /// The configuration at a path, which may be used by this server.
    fn config(&self, path: &str) -> Result<PathBuf, Refusal> {
        let path = self.roots.resolve(path)?;
        let config = load(&path).map_err(trueup_app::AppError::from)?;
        let named = config.outside_help();
        if !named.is_empty() && !self.allow_programs {
            return Err(Refusal::Programs { named });
        }
        // What the configuration names is below its folder by its own rules; links might still lead out.
        for file in config
            .files
            .iter()
            .map(String::as_str)
            .chain(config.plan.labels().iter().map(|label| label.reference()))
        {
            self.roots.resolve(&config.folder.join(file).to_string_lossy())?;
        }
        Ok(path)
    }

    /// The folder of a run of the configuration at `config`.
    fn run_folder(&self, config: &Path, id: &str) -> Result<PathBuf, Refusal> {
        let folder = config.parent().unwrap_or(Path::new(".")).join("runs").join(id);
        self.roots.resolve(&folder.to_string_lossy())
    }

    /// One call of a run whose caller revises.
    async fn call(
        &self,
        config: &str,
        run_id: String,
        answer: Option<Answer>,
        give_up: Option<String>,
        context: &RequestContext<RoleServer>,
    ) -> Told {
        let path = self.config(config)?;
        let observer = Telling::new(context);
        let outcome = blocking(context, move |cancel| {
            let mut options = RunOptions::default();
            options.run_id = Some(run_id);
            options.answer = answer;
            next(&path, &options, give_up, observer, cancel).map_err(Refusal::from)
        })
        .await?;
        let told = NextDocument::of(&outcome);
        let mut content = vec![document(&told)?];
        if let (NextOutcome::Revise { folder, .. }, Some(revise)) = (&outcome, &told.revise) {
            content.extend(crops::of(folder, revise));
        }
        Ok(content)
    }
}

#[tool_router]
impl Server {
    /// Compare two images by what people see: status, figures, and the open regions with their colour difference.
    #[tool(annotations(read_only_hint = true))]
    async fn diff(
        &self,
        Parameters(asked): Parameters<DiffParameters>,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ErrorData> {
        let told = async {
            let mut request = DiffRequest::default();
            request.expected = self.roots.resolve(&asked.expected)?;
            request.actual = self.roots.resolve(&asked.actual)?;
            request.tolerance = asked.tolerance;
            let (picture, detail) = (asked.picture, asked.detail);
            let (mut value, drawn) = blocking(&context, move |_| {
                let folder = tempfile::tempdir().map_err(|error| Refusal::Lost { why: error.to_string() })?;
                if picture {
                    request.picture = Some(folder.path().join("diff.png"));
                }
                let outcome = diff_files(&request)?;
                let drawn = request.picture.as_deref().map(read).transpose()?;
                let value = serde_json::to_value(&outcome.document);
                Ok((value.map_err(|error| Refusal::Lost { why: error.to_string() })?, drawn))
            })
            .await?;
            if !detail {
                small(&mut value);
            }
            let mut content = vec![document(&value)?];
            content.extend(drawn.as_deref().map(crops::png));
            Ok(content)
        };
        Ok(result(told.await))
    }

    /// Render every label of a configuration to a PNG file each.
    #[tool]
    async fn capture(
        &self,
        Parameters(asked): Parameters<CaptureParameters>,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ErrorData> {
        let told = async {
            let (config, output) = (self.config(&asked.config)?, self.roots.resolve(&asked.output)?);
            let files =
                blocking(&context, move |cancel| Ok(capture(&config, &output, cancel, &nobody())?)).await?;
            let names: Vec<String> = files.iter().map(|file| self.roots.shown(file)).collect();
            let mut content = vec![document(&json!({ "files": names }))?];
            if asked.pictures {
                for file in &files {
                    content.push(crops::png(&read(file)?));
                }
            }
            Ok(content)
        };
        Ok(result(told.await))
    }

    /// Measure collected pages: contrast, overflow, links, copy, tokens, type, and the tells of pages that nobody designed.
    #[tool(annotations(read_only_hint = true))]
    async fn probe(
        &self,
        Parameters(asked): Parameters<ProbeParameters>,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ErrorData> {
        let told = async {
            let pages: Result<Vec<PathBuf>, Refusal> =
                asked.pages.iter().map(|page| self.roots.resolve(page)).collect();
            let mut request = ProbeRequest::new(pages?);
            let place = |path: Option<String>| path.map(|path| self.roots.resolve(&path)).transpose();
            (request.copy, request.tokens) = (place(asked.copy)?, place(asked.tokens)?);
            let outcome = blocking(&context, move |cancel| Ok(probe(&request, cancel)?)).await?;
            Ok(vec![document(&outcome.document)?])
        };
        Ok(result(told.await))
    }

    /// Measure an artifact once, and have it judged by the judges of its configuration. Nothing is revised or kept.
    #[tool(annotations(read_only_hint = true))]
    async fn judge(
        &self,
        Parameters(asked): Parameters<ConfigParameters>,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ErrorData> {
        let told = async {
            let config = self.config(&asked.config)?;
            let outcome = blocking(&context, move |cancel| Ok(judge(&config, cancel)?)).await?;
            Ok(vec![document(&outcome.document)?])
        };
        Ok(result(told.await))
    }

    /// Begin a run whose reviser is you: measures what the files hold now, and says what is open, with pictures.
    #[tool]
    async fn loop_start(
        &self,
        Parameters(asked): Parameters<RunParameters>,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ErrorData> {
        let told = async {
            let config = self.config(&asked.config)?;
            if self.run_folder(&config, &asked.run_id)?.join("journal.jsonl").exists() {
                return Err(Refusal::Run { id: asked.run_id, there: true });
            }
            self.call(&asked.config, asked.run_id, None, None, &context).await
        };
        Ok(result(told.await))
    }

    /// Call after each revision of the files: they are captured, compared and charged; says what is open now, or how the run
    /// ended. Files that are unchanged are charged nothing.
    #[tool]
    async fn loop_next(
        &self,
        Parameters(asked): Parameters<NextParameters>,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ErrorData> {
        let told = async {
            let config = self.config(&asked.config)?;
            if !self.run_folder(&config, &asked.run_id)?.join("journal.jsonl").exists() {
                return Err(Refusal::Run { id: asked.run_id, there: false });
            }
            self.call(&asked.config, asked.run_id, None, asked.give_up, &context).await
        };
        Ok(result(told.await))
    }

    /// Have the person in front of this client answer a run that waits for one. You cannot answer for them.
    #[tool]
    async fn loop_answer(
        &self,
        Parameters(asked): Parameters<AnswerParameters>,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ErrorData> {
        let told = async {
            let config = self.config(&asked.config)?;
            let folder = self.run_folder(&config, &asked.run_id)?;
            if !folder.join("journal.jsonl").exists() {
                return Err(Refusal::Run { id: asked.run_id, there: false });
            }
            let question = fs::read_to_string(folder.join("needs-human.md")).unwrap_or_default();
            if question.is_empty() {
                return Err(Refusal::NobodyToAsk { why: "the run asks nothing".to_owned() });
            }
            let last = question.rsplit("\n## ").next().unwrap_or_default();
            let said = ask(&context, format!("The run {:?} waits for you.\n\n{last}", asked.run_id)).await?;
            self.call(&asked.config, asked.run_id, Some(said), None, &context).await
        };
        Ok(result(told.await))
    }

    /// How a run stands: its status block, and what it says to other tools.
    #[tool(annotations(read_only_hint = true))]
    async fn run_status(
        &self,
        Parameters(asked): Parameters<RunParameters>,
    ) -> Result<CallToolResult, ErrorData> {
        let told = || {
            let config = self.roots.resolve(&asked.config)?;
            let folder = self.run_folder(&config, &asked.run_id)?;
            let Ok(signal) = fs::read_to_string(folder.join("signals/status.json")) else {
                return Err(Refusal::Run { id: asked.run_id.clone(), there: false });
            };
            // While a run goes on it has no summary yet.
            let summary = fs::read_to_string(folder.join("summary.md")).ok();
            Ok(vec![document(&json!({
                "folder": self.roots.shown(&folder),
                "signal": serde_json::from_str::<Value>(&signal).unwrap_or(Value::String(signal)),
                "summary": summary,
            }))?])
        };
        Ok(result(told()))
    }

    /// Write the HTML report of a run again, and say where it is.
    #[tool]
    async fn report(
        &self,
        Parameters(asked): Parameters<RunParameters>,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ErrorData> {
        let told = async {
            let config = self.roots.resolve(&asked.config)?;
            let folder = self.run_folder(&config, &asked.run_id)?;
            let page = blocking(&context, move |_| Ok(report(&folder, &ReportOptions::default())?)).await?;
            Ok(vec![document(&json!({ "report": self.roots.shown(&page) }))?])
        };
        Ok(result(told.await))
    }
}

/// Asks the person in front of the client.
async fn ask(context: &RequestContext<RoleServer>, message: String) -> Result<Answer, Refusal> {
    let nobody = |why: &str| Refusal::NobodyToAsk { why: why.to_owned() };
    let said: Option<PersonSays> = match context.peer.elicit(message).await {
        Ok(said) => said,
        Err(ElicitationError::CapabilityNotSupported) => return Err(nobody("this client cannot ask them")),
        Err(error) => return Err(nobody(&error.to_string())),
    };
    let said = said.ok_or_else(|| nobody("they did not answer"))?;
    match said.answer.trim() {
        "continue" => {
            Ok(Answer::Continue { focus: said.focus, more_iterations: said.more_iterations.unwrap_or(0) })
        }
        "accept-as-is" => match said.by.filter(|by| !by.trim().is_empty()) {
            Some(by) => Ok(Answer::AcceptAsIs { by }),
            None => Err(nobody("nobody put a name to accept-as-is (by)")),
        },
        "abort" => Ok(Answer::Abort),
        other => Err(nobody(&format!("{other:?} is none of continue, accept-as-is and abort"))),
    }
}

/// Leaves the heaviest regions, and says how many there are.
fn small(value: &mut Value) {
    if let Some(regions) = value["regions"].as_array_mut() {
        let all = regions.len();
        regions.truncate(LISTED);
        value["regions_in_all"] = all.into();
    }
}

#[tool_handler]
impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_resources().build();
        let mut info = ServerConfig::new(capabilities);
        info.server_info = Implementation::new("trueup", env!("CARGO_PKG_VERSION"));
        info.instructions = Some(include_str!("instructions.txt").trim_end().to_owned());
        info
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(resources::list(&self.roots)))
    }

    async fn read_resource(
        &self,
        asked: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        resources::read(&self.roots, &asked.uri).ok_or_else(|| {
            ErrorData::resource_not_found(
                format!("there is no resource {:?}: see resources/list", asked.uri),
                None,
            )
        })
    }
}
