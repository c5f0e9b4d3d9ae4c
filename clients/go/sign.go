package countersign

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// Credentials are those of one API key.
type Credentials struct {
	APIKey    string
	APISecret string
}

// String keeps the secret out of logs.
func (c Credentials) String() string { return c.APIKey }

// GoString keeps the secret out of logs.
func (c Credentials) GoString() string { return c.APIKey }

// SignRequest computes the three headers that authenticate a request. The path is with the query string, the body the
// exact text; both as they are sent.
func SignRequest(credentials Credentials, method, path string, body []byte, unixSeconds int64) http.Header {
	mac := hmac.New(sha256.New, []byte(credentials.APISecret))
	fmt.Fprintf(mac, "method=%s&path=%s&timestamp=%d&body=%s", method, path, unixSeconds, body)
	digest := hex.EncodeToString(mac.Sum(nil))
	header := http.Header{}
	header.Set("ACCESS-API-KEY", credentials.APIKey)
	header.Set("ACCESS-TIMESTAMP", strconv.FormatInt(unixSeconds, 10))
	header.Set("ACCESS-SIGN", base64.StdEncoding.EncodeToString([]byte(digest)))
	return header
}

const (
	secondsAheadMax = 240
	rememberedMax   = 10_000
)

// writeClock gives each write the second that it is signed with. The service accepts a signature once, and equal
// writes signed in the same second have equal signatures: the later one is dated one second ahead, well within the
// five minutes that clocks may differ.
type writeClock struct {
	mutex      sync.Mutex
	lastSecond map[string]int64
}

func (c *writeClock) secondFor(write string) (int64, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	now := time.Now().Unix()
	second := max(now, c.lastSecond[write]+1)
	if second > now+secondsAheadMax {
		return 0, errors.New("countersign: too many equal writes at once: vary their bodies")
	}
	if c.lastSecond == nil || len(c.lastSecond) >= rememberedMax {
		kept := map[string]int64{}
		for key, at := range c.lastSecond {
			if at >= now {
				kept[key] = at
			}
		}
		c.lastSecond = kept
	}
	c.lastSecond[write] = second
	return second, nil
}
