//! TLS 1.3 with one certificate each way. The peer's certificate is compared byte by byte with the pinned one; names,
//! dates and authorities mean nothing here. No secrets besides tls.key.

use crate::crypto::seal::Seal;
use crate::storage::secret_file::SecretFile;
use rustls::client::danger::HandshakeSignatureValid;
use rustls::crypto::{ring, verify_tls13_signature, CryptoProvider};
use rustls::pki_types::{pem::PemObject, CertificateDer, PrivateKeyDer, UnixTime};
use rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use rustls::{
    CertificateError, DigitallySignedStruct, DistinguishedName, Error, PeerIncompatible, ServerConfig, SignatureScheme,
};
use std::path::Path;
use std::sync::Arc;

pub fn server_config(
    directory: &Path,
    store_key: &[u8; 32],
    client: CertificateDer<'static>,
) -> Result<ServerConfig, String> {
    let certificate = CertificateDer::from_pem_file(directory.join("tls.crt"));
    let certificate = certificate.map_err(|e| format!("cannot read tls.crt: {e}"))?;
    let key = SecretFile::TlsKey.read(directory, &Seal::new(store_key))?;
    let key = PrivateKeyDer::from_pem_slice(&key).map_err(|e| format!("cannot read tls.key: {e}"))?;
    let provider = Arc::new(ring::default_provider());
    let failed = |e: Error| format!("cannot set up TLS: {e}");
    ServerConfig::builder_with_provider(provider.clone())
        .with_protocol_versions(&[&rustls::version::TLS13])
        .map_err(failed)?
        .with_client_cert_verifier(Arc::new(PinnedClient { client, provider }))
        .with_single_cert(vec![certificate], key)
        .map_err(failed)
}

#[derive(Debug)]
struct PinnedClient {
    client: CertificateDer<'static>,
    provider: Arc<CryptoProvider>,
}

impl ClientCertVerifier for PinnedClient {
    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        &[]
    }

    fn verify_client_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _now: UnixTime,
    ) -> Result<ClientCertVerified, Error> {
        if *end_entity == self.client {
            Ok(ClientCertVerified::assertion())
        } else {
            Err(Error::InvalidCertificate(CertificateError::ApplicationVerificationFailure))
        }
    }

    fn verify_tls12_signature(
        &self,
        _message: &[u8],
        _certificate: &CertificateDer<'_>,
        _signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Err(Error::PeerIncompatible(PeerIncompatible::Tls13RequiredForQuic))
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signature, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
