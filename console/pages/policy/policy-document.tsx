// One version of the policy in words: what applies otherwise, what its changes need, and its rules in their order.
import type { Data } from '../../../src/client/api-types.ts';
import { Facts } from '../../components/facts.tsx';
import { Moment, Status } from '../../components/values.tsx';
import { words } from '../../text/words.ts';

type Version = Data<'get', '/api/v1/workspaces/{workspace_id}/policy'>['active'];
type Rule = Version['document']['rules'][number];

export function PolicyDocument({ version }: { version: Version }) {
  const { document, created_at: at, status } = version;
  return (
    <>
      <Facts
        facts={[
          ['Status', <Status key="status" status={status} />],
          ['Asked', at && <Moment at={at} />],
          ['Otherwise', actionOf(document.default)],
          ['A change of the policy', document.changes && `needs ${document.changes.approvals} approvals`],
        ]}
      />
      {document.rules.length === 0 ? (
        <p className="quiet">It has no rules.</p>
      ) : (
        <ol className="steps">
          {document.rules.map((rule) => (
            <PolicyRule key={rule.name} rule={rule} />
          ))}
        </ol>
      )}
    </>
  );
}

function PolicyRule({ rule }: { rule: Rule }) {
  return (
    <li>
      <strong>{rule.name}</strong>: {actionOf(rule.then)}
      {rule.description === undefined ? null : <p className="quiet">{rule.description}</p>}
      {Object.keys(rule.when).length === 0 ? (
        <p className="quiet">Whatever it is.</p>
      ) : (
        <ul>
          {Object.entries(rule.when).map(([name, value]) => (
            <li key={name}>
              {words(name)}: <code>{JSON.stringify(value)}</code>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

function actionOf(action: Rule['then']): string {
  if (action.action !== 'require_approvals') return action.action;
  const who = action.approvers === undefined ? '' : ` of ${action.approvers.join(', ')}`;
  const how = action.approve_with === undefined ? '' : `, each by ${action.approve_with}`;
  return `needs ${action.approvals} approvals${who}${how}`;
}
