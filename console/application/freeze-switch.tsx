// The switch on every page that stops all withdrawals and signatures of the workspace. Whether they are stopped now is
// read from the events, the only place that tells it.

import type { ConsoleClient } from '../client/console-client.ts';
import { ConfirmedAction } from '../components/confirmed-action.tsx';
import { Status } from '../components/values.tsx';
import { useAsked } from '../service/use-service.ts';

const EVENTS = '/api/v1/workspaces/{workspace_id}/events';
const FREEZE = '/api/v1/workspaces/{workspace_id}/withdrawals/freeze';
const UNFREEZE = '/api/v1/workspaces/{workspace_id}/withdrawals/unfreeze';
const PAGE = 200;

/** Undefined where no event says it. */
export function useIsFrozen(): boolean | undefined {
  const { data, missingScope } = useAsked({ path: EVENTS, input: 'freezes', ask: readIsFrozen });
  return missingScope === undefined ? data : undefined;
}

async function readIsFrozen(client: ConsoleClient): Promise<boolean> {
  let isFrozen = false;
  let place: number | undefined;
  for (;;) {
    const type = 'workspace.withdrawals_frozen,workspace.withdrawals_unfrozen';
    const query = { type, limit: PAGE, ...(place === undefined ? {} : { after_seq: place }) };
    const events = await client.read(EVENTS, { query });
    const last = events.at(-1);
    if (last !== undefined) isFrozen = last.type === 'workspace.withdrawals_frozen';
    if (last === undefined || events.length < PAGE) return isFrozen;
    place = last.seq;
  }
}

export function FreezeSwitch() {
  const isFrozen = useIsFrozen();
  return (
    <div className="freeze">
      {isFrozen === true ? <Status status="frozen" /> : null}
      {isFrozen === true ? null : (
        <ConfirmedAction
          verb="post"
          path={FREEZE}
          label="Freeze workspace"
          title="Freeze the workspace?"
          asksReason
          isDangerous
          inputOf={(reason) => (reason === undefined ? {} : { body: { reason } })}
        >
          <p>
            From now on every withdrawal and every signature of the workspace is refused. Deposits come in as before.
            What the nodes were already given is not called back.
          </p>
        </ConfirmedAction>
      )}
      {isFrozen === false ? null : (
        <ConfirmedAction
          verb="post"
          path={UNFREEZE}
          label="Unfreeze"
          title="Take withdrawals and signatures again?"
          inputOf={() => ({})}
        >
          <p>In production, and where the policy guards changes, this waits for the approval of another user.</p>
        </ConfirmedAction>
      )}
    </div>
  );
}
