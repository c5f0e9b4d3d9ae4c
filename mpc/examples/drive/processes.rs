//! Three node processes in a temporary directory, as an operator would start them. They end with this process: their
//! standard input closes.

use serde_json::{json, Value};
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

pub struct Processes {
    pub directory: PathBuf,
    pub orchestrator: PathBuf,
    pub nodes: Vec<Option<Child>>,
    pub addresses: Vec<SocketAddr>,
    pub certificates: Vec<String>,
    binary: PathBuf,
}

impl Processes {
    pub fn start(binary: &Path, directory: &Path) -> Self {
        let run = |arguments: &[&str]| -> Value {
            let output = Command::new(binary).args(arguments).output().expect("mpc-node runs");
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            serde_json::from_slice(&output.stdout).expect("init prints JSON")
        };
        let text = |path: PathBuf| path.to_str().expect("a plain path").to_string();
        let nodes: Vec<Value> = (1..=3)
            .map(|i| {
                let (dir, key) = (text(directory.join(format!("node-{i}"))), text(directory.join(format!("key-{i}"))));
                run(&["init", "--dir", &dir, "--index", &i.to_string(), "--store-key-file", &key])
            })
            .collect();
        let orchestrator = directory.join("orchestrator");
        let commander = run(&["init-orchestrator", "--dir", &text(orchestrator.clone())]);
        let cluster = json!({"threshold": 2, "nodes": nodes, "orchestrator": commander});
        std::fs::write(directory.join("cluster.json"), cluster.to_string()).expect("cluster.json is written");
        let certificates =
            nodes.iter().map(|node| node["tls_certificate"].as_str().expect("a PEM").to_string()).collect();
        let mut processes = Self {
            directory: directory.to_path_buf(),
            orchestrator,
            nodes: vec![],
            addresses: vec![],
            certificates,
            binary: binary.to_path_buf(),
        };
        for index in 1..=3 {
            let sandbox = include_str!("../../policies/sandbox.json");
            std::fs::write(processes.policy(index), sandbox).expect("the policy is written");
            let (child, address) = processes.serve(index);
            processes.nodes.push(Some(child));
            processes.addresses.push(address);
        }
        processes
    }

    /// Each node has a policy of its own; all begin with that of the sandbox.
    pub fn policy(&self, index: u8) -> PathBuf {
        self.directory.join(format!("policy-{index}.json"))
    }

    /// The node's log goes to DIR/log.
    pub fn serve(&self, index: u8) -> (Child, SocketAddr) {
        let node = self.directory.join(format!("node-{index}"));
        let log = std::fs::OpenOptions::new().create(true).append(true).open(node.join("log")).expect("a log");
        let mut child = Command::new(&self.binary)
            .args(["serve", "--index", &index.to_string(), "--listen", "127.0.0.1:0", "--exit-with-stdin"])
            .arg("--dir")
            .arg(&node)
            .arg("--cluster")
            .arg(self.directory.join("cluster.json"))
            .arg("--policy")
            .arg(self.policy(index))
            .arg("--store-key-file")
            .arg(self.directory.join(format!("key-{index}")))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .expect("mpc-node serves");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("piped")).read_line(&mut line).expect("a ready line");
        let address = line.trim().strip_prefix("ready ").expect("ready").parse().expect("an address");
        (child, address)
    }

    pub fn kill(&mut self, index: u8) {
        if let Some(mut child) = self.nodes[usize::from(index) - 1].take() {
            child.kill().expect("the node is killed");
            child.wait().expect("the node is gone");
        }
    }

    #[allow(dead_code)] // The tests restart; the example does not.
    pub fn restart(&mut self, index: u8) {
        let (child, address) = self.serve(index);
        self.nodes[usize::from(index) - 1] = Some(child);
        self.addresses[usize::from(index) - 1] = address;
    }
}

impl Drop for Processes {
    fn drop(&mut self) {
        (1..=self.nodes.len() as u8).for_each(|index| self.kill(index));
    }
}
