//! Creates the keys of a node, of the orchestrator or for enrolment. Keeps every file that exists; prints public halves
//! only.

use super::hardening::lock_directory;
use crate::crypto::random;
use crate::crypto::seal::Seal;
use crate::storage::durable_file;
use crate::storage::identity::read_identity;
use crate::storage::replacement;
use crate::storage::secret_file::SecretFile;
use crate::storage::shares::vault::write_check;
use crate::storage::store_key_check::{form_of, Check, Form};
use ed25519_dalek::SigningKey;
use rcgen::{CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, IsCa, KeyPair};
use serde_json::{json, Value};
use std::fs;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;
use x25519_dalek::{PublicKey, StaticSecret};
use zeroize::Zeroizing;

/// `mpc-node init`
pub fn init_node(directory: &Path, index: u8, store_key_file: &Path) -> Result<Value, String> {
    if index == 0 {
        return Err("--index starts at 1".into());
    }
    let store_key = Seal::new(&*prepare_directory(directory, store_key_file)?);
    // Whoever holds the lock finishes it.
    if replacement::is_unfinished(directory) {
        lock_directory(directory)?;
    }
    let form = prepare_form(directory, index, &store_key)?;
    let identity_file = SecretFile::Identity.path(directory);
    if !identity_file.exists() {
        let seed = Zeroizing::new(random::bytes::<32>());
        store(&identity_file, &SecretFile::Identity.to_bytes(form, &store_key, &seed[..]))?;
    }
    let identity = read_identity(directory, &store_key)?;
    let name = format!("countersign-node-{index}");
    let certificate = init_tls(directory, &name, |pem| SecretFile::TlsKey.to_bytes(form, &store_key, pem))?;
    let public_key = hex::encode(identity.verifying_key().to_bytes());
    Ok(json!({"index": index, "identity_public_key": public_key, "tls_certificate": certificate}))
}

/// The form that the directory has; a new one has data keys and sealed secrets.
fn prepare_form(directory: &Path, node: u8, store_key: &Seal) -> Result<Form, String> {
    let shares = directory.join("shares");
    if let Some(form) = form_of(&shares)? {
        return Ok(form);
    }
    // A directory that `init` of before made, or one whose check was lost, stays what it is.
    let cannot_read = |e| format!("cannot read {}: {e}", shares.display());
    let is_empty = fs::read_dir(&shares).map_err(cannot_read)?.next().is_none();
    if SecretFile::Identity.path(directory).exists() || !is_empty {
        return Ok(Form::Direct);
    }
    write_check(&shares, store_key, &Check { form: Form::DataKeys, node })?;
    Ok(Form::DataKeys)
}

/// `mpc-node init-orchestrator`
pub fn init_orchestrator(directory: &Path) -> Result<Value, String> {
    create_directory(directory)?;
    let command_key = init_signing_key(&directory.join("command.key"))?;
    let certificate = init_tls(directory, "countersign-orchestrator", |pem| Zeroizing::new(pem.to_vec()))?;
    let public_key = hex::encode(command_key.verifying_key().to_bytes());
    Ok(json!({"command_public_key": public_key, "tls_certificate": certificate}))
}

/// `mpc-node init-enrolment`: for a directory that is not on the orchestrator or a node.
pub fn init_repair_key(directory: &Path) -> Result<Value, String> {
    create_directory(directory)?;
    let enrolment_key = init_signing_key(&directory.join("enrolment.key"))?;
    Ok(json!({"enrolment_public_key": hex::encode(enrolment_key.verifying_key().to_bytes())}))
}

fn init_signing_key(path: &Path) -> Result<SigningKey, String> {
    if !path.exists() {
        let seed = Zeroizing::new(random::bytes::<32>());
        store(path, pkcs8_pem(&seed).as_bytes())?;
    }
    read_signing_key(path)
}

/// `mpc-node init-backup`: as offline as what is restored by it is secret.
pub fn init_backup(directory: &Path) -> Result<Value, String> {
    create_directory(directory)?;
    let path = directory.join("backup.key");
    init_secret_file(&path)?;
    let public_key = PublicKey::from(&read_backup_key(&path)?);
    Ok(json!({"backup_public_key": hex::encode(public_key.to_bytes())}))
}

pub fn read_backup_key(path: &Path) -> Result<StaticSecret, String> {
    let text = Zeroizing::new(fs::read_to_string(path).map_err(|e| format!("cannot read {}: {e}", path.display()))?);
    let key = parse_secret(&text).ok_or_else(|| format!("{} is not 32 bytes of hex", path.display()))?;
    Ok(StaticSecret::from(*key))
}

/// What must be there before shares are: the directory, its folder of shares, and a store key, new or given.
pub fn prepare_directory(directory: &Path, store_key_file: &Path) -> Result<Zeroizing<[u8; 32]>, String> {
    create_directory(directory)?;
    let shares = directory.join("shares");
    create_directory(&shares)?;
    init_store_key(store_key_file, &shares)
}

/// Accepts 64 hex digits, with white space around them.
pub fn parse_store_key(text: &str) -> Result<Zeroizing<[u8; 32]>, String> {
    parse_secret(text).ok_or_else(|| "the store key is not 32 bytes of hex".into())
}

fn parse_secret(text: &str) -> Option<Zeroizing<[u8; 32]>> {
    let mut key = Zeroizing::new([0; 32]);
    hex::decode_to_slice(text.trim(), &mut key[..]).ok()?;
    Some(key)
}

/// DER of an Ed25519 private key by RFC 8410 is this prefix and the seed. Version 1, which every OpenSSL reads.
const PKCS8_ED25519_PREFIX: [u8; 16] =
    [0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20];

fn pkcs8_pem(seed: &[u8; 32]) -> Zeroizing<String> {
    let der = Zeroizing::new([&PKCS8_ED25519_PREFIX[..], &seed[..]].concat());
    Zeroizing::new(pem::encode_config(
        &pem::Pem::new("PRIVATE KEY", der.to_vec()),
        pem::EncodeConfig::new().set_line_ending(pem::LineEnding::LF),
    ))
}

/// The command key or the enrolment key.
pub fn read_signing_key(path: &Path) -> Result<SigningKey, String> {
    let text = Zeroizing::new(fs::read_to_string(path).map_err(|e| format!("cannot read {}: {e}", path.display()))?);
    let parsed = pem::parse(text.as_bytes()).map_err(|_| format!("{} is not PEM", path.display()))?;
    let seed = parsed.contents().strip_prefix(&PKCS8_ED25519_PREFIX[..]).and_then(|seed| seed.try_into().ok());
    seed.map(SigningKey::from_bytes).ok_or_else(|| format!("{} is not an Ed25519 PKCS#8 key", path.display()))
}

/// The store key of this file, which is made if there is none.
pub fn init_store_key(path: &Path, shares: &Path) -> Result<Zeroizing<[u8; 32]>, String> {
    let parent = durable_file::directory_of(path);
    create_directory(parent)?;
    let inside = |e: std::io::Error| format!("cannot resolve {}: {e}", parent.display());
    // A backup of the share folder must never carry the key that opens it.
    if parent.canonicalize().map_err(inside)?.starts_with(shares.canonicalize().map_err(inside)?) {
        return Err("the store key file must not lie in the folder of the shares".into());
    }
    init_secret_file(path)?;
    let text = fs::read_to_string(path).map_err(|e| format!("cannot read the store key: {e}"))?;
    parse_store_key(&Zeroizing::new(text))
}

fn init_secret_file(path: &Path) -> Result<(), String> {
    if path.exists() {
        return Ok(());
    }
    let key = Zeroizing::new(random::bytes::<32>());
    store(path, Zeroizing::new(hex::encode(&key[..]) + "\n").as_bytes())
}

/// A self-signed certificate, pinned by its bytes: neither its name nor its authority matters to anybody.
fn init_tls(directory: &Path, name: &str, seal_key: impl Fn(&[u8]) -> Zeroizing<Vec<u8>>) -> Result<String, String> {
    let (key_path, certificate_path) = (directory.join("tls.key"), directory.join("tls.crt"));
    if key_path.exists() && certificate_path.exists() {
        return fs::read_to_string(&certificate_path).map_err(|e| format!("cannot read tls.crt: {e}"));
    }
    let failed = |e: rcgen::Error| format!("cannot make a TLS certificate: {e}");
    let key = KeyPair::generate().map_err(failed)?;
    let mut parameters = CertificateParams::new(vec![name.to_string()]).map_err(failed)?;
    parameters.is_ca = IsCa::ExplicitNoCa;
    parameters.distinguished_name = DistinguishedName::new();
    parameters.distinguished_name.push(DnType::CommonName, name);
    parameters.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth, ExtendedKeyUsagePurpose::ClientAuth];
    parameters.not_before = rcgen::date_time_ymd(2024, 1, 1);
    parameters.not_after = rcgen::date_time_ymd(2124, 1, 1);
    let certificate = parameters.self_signed(&key).map_err(failed)?.pem();
    store(&key_path, &seal_key(Zeroizing::new(key.serialize_pem()).as_bytes()))?;
    store(&certificate_path, certificate.as_bytes())?;
    Ok(certificate)
}

fn create_directory(path: &Path) -> Result<(), String> {
    let created = fs::DirBuilder::new().recursive(true).mode(0o700).create(path);
    created.map_err(|e| format!("cannot create {}: {e}", path.display()))
}

fn store(path: &Path, bytes: &[u8]) -> Result<(), String> {
    durable_file::write(path, bytes).map_err(|e| format!("cannot write {}: {e}", path.display()))
}
