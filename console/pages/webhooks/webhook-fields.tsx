// The fields of a webhook, of a new one and of one that is changed, and its secret when that is shown.
import { eventTypes } from '../../../domain/events/event-types.ts';
import { ChecksField, TextField } from '../../components/form.tsx';
import { ShownOnce } from '../../components/shown-once.tsx';

interface WebhookFieldsProps {
  initial?: { url: string; description?: string | undefined; events: readonly string[] };
}

export function WebhookFields({ initial }: WebhookFieldsProps) {
  return (
    <>
      <TextField
        name="url"
        label="Address that events are posted to"
        isRequired
        placeholder="https://example.com/countersign"
        initial={initial?.url ?? ''}
      />
      <TextField name="description" label="What it is for" initial={initial?.description ?? ''} />
      <details>
        <summary>Only some types of events</summary>
        <ChecksField
          name="event"
          legend="All types when none is checked"
          choices={eventTypes.map((type) => [type, type])}
          initial={initial?.events ?? []}
        />
      </details>
    </>
  );
}

interface WebhookSecretProps {
  secret: string;
  onPutAway: () => void;
}

export const WebhookSecret = ({ secret, onPutAway }: WebhookSecretProps) => (
  <ShownOnce secret={secret} what="the secret of the webhook" onPutAway={onPutAway}>
    This is the secret by which the receiver verifies what comes. It is shown this once: keep it where the receiver
    reads it.
  </ShownOnce>
);
