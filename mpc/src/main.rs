//! The command line of a node: making keys, checking files, `serve`, the offline half of a repair, backups. Reads
//! arguments and files, prints one line, and leaves the work to the library. An error is one sentence on stderr and
//! exit code 1; a node that stops because its cluster file or its policy is another one ends with code 3.

use futures_util::future::select_all;
use mpc_node::cluster::Cluster;
use mpc_node::handlers::node::Node;
use mpc_node::limits::Limits;
use mpc_node::log::{log, Level};
use mpc_node::policy::Policy;
use mpc_node::process::backup;
use mpc_node::process::file_watch::{Invalid, ServedFile};
use mpc_node::process::hardening;
use mpc_node::process::observation::{self, Shown};
use mpc_node::process::program;
use mpc_node::process::provision;
use mpc_node::process::repair_commands;
use mpc_node::process::rotate_store_key::{rotate, Rotated};
use mpc_node::process::server::Server;
use mpc_node::process::tls;
use mpc_node::process::zeroizing_allocator::ZeroizingAllocator;
use std::alloc::System;
use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::signal::unix::{signal, SignalKind};
use tokio_rustls::TlsAcceptor;
use zeroize::Zeroizing;

#[global_allocator]
static MEMORY: ZeroizingAllocator<System> = ZeroizingAllocator(System);

const USAGE: &str = "usage:
  mpc-node init --dir DIR --index N --store-key-file FILE
  mpc-node init-orchestrator --dir DIR
  mpc-node init-enrolment --dir DIR
  mpc-node sign-enrolment --dir DIR --cluster cluster.json --target N --keys keys.json [--helpers 1,2]
  mpc-node serve --dir DIR --index N --cluster cluster.json --listen 127.0.0.1:PORT
                 [--policy policy.json] [--store-key-file FILE] [--observe 127.0.0.1:PORT] [--metrics ADDRESS:PORT]
                 [--exit-with-stdin]
  mpc-node health --observe 127.0.0.1:PORT
  mpc-node check-cluster --cluster cluster.json
  mpc-node check-policy --policy policy.json
  mpc-node init-backup --dir DIR
  mpc-node backup --dir DIR --index N --to FILE --backup-public-key HEX [--store-key-file FILE]
  mpc-node restore --dir DIR --from FILE --backup-key-file FILE --store-key-file FILE --cluster cluster.json
                   [--accept-unsigned]
  mpc-node rotate-store-key --dir DIR --new-store-key-file FILE [--store-key-file FILE]
  mpc-node --version
serve, backup and rotate-store-key take the store key from MPC_NODE_STORE_KEY (hex) or from the file.";

const FILE_CHANGED: u8 = 3;
/// What requests under way may take to their end, so that the journal is closed and the next start need not check it.
const ENDING: Duration = Duration::from_millis(500);

fn main() -> ExitCode {
    run().unwrap_or_else(|sentence| {
        let _ = writeln!(std::io::stderr(), "mpc-node: {sentence}");
        ExitCode::FAILURE
    })
}

fn run() -> Result<ExitCode, String> {
    let mut arguments = std::env::args().skip(1);
    let command = arguments.next().ok_or(USAGE)?;
    if command == "--version" {
        print_line(&format!("mpc-node {}", program::VERSION))?;
        return Ok(ExitCode::SUCCESS);
    }
    let options = Options::parse(arguments)?;
    match command.as_str() {
        "serve" => return serve(&options),
        "init" => {
            let public =
                provision::init_node(&options.path("dir")?, options.index()?, &options.path("store-key-file")?)?;
            print_line(&public.to_string())
        }
        "init-orchestrator" => print_line(&provision::init_orchestrator(&options.path("dir")?)?.to_string()),
        "init-enrolment" => print_line(&provision::init_repair_key(&options.path("dir")?)?.to_string()),
        "sign-enrolment" => sign_enrolment(&options),
        "health" => {
            observation::probe(options.text("observe")?)?;
            print_line(r#"{"status":"up"}"#)
        }
        "check-cluster" => check_cluster(&options),
        "check-policy" => check_policy(&options),
        "init-backup" => print_line(&provision::init_backup(&options.path("dir")?)?.to_string()),
        "backup" => back_up(&options),
        "restore" => restore(&options),
        "rotate-store-key" => rotate_store_key(&options),
        _ => Err(USAGE.into()),
    }?;
    Ok(ExitCode::SUCCESS)
}

fn sign_enrolment(options: &Options) -> Result<(), String> {
    hardening::forbid_core_dumps()?;
    let key = provision::read_signing_key(&options.path("dir")?.join("enrolment.key"))?;
    let cluster = Cluster::parse(&options.contents("cluster")?)?;
    let number = |text: &str| text.trim().parse::<u8>().map_err(|_| format!("{text:?} is not the index of a node"));
    let target = number(options.text("target")?)?;
    let helpers = options.values.get("helpers").map(|text| text.split(',').map(number).collect()).transpose()?;
    let commands = repair_commands::sign_repairs(&key, &cluster, target, helpers, &options.contents("keys")?)?;
    print_line(&commands.to_string())
}

/// As `serve` would read it, so that a node is not stopped for nothing.
fn check_cluster(options: &Options) -> Result<(), String> {
    let cluster = Cluster::parse(&options.contents("cluster")?)?;
    let found = serde_json::json!({ "nodes": cluster.nodes.len(), "threshold": cluster.threshold, "roster": hex::encode(cluster.roster) });
    print_line(&found.to_string())
}

/// The hash is the one that a worker logs for each node.
fn check_policy(options: &Options) -> Result<(), String> {
    let policy = Policy::parse(&options.contents("policy")?)?;
    print_line(&serde_json::json!({ "policy_sha256": hex::encode(policy.sha256) }).to_string())
}

fn back_up(options: &Options) -> Result<(), String> {
    hardening::forbid_core_dumps()?;
    let (directory, index, to) = (options.path("dir")?, options.index()?, options.path("to")?);
    let recipient = hex::decode(options.text("backup-public-key")?).ok().and_then(|bytes| bytes.try_into().ok());
    let recipient = recipient.ok_or("--backup-public-key is not 32 bytes of hex")?;
    let shares = backup::back_up(&directory, index, &*store_key(options)?, recipient, &to)?;
    print_line(&format!("{{\"shares\":{shares}}}"))
}

fn restore(options: &Options) -> Result<(), String> {
    hardening::forbid_core_dumps()?;
    let backup_key = provision::read_backup_key(&options.path("backup-key-file")?)?;
    let (directory, from, store_key_file) =
        (options.path("dir")?, options.path("from")?, options.path("store-key-file")?);
    let cluster = Cluster::parse(&options.contents("cluster")?)?;
    let accepts_unsigned = options.accept_unsigned;
    let source = backup::Source { from: &from, backup_key: &backup_key, cluster: &cluster, accepts_unsigned };
    print_line(&backup::restore(&directory, &store_key_file, &source)?.to_string())
}

fn rotate_store_key(options: &Options) -> Result<(), String> {
    hardening::forbid_core_dumps()?;
    let (directory, new_key_file) = (options.path("dir")?, options.path("new-store-key-file")?);
    let status = match rotate(&directory, &*store_key(options)?, &new_key_file, &mut || {})? {
        Rotated::Now(data_keys) => serde_json::json!({ "status": "rotated", "data_keys": data_keys }),
        Rotated::Before => serde_json::json!({ "status": "rotated_before" }),
    };
    print_line(&status.to_string())
}

fn serve(options: &Options) -> Result<ExitCode, String> {
    hardening::forbid_core_dumps()?;
    hardening::bound_memory();
    let directory = options.path("dir")?;
    let cluster_file = served_cluster(options.path("cluster")?)?;
    let cluster = Cluster::parse(&cluster_file.text)?;
    // Without a policy the default, which is that of production.
    let policy_file = options.path("policy").ok().map(served_policy).transpose()?;
    let policy = policy_file.as_ref().map_or(Ok(Policy::default()), |file| Policy::parse(&file.text))?;
    let store_key = store_key(options)?;
    let _lock = hardening::lock_directory(&directory)?;
    let tls = tls::server_config(&directory, &store_key, cluster.orchestrator_certificate.clone())?;
    let node = Node::open(&directory, options.index()?, cluster, &store_key, Limits::default(), policy)?;
    drop(store_key);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|e| format!("cannot start the event loop: {e}"))?;
    let listen = options.text("listen")?.to_string();
    let node = Arc::new(node);
    let served = runtime.block_on(async {
        if let Ok(address) = options.text("observe") {
            let listener = observation::listen(address).await?;
            tokio::spawn(observation::answer_all(node.clone(), listener, Shown::HealthAndMetrics));
        }
        if let Ok(address) = options.text("metrics") {
            let listener = observation::listen_for_metrics(address).await?;
            tokio::spawn(observation::answer_all(node.clone(), listener, Shown::Metrics));
        }
        let changes =
            [Some(cluster_file), policy_file].into_iter().flatten().map(|file| Box::pin(file.until_changed()));
        tokio::select! {
            served = listen_until_told(node, tls, &listen, options.exit_with_stdin) =>
                served.map(|()| ExitCode::SUCCESS),
            (sentence, ..) = select_all(changes) => {
                log(Level::Warn, sentence);
                Ok(ExitCode::from(FILE_CHANGED))
            }
        }
    });
    // Nothing is answered any more. What is not at its end by then is cut off: every state it can leave behind is one
    // that a crash could, too.
    runtime.shutdown_timeout(ENDING);
    served
}

fn served_cluster(path: PathBuf) -> Result<ServedFile, String> {
    ServedFile::read("cluster.json", path, |text| Cluster::parse(text).map(drop), |_| Invalid::Stops)
}

fn served_policy(path: PathBuf) -> Result<ServedFile, String> {
    // Who misspells a pause in a hurry wants nothing signed.
    let invalid = |text: &str| if text.contains("pause") { Invalid::Stops } else { Invalid::IsIgnored };
    ServedFile::read("the policy", path, |text| Policy::parse(text).map(drop), invalid)
}

async fn listen_until_told(
    node: Arc<Node>,
    tls: rustls::ServerConfig,
    listen: &str,
    exit_with_stdin: bool,
) -> Result<(), String> {
    let listener = TcpListener::bind(listen).await.map_err(|e| format!("cannot listen on {listen}: {e}"))?;
    let address = listener.local_addr().map_err(|e| format!("cannot listen on {listen}: {e}"))?;
    let failed = |e: std::io::Error| format!("cannot listen for signals: {e}");
    let mut terminate = signal(SignalKind::terminate()).map_err(failed)?;
    let mut interrupt = signal(SignalKind::interrupt()).map_err(failed)?;
    print_line(&format!("ready {address}"))?;
    let settled = node.clone();
    tokio::task::spawn_blocking(move || settled.settle());
    tokio::select! {
        ended = Server::new(node).run(listener, TlsAcceptor::from(Arc::new(tls))) =>
            ended.map_err(|e| format!("the server failed: {e}")),
        _ = terminate.recv() => Ok(()),
        _ = interrupt.recv() => Ok(()),
        () = end_of_stdin(), if exit_with_stdin => Ok(()),
    }
}

/// On a thread that nobody waits for, unlike those of the event loop: a read of the terminal does not end.
async fn end_of_stdin() {
    let (end, ended) = tokio::sync::oneshot::channel::<()>();
    std::thread::spawn(move || {
        let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
        drop(end);
    });
    let _ = ended.await;
}

fn store_key(options: &Options) -> Result<Zeroizing<[u8; 32]>, String> {
    if let Ok(text) = std::env::var("MPC_NODE_STORE_KEY") {
        return provision::parse_store_key(&Zeroizing::new(text));
    }
    let path = options.path("store-key-file").map_err(|_| "set MPC_NODE_STORE_KEY or give --store-key-file")?;
    let text = std::fs::read_to_string(&path).map_err(|e| format!("cannot read the store key file: {e}"))?;
    provision::parse_store_key(&Zeroizing::new(text))
}

fn print_line(line: &str) -> Result<(), String> {
    let mut stdout = std::io::stdout().lock();
    let written = writeln!(stdout, "{line}").and_then(|()| stdout.flush());
    written.map_err(|e| format!("cannot write to stdout: {e}"))
}

struct Options {
    values: HashMap<String, String>,
    exit_with_stdin: bool,
    accept_unsigned: bool,
}

impl Options {
    fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        const NAMES: [&str; 16] = [
            "dir",
            "index",
            "store-key-file",
            "new-store-key-file",
            "cluster",
            "listen",
            "observe",
            "metrics",
            "policy",
            "target",
            "keys",
            "helpers",
            "to",
            "from",
            "backup-public-key",
            "backup-key-file",
        ];
        let mut options = Options { values: HashMap::new(), exit_with_stdin: false, accept_unsigned: false };
        while let Some(argument) = arguments.next() {
            match argument.strip_prefix("--") {
                Some("exit-with-stdin") => options.exit_with_stdin = true,
                Some("accept-unsigned") => options.accept_unsigned = true,
                Some(name) if NAMES.contains(&name) => {
                    let value = arguments.next().ok_or_else(|| format!("--{name} needs a value"))?;
                    options.values.insert(name.to_string(), value);
                }
                _ => return Err(format!("unknown argument {argument}\n{USAGE}")),
            }
        }
        Ok(options)
    }

    fn text(&self, name: &str) -> Result<&str, String> {
        self.values.get(name).map(String::as_str).ok_or_else(|| format!("--{name} is missing"))
    }

    fn path(&self, name: &str) -> Result<PathBuf, String> {
        self.text(name).map(|text| Path::new(text).to_path_buf())
    }

    fn contents(&self, name: &str) -> Result<String, String> {
        let path = self.path(name)?;
        std::fs::read_to_string(&path).map_err(|e| format!("cannot read {}: {e}", path.display()))
    }

    fn index(&self) -> Result<u8, String> {
        self.text("index")?.parse().map_err(|_| "--index is not a small number".into())
    }
}
