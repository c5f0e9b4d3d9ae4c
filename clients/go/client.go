// Package countersign is the client of Countersign, an open MPC wallet and signing service. It signs requests, tries
// again what may pass, does every write once, waits for operations, walks lists and verifies webhooks.
package countersign

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strings"
	"sync"
	"time"
)

const defaultRetries = 3

// Options say which service is called, and with which key.
type Options struct {
	// BaseURL is scheme, host and port, as in http://127.0.0.1:8150.
	BaseURL   string
	APIKey    string
	APISecret string
	// Retries is how often a request that failed is sent again; 3 when it is 0, never when it is negative.
	Retries int
	// HTTPClient is for proxies and certificates of your own; redirects are never followed.
	HTTPClient *http.Client
}

// Client has a method for each operation of the service. The workspace is the one of the key. It is safe to share.
type Client struct {
	transport   *transport
	mutex       sync.Mutex
	workspaceID string
}

// New makes a client. It asks the service for nothing.
func New(options Options) *Client {
	given := http.Client{}
	if options.HTTPClient != nil {
		given = *options.HTTPClient
	}
	// A signature is for one path.
	given.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	retries := options.Retries
	if retries == 0 {
		retries = defaultRetries
	}
	return &Client{transport: &transport{
		baseURL:     strings.TrimRight(options.BaseURL, "/"),
		credentials: Credentials{APIKey: options.APIKey, APISecret: options.APISecret},
		retries:     retries,
		http:        &given,
	}}
}

// CallOption is of one call.
type CallOption func(http.Header)

// WithIdempotencyKey names a write: with the same key and the same body the service does the work once, whoever asks
// again. A random one is taken otherwise.
func WithIdempotencyKey(key string) CallOption {
	return func(header http.Header) { header.Set("X-Idempotency-Key", key) }
}

// WithWait has the service hold a read until the operation is final, for at most 30 seconds.
func WithWait(wait time.Duration) CallOption {
	return func(header http.Header) { header.Set("Prefer", fmt.Sprintf("wait=%d", max(1, int(wait.Seconds())))) }
}

// WorkspaceID is of the key's workspace. It is asked for once.
func (c *Client) WorkspaceID(ctx context.Context) (string, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.workspaceID != "" {
		return c.workspaceID, nil
	}
	key, err := c.ReadOwnAPIKey(ctx)
	if err != nil {
		return "", err
	}
	c.workspaceID = key.WorkspaceID
	return c.workspaceID, nil
}

type call struct {
	method  string
	path    string
	params  any
	body    any
	options []CallOption
}

// call writes the data of the answer to where it is told to, unless that is nil.
func (c *Client) call(ctx context.Context, call call, data any) (*http.Response, error) {
	response, err := c.do(ctx, call)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	envelope := struct {
		Data any `json:"data"`
	}{data}
	if err := json.NewDecoder(response.Body).Decode(&envelope); err != nil {
		return nil, fmt.Errorf("countersign: the answer is not as it should be: %w", err)
	}
	return response, nil
}

func (c *Client) do(ctx context.Context, call call) (*http.Response, error) {
	path := call.path
	if strings.Contains(path, "{workspace_id}") {
		workspaceID, err := c.WorkspaceID(ctx)
		if err != nil {
			return nil, err
		}
		path = strings.ReplaceAll(path, "{workspace_id}", workspaceID)
	}
	query, err := encodeQuery(call.params)
	if err != nil {
		return nil, err
	}
	var body io.Reader
	if call.body != nil {
		text, err := json.Marshal(call.body)
		if err != nil {
			return nil, err
		}
		// A body that need not be there may be nil.
		if string(text) != "null" {
			body = bytes.NewReader(text)
		}
	}
	request, err := http.NewRequestWithContext(ctx, call.method, c.transport.baseURL+path+query, body)
	if err != nil {
		return nil, err
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	for _, option := range call.options {
		option(request.Header)
	}
	return c.transport.do(request)
}

// either is of operations that answer with one thing, or, by 202, with another.
func either[First, Second any](ctx context.Context, c *Client, call call) (*First, *Second, error) {
	var raw json.RawMessage
	response, err := c.call(ctx, call, &raw)
	if err != nil {
		return nil, nil, err
	}
	if response.StatusCode == http.StatusAccepted {
		second := new(Second)
		return nil, second, json.Unmarshal(raw, second)
	}
	first := new(First)
	return first, nil, json.Unmarshal(raw, first)
}

// file is read by the caller, who closes it. An error while it is read means that it is not whole.
func (c *Client) file(ctx context.Context, path string, params any) (io.ReadCloser, error) {
	response, err := c.do(ctx, call{http.MethodGet, path, params, nil, nil})
	if err != nil {
		return nil, err
	}
	return response.Body, nil
}

// pages walks a list by the cursor that each page leads to. It asks for the next page only when its rows are wanted.
func pages[Row any](ctx context.Context, c *Client, path string, params any) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		for cursor := ""; ; {
			var rows []Row
			response, err := c.call(ctx, call{http.MethodGet, path, cursored{params, cursor}, nil, nil}, &rows)
			if err != nil {
				yield(*new(Row), err)
				return
			}
			for _, row := range rows {
				if !yield(row, nil) {
					return
				}
			}
			if cursor = response.Header.Get("X-Next-Cursor"); cursor == "" {
				return
			}
		}
	}
}
