// Whether a policy takes approvals of withdrawals and signatures by passkey alone.
import type { PolicyDocument } from './policy-document.ts';

/** Whether any rule does: which of them would decide what is asked for already, nobody asks again. */
export const demandsPasskeys = ({ rules, default: usual }: PolicyDocument): boolean =>
  [...rules.map(({ then }) => then), usual].some(
    (action) => action.action === 'require_approvals' && action.approve_with !== undefined,
  );
