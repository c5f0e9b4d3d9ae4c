package countersign

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"time"

	"github.com/countersign/countersign/clients/go/api"
)

// Event is one of the feed, or of a webhook. Its type says what its data is, as in api.WithdrawalEventData.
type Event struct {
	// Seq is its place in the feed of the workspace.
	Seq       int64           `json:"seq"`
	ID        string          `json:"id"`
	Type      api.EventType   `json:"type"`
	Timestamp time.Time       `json:"timestamp"`
	Data      json.RawMessage `json:"data"`
}

// rawData is read twice: for its state, and for its type.
type rawData []byte

func (r *rawData) UnmarshalJSON(text []byte) error {
	*r = append((*r)[:0], text...)
	return nil
}

func (r rawData) into(value any) error { return json.Unmarshal(r, value) }

const eventsPath = "/api/v1/workspaces/{workspace_id}/events"

// Events are all those after a place that there are now, in order; after 0 from the oldest that is kept. When some of
// those after a place are no longer kept, they end with a RefusedError whose code is invalid_cursor.
func (c *Client) Events(ctx context.Context, afterSeq int64, types ...api.EventType) iter.Seq2[Event, error] {
	return c.events(ctx, afterSeq, types, false)
}

// FollowEvents are all those after a place, and those that come, until the context ends. Keep the place of the last
// one that was dealt with, to go on from. They end as Events do when those after a place are no longer kept.
func (c *Client) FollowEvents(ctx context.Context, afterSeq int64, types ...api.EventType) iter.Seq2[Event, error] {
	return c.events(ctx, afterSeq, types, true)
}

type eventsParams struct {
	AfterSeq *int64           `form:"after_seq"`
	Type     *[]api.EventType `form:"type"`
}

func (c *Client) events(ctx context.Context, afterSeq int64, types []api.EventType, follow bool) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		for {
			page, err := c.eventPage(ctx, afterSeq, types, follow)
			if err != nil {
				yield(Event{}, err)
				return
			}
			for _, event := range page {
				if !yield(event, nil) {
					return
				}
				afterSeq = event.Seq
			}
			if len(page) == 0 && !follow {
				return
			}
		}
	}
}

func (c *Client) eventPage(ctx context.Context, afterSeq int64, types []api.EventType, hold bool) ([]Event, error) {
	params := &eventsParams{}
	if afterSeq > 0 {
		params.AfterSeq = &afterSeq
	}
	if len(types) > 0 {
		params.Type = &types
	}
	var page []Event
	asked := call{http.MethodGet, eventsPath, params, nil, nil}
	if !hold {
		_, err := c.call(ctx, asked, &page)
		return page, err
	}
	wasHeld, err := c.held(ctx, asked, heldMax, &page)
	if err == nil && len(page) == 0 && !wasHeld {
		err = sleep(ctx, unheldPause)
	}
	return page, err
}
