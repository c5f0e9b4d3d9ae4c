//! Goal: the node's policy sees in a payload what the API's sees: the chain, every movement, and whether there is more to it.
//! Method: vectors/policy.json, which the API's tests read too (test/conformance/policy-vectors.test.ts).

use mpc_node::command::Payload;
use mpc_node::policy::seen;
use mpc_node::wire::decode;
use serde_json::{json, Value};

#[test]
fn every_vector_is_seen_as_the_api_sees_it() {
    let vectors: Vec<Value> = serde_json::from_str(include_str!("../vectors/policy.json")).expect("JSON");
    assert!(vectors.len() > 30);
    for vector in vectors {
        let name = vector["name"].as_str().expect("a name");
        let bytes = hex::decode(vector["payload"].as_str().expect("a payload")).expect("hex");
        let payload: Payload = decode(&bytes).unwrap_or_else(|| panic!("{name}: it could not be decoded"));
        let expected =
            json!({"chain": vector["chain"], "movements": vector["movements"], "unknown": vector["unknown"]});
        assert_eq!(serde_json::to_value(seen(&payload)).expect("JSON"), expected, "{name}");
    }
}
