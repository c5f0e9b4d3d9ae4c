// One operation or event: what it is for, what goes in, what comes back with which errors, and a call of it.
import { apiErrors } from '../../domain/failures.ts';
import { PageHead, Section } from '../components/section.tsx';
import { type Answer, type Entry, exampleOfBody, followed, type Parameter } from './document.ts';
import { usePage } from './page-state.tsx';
import { Inline, Prose } from './prose.tsx';
import { FieldHead, SchemaTree } from './schema-tree.tsx';
import { typeInWords } from './schema-words.ts';
import { TryIt } from './try-it.tsx';

const SUCCESS_BELOW = 300;

export function OperationPage({ entry }: { entry: Entry }) {
  const { document } = usePage();
  const { kind, method, path, isSigned, operation } = entry;
  const parameters = operation.parameters?.map((parameter) => followed<Parameter>(document, parameter)) ?? [];
  const answers = Object.entries(operation.responses).map(
    ([status, answer]) => [status, followed<Answer>(document, answer)] as const,
  );
  const scope = operation['x-scope'];
  return (
    <>
      <PageHead title={kind === 'event' ? path : operation.summary} />
      <p className="endpoint">
        <span className="status">{method}</span> <code>{path}</code>{' '}
        {operation.deprecated === true ? <span className="status bad">deprecated</span> : null}
      </p>
      <Prose text={kind === 'event' ? operation.summary : operation.description} />
      {kind === 'event' ? null : (
        <p className="quiet">
          <code>{operation.operationId}</code> in the generated clients.{' '}
          {isSigned ? 'It is signed by an API key' : 'It needs no key'}
          {scope === undefined ? null : (
            <>
              {' '}
              with the scope <code>{scope}</code>
            </>
          )}
          .
        </p>
      )}
      {parameters.length === 0 ? null : <Parameters parameters={parameters} />}
      <Body entry={entry} />
      {kind === 'event' ? null : <TryIt entry={entry} parameters={parameters} />}
      <Section title={kind === 'event' ? 'What the receiver answers' : 'Answers'}>
        {answers.map(([status, answer]) => (
          <AnswerOf key={status} status={status} answer={answer} />
        ))}
      </Section>
    </>
  );
}

const placesOf = { path: 'In the path', query: 'In the query', header: 'In the headers' };

const Parameters = ({ parameters }: { parameters: readonly Parameter[] }) => (
  <Section title="Parameters">
    {(['path', 'query', 'header'] as const).map((place) => {
      const those = parameters.filter((parameter) => parameter.in === place);
      if (those.length === 0) return null;
      return (
        <div key={place}>
          <h3>{placesOf[place]}</h3>
          <ul className="fields">
            {those.map(({ name, schema, description, required = false, example }) => (
              <li key={name}>
                <FieldHead
                  name={name}
                  schema={{
                    ...schema,
                    ...(description === undefined ? {} : { description }),
                    ...(example === undefined ? {} : { examples: [example] }),
                  }}
                  isRequired={required}
                />
              </li>
            ))}
          </ul>
        </div>
      );
    })}
  </Section>
);

function Body({ entry: { kind, operation } }: { entry: Entry }) {
  const { document } = usePage();
  const schema = operation.requestBody?.content['application/json']?.schema;
  const example = exampleOfBody(operation);
  if (schema === undefined) return null;
  return (
    <Section title={kind === 'event' ? 'What is posted' : 'Body'}>
      {operation.requestBody?.required === false ? <p className="quiet">It may be left out.</p> : null}
      <SchemaTree schema={schema} />
      {kind === 'event' || example === undefined ? null : (
        <>
          <h3>For example</h3>
          <pre>{example}</pre>
        </>
      )}
      {kind === 'event' ? <p className="quiet">{typeInWords(document, schema)}</p> : null}
    </Section>
  );
}

function AnswerOf({ status, answer: { description, headers = {}, content = {} } }: { status: string; answer: Answer }) {
  const { document } = usePage();
  const isGood = Number.parseInt(status, 10) < SUCCESS_BELOW;
  const [first, ...others] = description.split(/(?<=\.)\s/);
  const codes = Object.entries(apiErrors).filter(([, error]) => String(error.status) === status);
  return (
    <details className="answer" open={isGood}>
      <summary>
        <span className={`status ${isGood ? 'good' : 'bad'}`}>{status}</span> <Inline text={first ?? ''} />
      </summary>
      <Prose text={others.join(' ')} />
      {codes.length === 0 ? null : (
        <dl className="facts">
          {codes.map(([code, { sentence }]) => (
            <div key={code}>
              <dt>
                <code>{code}</code>
              </dt>
              <dd>{sentence}</dd>
            </div>
          ))}
        </dl>
      )}
      {Object.entries(headers).map(([name, header]) => (
        <div key={name}>
          <p className="field-head">
            <code>{name}</code> <span className="quiet">header</span>
          </p>
          <Prose text={followed(document, header).description} />
        </div>
      ))}
      {Object.entries(content).map(([type, { schema, example }]) => (
        <div key={type}>
          <p className="quiet">{type}</p>
          {schema === undefined || !isGood ? null : <SchemaTree schema={schema} />}
          {example === undefined ? null : <pre>{JSON.stringify(example, null, 2)}</pre>}
        </div>
      ))}
    </details>
  );
}
