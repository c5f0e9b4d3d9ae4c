// A button for what changes something: it asks once more, says what it will do, and stays open with the reason when it
// is refused. What the key may not do cannot be pressed, and says which scope it takes.
import { AlertDialog } from '@base-ui/react/alert-dialog';
import { type ReactNode, useId, useState } from 'react';
import type { Method, PathWith } from '../../src/client/api-types.ts';
import type { AnyInput } from '../../src/client/service-client.ts';
import { useWrite } from '../service/use-service.ts';
import { fieldsOf } from '../text/form-fields.ts';
import { Failure } from './shown.tsx';

interface ConfirmedActionProps<Verb extends Exclude<Method, 'get'>, Path extends PathWith<Verb>> {
  verb: Verb;
  path: Path;
  label: string;
  title: string;
  /** What will happen. */
  children: ReactNode;
  /** `reason` is what was typed, where a reason is asked for; `fields` what was chosen in those of the dialog. */
  inputOf: (reason: string | undefined, fields: Readonly<Record<string, string>>) => AnyInput | Promise<AnyInput>;
  asksReason?: boolean;
  /** What else is asked for. */
  fields?: ReactNode;
  isDangerous?: boolean;
  onDone?: (answer: unknown) => void;
}

export function ConfirmedAction<Verb extends Exclude<Method, 'get'>, Path extends PathWith<Verb>>({
  verb,
  path,
  label,
  title,
  children,
  inputOf,
  asksReason = false,
  fields,
  isDangerous = false,
  onDone,
}: ConfirmedActionProps<Verb, Path>) {
  const { missingScope, send, isSending } = useWrite(verb, path);
  const now = { label, title, children, inputOf, kind: isDangerous ? 'danger' : 'primary' };
  // As the page was when the dialog was opened: what is read anew behind it nobody has looked at.
  const [opened, setOpened] = useState<typeof now>();
  const [error, setError] = useState<Error>();
  const reasonId = useId();
  const asked = opened ?? now;

  const change = (isOpen: boolean) => {
    setOpened(isOpen ? now : undefined);
    setError(undefined);
  };
  const confirm = async (form: HTMLFormElement) => {
    const { reason = '', ...chosen } = fieldsOf(form);
    try {
      const answer = await send(await asked.inputOf(reason === '' ? undefined : reason, chosen));
      change(false);
      onDone?.(answer);
    } catch (refusal) {
      setError(refusal as Error);
    }
  };

  if (missingScope !== undefined)
    return (
      <span className="unavailable">
        <button type="button" disabled>
          {label}
        </button>
        <span className="quiet">
          needs scope <code>{missingScope}</code>
        </span>
      </span>
    );
  return (
    <AlertDialog.Root open={opened !== undefined} onOpenChange={change}>
      <AlertDialog.Trigger className={now.kind}>{label}</AlertDialog.Trigger>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="backdrop" />
        <AlertDialog.Popup className="dialog">
          <form
            onSubmit={(event) => {
              event.preventDefault();
              void confirm(event.currentTarget);
            }}
          >
            <AlertDialog.Title>{asked.title}</AlertDialog.Title>
            <AlertDialog.Description render={<div />}>{asked.children}</AlertDialog.Description>
            {asksReason ? (
              <div className="field">
                <label htmlFor={reasonId}>Reason (kept with it)</label>
                <input id={reasonId} name="reason" maxLength={500} autoComplete="off" />
              </div>
            ) : null}
            {fields}
            {error === undefined ? null : <Failure error={error} />}
            <div className="actions">
              <AlertDialog.Close>Go back</AlertDialog.Close>
              <button type="submit" className={asked.kind} disabled={isSending}>
                {isSending ? 'One moment…' : asked.label}
              </button>
            </div>
          </form>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
