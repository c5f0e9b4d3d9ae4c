// A call of an operation: its parameters and body to fill in, the key that signs it, and the answer as it came.
import { type FormEvent, useId, useState } from 'react';
import { type Scope, scopesAllow } from '../../domain/scopes.ts';
import { Section } from '../components/section.tsx';
import { Failure } from '../components/shown.tsx';
import { fieldsOf } from '../text/form-fields.ts';
import { type Answered, type Call, send } from './call.ts';
import { asText, type Entry, exampleOf, exampleOfBody, flattened, type Parameter } from './document.ts';
import { KeyForm } from './key-form.tsx';
import { type Signer, usePage } from './page-state.tsx';
import { valuesOf } from './schema-words.ts';

interface TryItProps {
  entry: Entry;
  parameters: readonly Parameter[];
}

export function TryIt({ entry, parameters }: TryItProps) {
  const { signer } = usePage();
  const [answered, setAnswered] = useState<Answered>();
  const [error, setError] = useState<Error>();
  const [isSending, setSending] = useState(false);
  const lacks = missingScope(entry, signer);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setError(undefined);
    setAnswered(undefined);
    setSending(true);
    try {
      setAnswered(await send(callOf(entry, parameters, { fields: fieldsOf(event.currentTarget), signer })));
    } catch (refusal) {
      setError(refusal as Error);
    } finally {
      setSending(false);
    }
  };

  if (entry.isSigned && signer === undefined)
    return (
      <Section title="Try it">
        <KeyForm />
      </Section>
    );
  return (
    <Section title="Try it">
      {lacks === undefined ? null : (
        <p className="caution">
          Your key lacks the scope <code>{lacks}</code>: the service will refuse this.
        </p>
      )}
      <form className="write-form" onSubmit={(event) => void submit(event)}>
        {parameters.map((parameter) => (
          <ParameterField key={parameter.name} parameter={parameter} workspaceId={signer?.key.workspace_id} />
        ))}
        <BodyField text={exampleOfBody(entry.operation)} />
        <button type="submit" className="primary" disabled={isSending}>
          {isSending ? 'One moment…' : `Send ${entry.method}`}
        </button>
      </form>
      <div role="status" aria-live="polite">
        {error === undefined ? null : <Failure error={error} />}
        {answered === undefined ? null : <AnswerOfService answered={answered} />}
      </div>
    </Section>
  );
}

function missingScope({ operation }: Entry, signer: Signer | undefined): Scope | undefined {
  const needed = operation['x-scope'] as Scope | undefined;
  if (needed === undefined || signer === undefined) return undefined;
  return scopesAllow(signer.key.scopes as Scope[], needed) ? undefined : needed;
}

const BODY = 'body';
const nameOf = (parameter: Parameter) => `${parameter.in}:${parameter.name}`;

interface Filled {
  fields: Readonly<Record<string, string>>;
  signer: Signer | undefined;
}

function callOf({ method, path, isSigned }: Entry, parameters: readonly Parameter[], { fields, signer }: Filled): Call {
  const filled = (place: Parameter['in']) =>
    parameters.flatMap((parameter) => {
      const value = fields[nameOf(parameter)] ?? '';
      return parameter.in === place && value !== '' ? [[parameter.name, value] as const] : [];
    });
  const inPath = Object.fromEntries(filled('path'));
  const query = new URLSearchParams(filled('query').map(([name, value]) => [name, value]));
  const place = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(inPath[name] ?? ''));
  return {
    method,
    path: query.size === 0 ? place : `${place}?${query}`,
    headers: Object.fromEntries(filled('header')),
    body: fields[BODY] === '' ? undefined : fields[BODY],
    authorize: isSigned ? signer?.authorize : undefined,
  };
}

interface ParameterFieldProps {
  parameter: Parameter;
  workspaceId: string | undefined;
}

/** What has to be sent is filled in, as far as it is known. */
function ParameterField({ parameter, workspaceId }: ParameterFieldProps) {
  const { document } = usePage();
  const id = useId();
  const { name, required = false } = parameter;
  const example = exampleOf(parameter);
  const values = valuesOf(document, flattened(document, parameter.schema));
  const initial = required ? ((name === 'workspace_id' ? workspaceId : undefined) ?? example) : '';
  const shared = { id, name: nameOf(parameter), required, defaultValue: initial };
  return (
    <div className="field">
      <label htmlFor={id}>
        {name} <span className="quiet">({parameter.in})</span>
      </label>
      {values === undefined ? (
        <input {...shared} placeholder={example} autoComplete="off" spellCheck={false} />
      ) : (
        <select {...shared}>
          {required ? null : <option value="">not sent</option>}
          {values.map((value) => (
            <option key={asText(value)}>{asText(value)}</option>
          ))}
        </select>
      )}
    </div>
  );
}

function BodyField({ text }: { text: string | undefined }) {
  const id = useId();
  if (text === undefined) return null;
  return (
    <div className="field">
      <label htmlFor={id}>Body, as it is sent</label>
      <textarea id={id} name={BODY} rows={Math.min(text.split('\n').length + 1, 20)} defaultValue={text} />
    </div>
  );
}

const AnswerOfService = ({ answered: { status, milliseconds, headers, body } }: { answered: Answered }) => (
  <>
    <h3>
      Answer <span className={`status ${status < 400 ? 'good' : 'bad'}`}>{status}</span>{' '}
      <span className="quiet">{milliseconds} ms</span>
    </h3>
    <details>
      <summary>Headers</summary>
      <pre>{headers.map(([name, value]) => `${name}: ${value}`).join('\n')}</pre>
    </details>
    {body === '' ? <p className="quiet">It has no body.</p> : <pre>{body}</pre>}
  </>
);
