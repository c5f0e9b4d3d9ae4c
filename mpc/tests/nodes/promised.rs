//! Goal: no test that is promised under a name gets lost under another. Method: look for the names, also for those that
//! RULES.md gives.

use std::path::Path;

const NAMES: [&str; 30] = [
    "kos_flip_bans",
    "ban_survives_restart_rollback_hd_child",
    "ban_races_16_sessions",
    "skewed_version",
    "frost_dkg_equivocation",
    "frost_refresh_equivocation",
    "chaincode_copy",
    "proof_copy_t_eq_n",
    "commitment_swap_after_reveal",
    "dkg_two_wallet_names",
    "dkg_crash_each_step_each_node",
    "refresh_crash_each_step",
    "selective_ot_init_failure",
    "subset_refresh",
    "mixed_epoch_sign",
    "repair_wrong_target_or_identity",
    "sid_reuse",
    "cross_attempt_replay",
    "message_mismatch_between_nodes",
    "nonce_single_use_after_crash",
    "withheld_last_round",
    "int_truncation",
    "path_traversal_and_corrupt_share",
    "small_order_mixed_identity_points",
    "degree_raise",
    "fuzz_all_decoders",
    "flood_memory_cap",
    "parallel_root_child_signs",
    "secrets_absent_from_logs",
    "vectors",
];

fn sources(folder: &Path) -> String {
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths.map(|path| if path.is_dir() { sources(&path) } else { std::fs::read_to_string(path).unwrap() }).collect()
}

#[test]
fn every_promised_test_is_there() {
    let text = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/nodes"));
    let rules = include_str!("../../RULES.md").split('`').skip(1).step_by(2);
    let is_name =
        |text: &&str| text.contains('_') && text.bytes().all(|byte| byte == b'_' || byte.is_ascii_alphanumeric());
    // A test by this name, one that begins with it, or a module of them.
    for name in rules.filter(is_name).chain(NAMES) {
        let found = [format!("]\nfn {name}"), format!("]\nasync fn {name}"), format!("mod {name};")];
        assert!(found.iter().any(|found| text.contains(found)), "{name}");
    }
}
