package countersign

import (
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const webhookTolerance = 5 * time.Minute

// WebhookKeys prove a webhook. One of them is enough; with both, either signature proves it.
type WebhookKeys struct {
	// Secrets are whsec_…, as the service showed them once; several while one is being replaced.
	Secrets []string
	// PublicKey is the service's, as the webhook verification key, with or without whpk_.
	PublicKey string
}

// VerifyWebhook returns the event of a webhook, by the Standard Webhooks specification, or a WebhookRefusedError when
// it is not from the service, or not from now. The body is the one that came: parsed and printed again, it would be
// another one. Nothing is remembered: a delivery that comes twice verifies twice.
func VerifyWebhook(body []byte, header http.Header, keys WebhookKeys) (Event, error) {
	return VerifyWebhookAt(time.Now(), body, header, keys)
}

// VerifyWebhookAt is VerifyWebhook by another clock.
func VerifyWebhookAt(now time.Time, body []byte, header http.Header, keys WebhookKeys) (Event, error) {
	var event Event
	secrets, publicKey, err := keys.read()
	if err != nil {
		return event, err
	}
	id, timestamp, signatures := header.Get("webhook-id"), header.Get("webhook-timestamp"), header.Get("webhook-signature")
	if id == "" || timestamp == "" || signatures == "" {
		return event, &WebhookRefusedError{"a header of a webhook is missing"}
	}
	seconds, err := strconv.ParseInt(timestamp, 10, 41)
	if err != nil {
		return event, &WebhookRefusedError{"webhook-timestamp is not a time in seconds"}
	}
	if now.Sub(time.Unix(seconds, 0)).Abs() > webhookTolerance {
		return event, &WebhookRefusedError{"it was signed more than five minutes from now: it may be a repeat"}
	}
	content := fmt.Appendf(nil, "%s.%s.%s", id, timestamp, body)
	for _, signature := range strings.Split(signatures, " ") {
		if isSignature(signature, content, secrets, publicKey) {
			return event, json.Unmarshal(body, &event)
		}
	}
	return event, &WebhookRefusedError{"none of its signatures is by these keys"}
}

func isSignature(signature string, content []byte, secrets [][]byte, publicKey ed25519.PublicKey) bool {
	version, encoded, _ := strings.Cut(signature, ",")
	given, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return false
	}
	if version == "v1a" && publicKey != nil {
		return ed25519.Verify(publicKey, content, given)
	}
	if version != "v1" {
		return false
	}
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, secret)
		mac.Write(content)
		if hmac.Equal(mac.Sum(nil), given) {
			return true
		}
	}
	return false
}

func (k WebhookKeys) read() (secrets [][]byte, publicKey ed25519.PublicKey, err error) {
	for _, secret := range k.Secrets {
		bytes, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil || len(bytes) == 0 {
			return nil, nil, errors.New("countersign: the secret of a webhook is whsec_ and base64")
		}
		secrets = append(secrets, bytes)
	}
	if k.PublicKey != "" {
		publicKey, err = base64.StdEncoding.DecodeString(strings.TrimPrefix(k.PublicKey, "whpk_"))
		if err != nil || len(publicKey) != ed25519.PublicKeySize {
			return nil, nil, errors.New("countersign: the public key of webhooks is 32 bytes in base64")
		}
	}
	if len(secrets) == 0 && publicKey == nil {
		return nil, nil, errors.New("countersign: verifying a webhook takes its secret, or the public key of the service")
	}
	return secrets, publicKey, nil
}
