// The document by which a workspace's operations are decided, as its row has it and as the API takes and shows it:
// policies.schema.ts says what each part means, and a schema of another shape does not compile where documents are
// stored and shown. The names are those of the wire.
import type { PayloadKind, transactionMethods } from '../statuses.ts';
import type { ApproveWith } from '../votes/vote-rules.ts';

export type NeededApprovals = {
  /** How many different users must approve. */
  approvals: number;
  /** User ids. */
  approvers?: string[];
  /** Any key that has the scope when absent. */
  approve_with?: ApproveWith;
  expires_in_seconds?: number;
};

export type PolicyAction =
  | { action: 'allow' }
  | { action: 'deny' }
  | ({ action: 'require_approvals' } & NeededApprovals);

/** Decimal text, in units of the asset. */
type AmountBounds = { asset_id: string; more_than?: string; at_most?: string };

type Window = { per: 'wallet' | 'workspace'; window_seconds: number };

export type Conditions = {
  operations?: ('withdrawal' | 'signing')[];
  methods?: (typeof transactionMethods)[number][];
  networks?: string[];
  wallet_ids?: string[];
  initiators?: string[];
  asset_ids?: string[];
  amount?: AmountBounds;
  fee?: AmountBounds;
  velocity?: Window & AmountBounds;
  count?: Window & { more_than?: number; at_most?: number };
  destination?: { in_address_book?: boolean; addresses?: string[] };
  payload_kinds?: PayloadKind[];
  typed_data?: {
    domain_names?: string[];
    chain_ids?: string[];
    verifying_contracts?: string[];
    primary_types?: string[];
  };
  calls?: ('transfer' | 'dangerous' | 'unknown')[];
  selectors?: string[];
};

export type PolicyRule = { name: string; description?: string; when: Conditions; then: PolicyAction };

export type PolicyDocument = {
  /** In order: the first that applies decides. */
  rules: PolicyRule[];
  default: PolicyAction;
  changes?: NeededApprovals;
};
