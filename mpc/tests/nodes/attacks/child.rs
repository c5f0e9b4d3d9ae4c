//! One node of a test cluster as a process of its own, so that it can be killed and have its disk filled. The others
//! stay in this process.

use crate::processes::orchestrator::Connection;
use crate::processes::BINARY;
use crate::support::drive::Participant;
use crate::support::fixture::TestCluster;
use mpc_node::wire::*;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use tokio::runtime::Runtime;

const ANSWER_WITHIN: Duration = Duration::from_secs(20);

pub struct Child {
    process: std::process::Child,
    connection: Connection,
    runtime: Runtime,
}

/// `serve` for a node of `cluster` that is stopped there. Its log is a file on the same disk.
fn serve(cluster: &TestCluster, index: u8) -> Command {
    let log = cluster.directory.join(format!("log-{index}"));
    let log = std::fs::OpenOptions::new().create(true).append(true).open(log).unwrap();
    let mut command = Command::new(BINARY);
    command.args(["serve", "--index", &index.to_string(), "--listen", "127.0.0.1:0", "--exit-with-stdin"]);
    command
        .arg("--dir")
        .arg(cluster.node_directory(index))
        .arg("--cluster")
        .arg(cluster.directory.join("cluster.json"));
    command.arg("--policy").arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("policies/sandbox.json"));
    command.arg("--store-key-file").arg(cluster.directory.join(format!("key-{index}")));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(log);
    // SAFETY: `signal` is async-signal-safe and touches nothing of this process.
    unsafe {
        command.pre_exec(|| {
            // A write beyond the limit is to be an error, as on a full disk, and no signal.
            libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
            Ok(())
        });
    }
    command
}

impl Child {
    pub fn serve(cluster: &TestCluster, index: u8) -> Self {
        let mut process = serve(cluster, index).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address: SocketAddr = line.trim().strip_prefix("ready ").expect("the node serves").parse().unwrap();
        let certificate = std::fs::read_to_string(cluster.node_directory(index).join("tls.crt")).unwrap();
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let orchestrator = cluster.directory.join("orchestrator");
        let opening = Connection::open(address, &certificate, &orchestrator);
        let connection = runtime.block_on(opening).unwrap();
        // No session opens before.
        runtime.block_on(connection.call(RequestBody::Marks(vec![])));
        Self { process, connection, runtime }
    }

    /// What a node says that does not start, with no room for any file.
    #[cfg(target_os = "linux")]
    pub fn starts_without_room(cluster: &TestCluster, index: u8) -> (bool, String) {
        let mut command = serve(cluster, index);
        // SAFETY: as above.
        unsafe {
            command.pre_exec(|| {
                let none = libc::rlimit { rlim_cur: 0, rlim_max: libc::RLIM_INFINITY };
                let limited = libc::setrlimit(libc::RLIMIT_FSIZE, &none) == 0;
                limited.then_some(()).ok_or_else(std::io::Error::last_os_error)
            });
        }
        let output = command.stdin(Stdio::null()).stderr(Stdio::piped()).output().unwrap();
        (output.status.success(), String::from_utf8(output.stderr).unwrap())
    }

    pub fn ask(&self, body: RequestBody) -> ResponseBody {
        let answer = async { tokio::time::timeout(ANSWER_WITHIN, self.connection.call(body)).await };
        let answer = self.runtime.block_on(answer).expect("a node that is up answers");
        // Who was killed says nothing.
        answer.unwrap_or(ResponseBody::InProgress)
    }

    /// Of the process.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Asks, and kills while the answer is being made.
    pub fn kill_at_work(self, body: RequestBody, after: Duration) {
        let asked = async { tokio::time::timeout(after, self.connection.call(body)).await };
        let _ = self.runtime.block_on(asked);
        self.kill();
    }

    /// `kill -9`
    pub fn kill(mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    /// From now on no file of the process may be written beyond so many bytes: with 0 it is as if the disk were full,
    /// for any user and without a file system to fill.
    #[cfg(target_os = "linux")]
    pub fn limit_files(&self, bytes: u64) {
        let (pid, file_size) = (self.process.id() as libc::pid_t, libc::RLIMIT_FSIZE);
        let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        // SAFETY: both pointers are to a value that outlives the calls.
        unsafe {
            assert_eq!(libc::prlimit(pid, file_size, std::ptr::null(), &mut limit), 0);
            limit.rlim_cur = bytes.min(limit.rlim_max);
            assert_eq!(libc::prlimit(pid, file_size, &limit, std::ptr::null_mut()), 0);
        }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Participant for &Child {
    fn handle(&mut self, body: RequestBody) -> ResponseBody {
        self.ask(body)
    }
}
