// Where another policy is written: faults are said while one types, each with its line and column. What is JSON at all
// this page knows; what a policy may say it has the service try, by a simulation of which only the refusal counts.
import { useEffect, useId, useRef, useState } from 'react';
import { CountersignError } from '../../../src/client/errors.ts';
import { WriteForm } from '../../components/form.tsx';
import { useNetworks } from '../../service/names.ts';
import { useMissingScope, useSession } from '../../session/session.ts';
import { documentIn, type Fault, offsetOf, placeOf, type ReadText, readPolicyText } from './policy-text.ts';

const POLICY = '/api/v1/workspaces/{workspace_id}/policy';
const SIMULATE = '/api/v1/workspaces/{workspace_id}/policy/simulate';
/** After the last key: long enough not to ask about half a word. */
const ASKED_AFTER_MS = 500;
/** No wallet has it. What is simulated is a signature of it, which changes nothing and reads no wallet. */
const NO_WALLET = '00000000-0000-7000-8000-000000000000';

interface PolicyEditorProps {
  text: string;
  setText: (text: string | undefined) => void;
}

export function PolicyEditor({ text, setText }: PolicyEditorProps) {
  const [id, faultsId] = [useId(), useId()];
  const field = useRef<HTMLTextAreaElement>(null);
  const read = readPolicyText(text);
  const check = useServiceCheck(text, read);
  const faults = read.faults.length > 0 ? read.faults.slice(0, 5) : check.faults;
  const goTo = (offset: number) => {
    field.current?.focus();
    field.current?.setSelectionRange(offset, offset + 1);
  };
  return (
    <WriteForm
      verb="put"
      path={POLICY}
      label="Set the policy"
      inputOf={() => ({ body: documentIn(text) })}
      onDone={() => setText(undefined)}
    >
      <div className="field">
        <label htmlFor={id}>The policy as JSON</label>
        <textarea
          id={id}
          ref={field}
          rows={18}
          required
          spellCheck={false}
          autoComplete="off"
          value={text}
          aria-invalid={faults.length > 0}
          aria-describedby={faultsId}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </div>
      <div id={faultsId} role="status" aria-live="polite">
        {faults.length === 0 ? <p className="quiet">{check.state}</p> : null}
        {faults.map(({ message, offset }) => (
          <p key={`${offset} ${message}`} className="fault">
            <button type="button" className="small" onClick={() => goTo(offset)}>
              {placeOf(text, offset)}
            </button>{' '}
            {message}
          </p>
        ))}
      </div>
    </WriteForm>
  );
}

interface Check {
  /** Of which text it is. */
  of: string;
  state: string;
  faults: readonly Fault[];
}

/** What the service finds wrong with it, the first thing at a time. */
function useServiceCheck(text: string, { document, tree }: ReadText): Check {
  const { client } = useSession();
  const missingScope = useMissingScope('post', SIMULATE);
  const networkCode = [...useNetworks().values()].find(({ is_evm: isEvm }) => isEvm)?.internal_code;
  const [check, setCheck] = useState<Check>();
  const isAsked = tree !== undefined && missingScope === undefined && networkCode !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the document and its tree are those of the text
  useEffect(() => {
    if (!isAsked) return;
    let isCurrent = true;
    const timer = setTimeout(async () => {
      const item = { type: 'message', network_internal_code: networkCode, message: 'a policy is tried' };
      const body = { document, signing: { wallet_id: NO_WALLET, item } };
      const found = await client.write('post', SIMULATE, { body }).then(
        () => ({ state: 'The service finds no fault in it.', faults: [] }),
        (error: Error) => checkOf(error, tree),
      );
      if (isCurrent) setCheck({ of: text, ...found });
    }, ASKED_AFTER_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [text, isAsked, networkCode, client]);
  if (!isAsked) return { of: text, state: 'It is checked as it is sent.', faults: [] };
  return check?.of === text ? check : { of: text, state: 'Checking…', faults: [] };
}

function checkOf(error: Error, tree: NonNullable<ReadText['tree']>): Omit<Check, 'of'> {
  const message = error.message.replace(/^\d{3} \w+: /, '');
  const isAboutIt = error instanceof CountersignError && error.status === 400;
  if (!isAboutIt) return { state: `It cannot be checked now: ${message}`, faults: [] };
  return { state: '', faults: [{ message, offset: offsetOf(tree, message) }] };
}
