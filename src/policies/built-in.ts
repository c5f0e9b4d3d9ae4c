// The policies of workspaces that have set none: the sandbox allows everything, production asks for one approval, also
// of another policy and of what nobody can read (digests, typed data), and refuses what gives power away and calls that
// are not understood.
import type { PolicyDocument } from '../../domain/policies/policy-document.ts';

const sandbox: PolicyDocument = {
  rules: [
    {
      name: 'sandbox',
      when: { calls: ['transfer', 'dangerous', 'unknown'] },
      then: { action: 'allow' },
    },
  ],
  default: { action: 'allow' },
};

const production: PolicyDocument = {
  rules: [],
  default: { action: 'require_approvals', approvals: 1 },
  // Else one key could take the default away.
  changes: { approvals: 1 },
};

export const builtInPolicy = (isProduction: boolean): PolicyDocument => (isProduction ? production : sandbox);
