// Which folder may import which, within each layer. A folder may import whatever its arrows lead to, also over several
// steps. The pictures in ARCHITECTURE.md are drawn from this, and .dependency-cruiser.mjs forbids every other import.

/** The layers, each with those below it that it may import. */
export const layers = {
  domain: [],
  drizzle: ['domain'],
  activities: ['drizzle', 'domain'],
  workflows: ['activities', 'drizzle', 'domain'],
  src: ['workflows', 'activities', 'drizzle', 'domain'],
};

/** By layer and folder. What lies beside the folders, such as src/app.ts, stands by its file name. */
export const arrows = {
  drizzle: {
    'api-keys': ['users', 'wallets'],
    approvals: ['wallets'],
    audit: ['api-keys'],
    database: [],
    departures: ['ledger', 'signing-requests', 'transactions'],
    deposits: ['departures', 'outflows'],
    events: ['database'],
    ledger: ['wallets'],
    migrate: ['networks'],
    networks: ['database'],
    observability: ['operations'],
    operations: ['withdrawals', 'writes'],
    outflows: ['withdrawals'],
    policies: ['withdrawals'],
    retention: ['webhooks'],
    'sealed-rows': ['policies'],
    seals: ['database'],
    secrets: ['webhooks'],
    'signing-requests': ['approvals', 'audit'],
    transactions: ['wallets'],
    users: ['workspaces'],
    votes: ['policies'],
    wallets: ['networks', 'workspaces'],
    webhooks: ['workspaces', 'writes'],
    'withdrawal-repair': ['operations', 'outflows'],
    withdrawals: ['ledger', 'signing-requests', 'transactions'],
    workspaces: ['events', 'seals'],
    writes: ['database'],
  },
  activities: {
    audit: ['mpc'],
    chains: ['chains/bitcoin', 'chains/solana', 'chains/tron'],
    'chains/bitcoin': ['chains/port', 'mpc/verify'],
    'chains/evm': ['chains/port'],
    'chains/port': [],
    'chains/solana': ['chains/port'],
    'chains/tron': ['chains/evm'],
    deposits: ['chains', 'runtime'],
    index: ['audit', 'deposits', 'keys', 'sandbox', 'withdrawals'],
    keys: ['chains', 'runtime'],
    mpc: [],
    'mpc/client': ['mpc/verify'],
    'mpc/software': ['mpc/verify'],
    'mpc/transport': ['mpc'],
    'mpc/verify': ['mpc/transport'],
    runtime: [],
    sandbox: ['signing'],
    signing: ['chains', 'runtime'],
    webhooks: ['runtime'],
    withdrawals: ['signing'],
  },
  src: {
    'api-keys': ['authority-changes'],
    app: [
      'audit',
      'balances',
      'document-names',
      'events',
      'observability',
      'policy-simulation',
      'sandbox',
      'users',
      'votes',
    ],
    approvals: ['http'],
    audit: ['files', 'wallets'],
    authentication: ['http'],
    'authority-changes': ['policies'],
    balances: ['authentication', 'wallets'],
    catalog: ['writes'],
    client: [],
    commands: ['api-keys', 'audit'],
    decoding: ['policies'],
    demo: ['local'],
    'describe-api': ['app'],
    'document-names': [],
    events: ['api-keys', 'signing-requests', 'transactions', 'webhooks'],
    files: ['authentication'],
    http: [],
    local: ['client'],
    observability: ['http', 'operations', 'process'],
    operations: [],
    policies: ['approvals', 'authentication', 'catalog', 'workspaces'],
    'policy-simulation': ['signing-requests'],
    process: [],
    sandbox: ['authentication', 'wallets'],
    server: ['app'],
    'signing-requests': ['withdrawals'],
    transactions: ['approvals', 'files', 'wallets'],
    users: ['api-keys'],
    votes: ['api-keys', 'signing-requests'],
    wallets: ['catalog', 'workspaces'],
    webhooks: ['authentication', 'workspaces'],
    withdrawals: ['decoding', 'wallets'],
    worker: ['events', 'observability'],
    workspaces: ['writes'],
    writes: ['http', 'operations', 'process'],
  },
};

/** Every folder that the arrows of a folder lead to. */
export function reachableFrom(layer, folder, found = new Set()) {
  for (const next of arrows[layer][folder] ?? []) {
    if (found.has(next)) continue;
    found.add(next);
    reachableFrom(layer, next, found);
  }
  return found;
}
