// A form for one write: fields with labels, what went wrong, and a button that says what it does.
import { type ReactNode, useId, useState } from 'react';
import type { Method, PathWith } from '../../src/client/api-types.ts';
import type { AnyInput } from '../../src/client/service-client.ts';
import { useWrite } from '../service/use-service.ts';
import { fieldsOf } from '../text/form-fields.ts';
import { Failure, NeedsScope, NeedsSignature } from './shown.tsx';

interface WriteFormProps<Verb extends Exclude<Method, 'get'>, Path extends PathWith<Verb>> {
  verb: Verb;
  path: Path;
  label: string;
  children: ReactNode;
  /** Of what was filled in, by the names of the fields; empty ones are left out. Throws for what cannot be sent. */
  inputOf: (fields: Record<string, string>) => AnyInput;
  onDone?: (answer: unknown) => void;
  /** Whether what was filled in stays, for who tries one thing after another. */
  keepsFields?: boolean;
}

export function WriteForm<Verb extends Exclude<Method, 'get'>, Path extends PathWith<Verb>>({
  verb,
  path,
  label,
  children,
  inputOf,
  onDone,
  keepsFields = false,
}: WriteFormProps<Verb, Path>) {
  const { missingScope, needsSignature, send, isSending } = useWrite(verb, path);
  const [error, setError] = useState<Error>();
  if (missingScope !== undefined) return <NeedsScope scope={missingScope} />;
  if (needsSignature) return <NeedsSignature />;
  const submit = async (form: HTMLFormElement) => {
    setError(undefined);
    const filled = Object.entries(fieldsOf(form));
    try {
      const answer = await send(inputOf(Object.fromEntries(filled.filter(([, value]) => value !== ''))));
      if (!keepsFields) form.reset();
      onDone?.(answer);
    } catch (refusal) {
      setError(refusal as Error);
    }
  };
  return (
    <form
      className="write-form"
      onSubmit={(event) => {
        event.preventDefault();
        void submit(event.currentTarget);
      }}
    >
      {children}
      {error === undefined ? null : <Failure error={error} />}
      <button type="submit" className="primary" disabled={isSending}>
        {isSending ? 'One moment…' : label}
      </button>
    </form>
  );
}

interface TextFieldProps {
  name: string;
  label: string;
  isRequired?: boolean;
  isLong?: boolean;
  placeholder?: string;
  initial?: string;
}

export function TextField({ name, label, isRequired = false, isLong = false, placeholder, initial }: TextFieldProps) {
  const id = useId();
  const shared = { id, name, required: isRequired, placeholder, defaultValue: initial, autoComplete: 'off' };
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {isLong ? <textarea {...shared} rows={12} spellCheck={false} /> : <input {...shared} />}
    </div>
  );
}

type Choices = readonly (readonly [value: string, label: string])[];

interface ChoiceFieldProps {
  name: string;
  label: string;
  choices: Choices;
  onChoice?: (value: string) => void;
}

export function ChoiceField({ name, label, choices, onChoice }: ChoiceFieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} name={name} onChange={(event) => onChoice?.(event.currentTarget.value)}>
        {choices.map(([value, shown]) => (
          <option key={value} value={value}>
            {shown}
          </option>
        ))}
      </select>
    </div>
  );
}

export function DayField({ name, label }: { name: string; label: string }) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input id={id} name={name} type="date" />
    </div>
  );
}

interface ChecksFieldProps {
  name: string;
  legend: string;
  choices: Choices;
  initial?: readonly string[];
}

/** Any number of some; `chosenIn` reads which. */
export function ChecksField({ name, legend, choices, initial = [] }: ChecksFieldProps) {
  const id = useId();
  return (
    <fieldset className="checks">
      <legend>{legend}</legend>
      {choices.map(([value, shown]) => (
        <div key={value} className="check">
          <input id={id + value} name={`${name}:${value}`} type="checkbox" defaultChecked={initial.includes(value)} />
          <label htmlFor={id + value}>{shown}</label>
        </div>
      ))}
    </fieldset>
  );
}
