// The series over which each alert is tried. Values are in promtool's notation: `5x90` stands at 5 for 90 minutes, and
// `0+60x90` grows by 60 a minute.
export interface Case {
  alert: string;
  when: string;
  series: Record<string, string>;
  /** The labels of what fires; absent where nothing does. */
  fires?: Record<string, string>[];
  atMinutes?: number;
}

const minutes = 'x90';
const stands = (value: number) => `${value}${minutes}`;
const grows = (aMinute: number) => `0+${aMinute}${minutes}`;
/** At 0 for an hour, then at the value. */
const lately = (value: number) => `0x60 ${value}x30`;

const responses = (status: string, probe: 'yes' | 'no') =>
  `countersign_http_responses_total{job="countersign-api",instance="a",status="${status}",probe="${probe}"}`;
const signatures = (outcome: string) =>
  `countersign_signatures_total{job="countersign-worker",instance="w",curve="secp256k1",outcome="${outcome}"}`;
const node = (metric: string, index: number, cluster = 'main') =>
  `countersign_mpc_${metric}{job="countersign-worker",instance="w",cluster="${cluster}",node="${index}"}`;
const threshold = 'countersign_mpc_threshold{job="countersign-worker",instance="w",cluster="main"}';
const up = (job: string) => `up{job="${job}",instance="one"}`;
const backlog = (queue: string) => `countersign_backlog_oldest_age_seconds{job="countersign-api",queue="${queue}"}`;
const open = (kind: string, status: string) =>
  `countersign_open_operation_oldest_age_seconds{job="countersign-api",kind="${kind}",status="${status}"}`;
const chain = (metric: string) => `countersign_${metric}{job="countersign-api",network="ETHEREUM"}`;
const ofChain = { network: 'ETHEREUM' };

/** Of a gauge that alerts by its value alone. */
function gauge(alert: string, series: string, [bad, good]: readonly [number, number], labels = {}): Case[] {
  return [
    { alert, when: `it stands at ${bad}`, series: { [series]: lately(bad) }, fires: [labels] },
    { alert, when: `it stands at ${good}`, series: { [series]: stands(good) } },
  ];
}

/** Of a quantile: nearly all within one bucket. */
function quantile(alert: string, selector: (le: string) => string, slow: string, labels = {}): Case[] {
  const buckets = (fast: number) => ({
    [selector('0.1')]: grows(fast),
    [selector(slow)]: grows(100),
    [selector('+Inf')]: grows(100),
  });
  return [
    { alert, when: 'a tenth is slow', series: buckets(90), fires: [labels] },
    { alert, when: 'all are fast', series: buckets(100) },
  ];
}

const money: Case[] = [
  ...gauge('CountersignUnexplainedOutflow', 'countersign_unexplained_outflows{job="countersign-api"}', [1, 0]),
  ...gauge('CountersignAuditFinding', 'countersign_audit_findings{job="countersign-api"}', [1, 0]),
  ...gauge('CountersignRowSetBack', 'countersign_set_back_rows{job="countersign-api"}', [1, 0]),
  ...gauge('CountersignBrokenSeal', 'countersign_broken_seals_total{job="countersign-api",kind="wallet"}', [1, 0], {
    kind: 'wallet',
  }).map((one) => ({ ...one, atMinutes: 65 })),
  ...gauge('CountersignSignatureInvalid', 'countersign_wrong_signatures_total{curve="ed25519"}', [1, 0]).map((one) => ({
    ...one,
    atMinutes: 65,
  })),
  ...gauge('CountersignNonceGap', chain('nonce_gaps'), [1, 0], ofChain),
  ...gauge('CountersignWithdrawalDisputed', chain('withdrawal_dispute_oldest_age_seconds'), [121, 120], ofChain),
  ...gauge('CountersignAuditUnsealed', backlog('audit'), [121, 120]),
];

const processes: Case[] = [
  {
    alert: 'CountersignProcessDown',
    when: 'a worker does not answer',
    series: { [up('countersign-worker')]: stands(0), [up('countersign-api')]: stands(1) },
    fires: [{ job: 'countersign-worker', instance: 'one' }],
  },
  {
    alert: 'CountersignProcessDown',
    when: 'another job does not answer',
    series: { [up('countersign-worker')]: stands(1), [up('postgres')]: stands(0) },
  },
  {
    alert: 'CountersignNoWorker',
    when: 'only an API runs',
    series: { [up('countersign-api')]: stands(1) },
    fires: [{}],
  },
  {
    alert: 'CountersignNoWorker',
    when: 'one of two workers runs',
    series: { [up('countersign-worker')]: stands(0), 'up{job="countersign-worker",instance="two"}': stands(1) },
  },
  {
    alert: 'CountersignDatabaseDown',
    when: 'no process reaches it',
    series: { 'countersign_database_up{instance="a"}': stands(0), 'countersign_database_up{instance="b"}': stands(0) },
    fires: [{}],
  },
  {
    alert: 'CountersignDatabaseDown',
    when: 'one process does not reach it',
    series: { 'countersign_database_up{instance="a"}': stands(0), 'countersign_database_up{instance="b"}': stands(1) },
  },
  {
    alert: 'CountersignApiErrors',
    when: 'two requests of callers in a hundred end with 5xx',
    series: {
      [responses('2xx', 'no')]: grows(98),
      [responses('5xx', 'no')]: grows(2),
      [responses('2xx', 'yes')]: grows(9_000),
    },
    fires: [{}],
  },
  {
    alert: 'CountersignApiErrors',
    when: 'a balancer is told by /ready that the process is not to be asked, and callers are served',
    series: {
      [responses('2xx', 'no')]: grows(100),
      [responses('5xx', 'no')]: grows(0),
      [responses('5xx', 'yes')]: grows(100),
    },
  },
  {
    alert: 'CountersignApiErrors',
    when: 'nobody asks but the balancer',
    series: {
      [responses('2xx', 'no')]: grows(0),
      [responses('5xx', 'no')]: grows(0),
      [responses('5xx', 'yes')]: grows(12),
    },
  },
  ...quantile(
    'CountersignApiSlow',
    (le) => `countersign_http_request_duration_seconds_bucket{route="/a",waits="no",le="${le}"}`,
    '2.5',
  ),
  ...gauge(
    'CountersignEventLoopLate',
    'nodejs_eventloop_lag_p99_seconds{job="countersign-api",instance="a"}',
    [0.6, 0.5],
    { job: 'countersign-api', instance: 'a' },
  ),
  {
    alert: 'CountersignAuthenticationFailures',
    when: 'six a second do not authenticate',
    series: { 'countersign_authentication_failures_total{reason="wrong_signature"}': grows(360) },
    fires: [{}],
  },
  {
    alert: 'CountersignAuthenticationFailures',
    when: 'four a second do not authenticate',
    series: { 'countersign_authentication_failures_total{reason="wrong_signature"}': grows(240) },
  },
];

const dependencies: Case[] = [
  {
    alert: 'CountersignTemporalDown',
    when: 'no API reaches it',
    series: { 'countersign_temporal_up{instance="a"}': stands(0), 'countersign_temporal_up{instance="b"}': stands(0) },
    fires: [{}],
  },
  {
    alert: 'CountersignTemporalDown',
    when: 'one API does not reach it',
    series: { 'countersign_temporal_up{instance="a"}': stands(0), 'countersign_temporal_up{instance="b"}': stands(1) },
  },
];

const operations: Case[] = [
  ...gauge('CountersignOutboxOld', backlog('outbox'), [31, 30]),
  ...gauge('CountersignOperationStuck', open('signing_request', 'pending'), [301, 300], {
    kind: 'signing_request',
    status: 'pending',
  }),
  {
    alert: 'CountersignOperationStuck',
    when: 'it waits for people',
    series: {
      [open('signing_request', 'pending_approval')]: stands(90_000),
      [open('withdrawal', 'pending_approval')]: stands(90_000),
    },
  },
  {
    alert: 'CountersignActivitiesFail',
    when: 'twelve a minute end with an exception',
    series: { 'countersign_activity_duration_seconds_count{activity="signPayload",outcome="error"}': grows(12) },
    fires: [{ activity: 'signPayload' }],
  },
  {
    alert: 'CountersignActivitiesFail',
    when: 'failures have a name',
    series: { 'countersign_activity_duration_seconds_count{activity="signPayload",outcome="cluster_busy"}': grows(12) },
  },
  ...gauge(
    'CountersignWorkflowsFail',
    'countersign_workflow_duration_seconds_count{workflow="sign",outcome="error"}',
    [1, 0],
    { workflow: 'sign' },
  ).map((one) => ({ ...one, atMinutes: 65 })),
  ...gauge('CountersignEventsOld', backlog('events'), [31, 30]),
  ...gauge('CountersignWebhooksOld', backlog('webhooks'), [301, 300]),
];

const cluster: Case[] = [
  {
    alert: 'CountersignQuorumLost',
    when: 'one of three nodes is up',
    series: {
      [node('node_up', 1)]: stands(1),
      [node('node_up', 2)]: stands(0),
      [node('node_up', 3)]: stands(0),
      [threshold]: stands(2),
    },
    fires: [{ cluster: 'main' }],
  },
  {
    alert: 'CountersignQuorumLost',
    when: 'two of three nodes are up',
    series: {
      [node('node_up', 1)]: stands(1),
      [node('node_up', 2)]: stands(1),
      [node('node_up', 3)]: stands(0),
      [threshold]: stands(2),
    },
  },
  ...gauge('CountersignNodeDown', node('node_up', 3), [0, 1], { cluster: 'main', node: '3' }),
  ...gauge('CountersignNodesUnknown', node('node_checked_age_seconds', 1), [61, 60], { cluster: 'main' }),
  ...gauge('CountersignNodeBans', node('node_bans', 2), [1, 0], { cluster: 'main', node: '2' }),
  ...gauge('CountersignNodeSetBack', node('node_set_back', 2), [1, 0], { cluster: 'main', node: '2' }),
  {
    alert: 'CountersignSignaturesFail',
    when: 'six of a hundred attempts end without a result',
    series: { [signatures('success')]: grows(94), [signatures('mpc_error')]: grows(6) },
    fires: [{}],
  },
  {
    alert: 'CountersignSignaturesFail',
    when: 'a tenth of what no rule refuses fails, among many refusals',
    series: {
      [signatures('success')]: grows(9),
      [signatures('mpc_error')]: grows(1),
      [signatures('policy_refused')]: grows(900),
    },
    fires: [{}],
  },
  ...['policy_refused', 'approver_refused', 'frozen', 'approval_void', 'cancelled', 'cluster_busy'].map((outcome) => ({
    alert: 'CountersignSignaturesFail',
    when: `half of them end as ${outcome}`,
    series: {
      [signatures('success')]: grows(50),
      [signatures(outcome)]: grows(50),
      [signatures('mpc_error')]: grows(1),
    },
  })),
  {
    alert: 'CountersignSignaturesRefused',
    when: 'eleven in an hour',
    series: { [signatures('policy_refused')]: '0x60 12x30', [signatures('success')]: grows(50) },
    fires: [{ outcome: 'policy_refused' }],
  },
  {
    alert: 'CountersignSignaturesRefused',
    when: 'a freeze refuses them',
    series: { [signatures('frozen')]: grows(50), [signatures('policy_refused')]: stands(0) },
  },
  ...quantile(
    'CountersignSigningSlow',
    (le) => `countersign_mpc_session_duration_seconds_bucket{cluster="main",protocol="sign",le="${le}"}`,
    '5',
    { cluster: 'main' },
  ),
];

const refused = (index: number, code: string) =>
  `countersign_mpc_node_refusals_total{job="countersign-worker",cluster="main",node="${index}",code="${code}"}`;
const policy = (index: number, hash: string) =>
  `countersign_mpc_node_policy{job="countersign-worker",cluster="main",node="${index}",policy="${hash}"}`;

const nodes: Case[] = [
  {
    alert: 'CountersignNodePaused',
    when: 'one of three refuses what it is asked to sign',
    series: { [refused(1, 'Paused')]: stands(0), [refused(2, 'Paused')]: grows(1), [refused(3, 'Paused')]: stands(0) },
    fires: [{ cluster: 'main', node: '2' }],
  },
  {
    alert: 'CountersignNodePaused',
    when: 'the pause ended more than ten minutes ago, and a policy refuses',
    series: { [refused(1, 'Paused')]: '0+1x60 61x30', [refused(1, 'PolicyRefused')]: grows(1) },
  },
  {
    alert: 'CountersignNodePoliciesDiffer',
    when: 'one of three has another policy',
    series: { [policy(1, 'aa')]: stands(1), [policy(2, 'aa')]: stands(1), [policy(3, 'bb')]: stands(1) },
    fires: [{ cluster: 'main' }],
  },
  {
    alert: 'CountersignNodePoliciesDiffer',
    when: 'a change was rolled out within minutes',
    series: {
      [policy(1, 'aa')]: '1x60 _x30',
      [policy(2, 'aa')]: '1x65 _x25',
      [policy(1, 'bb')]: '_x60 1x30',
      [policy(2, 'bb')]: '_x65 1x25',
    },
  },
];

const chains: Case[] = [
  ...gauge('CountersignChainHalted', chain('chain_halted'), [1, 0], ofChain),
  ...gauge('CountersignChainLag', chain('chain_lag_blocks'), [51, 50], ofChain),
  ...gauge('CountersignChainSilent', chain('chain_head_age_seconds'), [301, 300], ofChain),
];

export const cases: readonly Case[] = [
  ...money,
  ...processes,
  ...dependencies,
  ...operations,
  ...cluster,
  ...nodes,
  ...chains,
];
