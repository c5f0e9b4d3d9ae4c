// A schema as a tree: each field with its type, what it must be, what it means and an example. What lies deeper is
// folded, and made when it is opened, since some schemas contain themselves.
import { type ReactNode, useState } from 'react';
import { type ApiDocument, asText, flattened, type Schema } from './document.ts';
import { usePage } from './page-state.tsx';
import { Prose } from './prose.tsx';
import { boundsInWords, formsOf, titleOfForm, typeInWords, valuesOf } from './schema-words.ts';

/** How deep it is open at first. */
const OPEN_TO_DEPTH = 1;

interface SchemaTreeProps {
  schema: Schema;
  depth?: number;
}

/** What is inside: fields, items or forms; nothing for a plain value. */
export function SchemaTree({ schema: given, depth = 0 }: SchemaTreeProps) {
  const { document } = usePage();
  const schema = flattened(document, given);
  const choices = (schema.oneOf ?? schema.anyOf)?.filter((choice) => flattened(document, choice).type !== 'null');
  const forms = formsOf(document, schema);
  if (valuesOf(document, schema) !== undefined) return null;
  if (choices !== undefined && forms.length > 1)
    return (
      <ul className="fields" aria-label="Forms">
        {choices.map((choice) => (
          <li key={titleOfForm(document, choice)}>
            <Folded title={titleOfForm(document, choice)} isOpenAtFirst={false}>
              <Prose text={flattened(document, choice).description} />
              <SchemaTree schema={choice} depth={depth + 1} />
            </Folded>
          </li>
        ))}
      </ul>
    );
  const [only = schema] = forms;
  if (only.items !== undefined) return <SchemaTree schema={only.items} depth={depth} />;
  if (only.properties !== undefined) return <Fields schema={only} depth={depth} />;
  if (typeof only.additionalProperties === 'object')
    return <Field name="any name" schema={only.additionalProperties} isRequired={false} depth={depth} />;
  return null;
}

const Fields = ({ schema: { properties = {}, required = [] }, depth }: { schema: Schema; depth: number }) => (
  <ul className="fields">
    {Object.entries(properties).map(([name, field]) => (
      <li key={name}>
        <Field name={name} schema={field} isRequired={required.includes(name)} depth={depth} />
      </li>
    ))}
  </ul>
);

interface FieldProps {
  name: string;
  schema: Schema;
  isRequired: boolean;
  depth: number;
}

function Field({ name, schema: given, isRequired, depth }: FieldProps) {
  const { document } = usePage();
  const schema = flattened(document, given);
  return (
    <>
      <FieldHead name={name} schema={schema} isRequired={isRequired} />
      {hasInside(document, schema) ? (
        <Folded title={`Inside ${name}`} isOpenAtFirst={depth < OPEN_TO_DEPTH}>
          <SchemaTree schema={schema} depth={depth + 1} />
        </Folded>
      ) : null}
    </>
  );
}

/** Also of a parameter. */
export function FieldHead({ name, schema: given, isRequired }: Omit<FieldProps, 'depth'>) {
  const { document } = usePage();
  const schema = flattened(document, given);
  const [only = schema] = formsOf(document, schema);
  const values = valuesOf(document, only.items === undefined ? schema : flattened(document, only.items));
  const bounds = boundsInWords(only);
  const example = schema.examples?.[0] ?? only.examples?.[0];
  return (
    <>
      <p className="field-head">
        <code>{name}</code> <span className="quiet">{typeInWords(document, schema)}</span>{' '}
        {isRequired ? <span className="status waiting">required</span> : null}
      </p>
      <Prose text={schema.description} />
      {values === undefined ? null : <Listed label={values.length === 1 ? 'Always' : 'One of'} values={values} />}
      {bounds === '' ? null : <p className="quiet">{bounds}</p>}
      {only.pattern === undefined ? null : <Listed label="Matches" values={[only.pattern]} />}
      {example === undefined ? null : <Listed label="For example" values={[example]} />}
    </>
  );
}

const Listed = ({ label, values }: { label: string; values: readonly unknown[] }) => (
  <p className="quiet">
    {label}
    {values.map((value) => (
      <code key={asText(value)}> {asText(value)}</code>
    ))}
  </p>
);

function hasInside(document: ApiDocument, schema: Schema): boolean {
  if (valuesOf(document, schema) !== undefined) return false;
  const forms = formsOf(document, schema);
  if (forms.length > 1) return true;
  const [{ items, properties, additionalProperties } = schema] = forms;
  if (items !== undefined) return hasInside(document, flattened(document, items));
  return properties !== undefined || typeof additionalProperties === 'object';
}

function Folded({ title, isOpenAtFirst, children }: { title: string; isOpenAtFirst: boolean; children: ReactNode }) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen ? children : null}
    </details>
  );
}
