// The cases in which each alert is tried.
import { nodeCases } from './node-cases.ts';
import { type Case, gauge, grows, quantile, stands } from './series.ts';

const responses = (status: string, probe: 'yes' | 'no') =>
  `countersign_http_responses_total{job="countersign-api",instance="a",status="${status}",probe="${probe}"}`;
const up = (job: string) => `up{job="${job}",instance="one"}`;
const backlog = (queue: string) => `countersign_backlog_oldest_age_seconds{job="countersign-api",queue="${queue}"}`;
const open = (kind: string, status: string) =>
  `countersign_open_operation_oldest_age_seconds{job="countersign-api",kind="${kind}",status="${status}"}`;
const chain = (metric: string) => `countersign_${metric}{job="countersign-api",network="ETHEREUM"}`;
const ofChain = { network: 'ETHEREUM' };

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

const backupOf = (name: string) => `countersign_backup_age_seconds{job="countersign-api",of="${name}"}`;
const databaseUp = 'countersign_database_up{instance="a"}';

const maintenance: Case[] = [
  {
    alert: 'CountersignBackupOld',
    when: 'the last one of a node is of the day before yesterday',
    series: { [backupOf('database')]: stands(3_600), [backupOf('node-1')]: stands(200_000), [databaseUp]: stands(1) },
    fires: [{ of: 'node-1' }],
  },
  {
    alert: 'CountersignBackupOld',
    when: 'nobody has told of one of the database',
    series: { [backupOf('node-1')]: stands(3_600), [databaseUp]: stands(1) },
    fires: [{ of: 'database' }],
  },
  {
    alert: 'CountersignBackupOld',
    when: 'it is made every night',
    series: { [backupOf('database')]: stands(86_400), [databaseUp]: stands(1) },
  },
  { alert: 'CountersignBackupOld', when: 'the database is away', series: { [databaseUp]: stands(0) } },
  {
    alert: 'CountersignRefreshOld',
    when: 'one cluster has old shares',
    series: {
      'countersign_mpc_refresh_age_seconds{cluster="main"}': stands(8_640_001),
      'countersign_mpc_refresh_age_seconds{cluster="new"}': stands(60),
    },
    fires: [{ cluster: 'main' }],
  },
  {
    alert: 'CountersignRefreshOld',
    when: 'it was a month ago',
    series: { 'countersign_mpc_refresh_age_seconds{cluster="main"}': stands(2_592_000) },
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
  ...gauge('CountersignExportStuck', open('export', 'pending'), [3_601, 3_600], { kind: 'export', status: 'pending' }),
  ...gauge('CountersignExportStuck', open('export', 'running'), [7_501, 7_500], { kind: 'export', status: 'running' }),
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

const chains: Case[] = [
  ...gauge('CountersignChainHalted', chain('chain_halted'), [1, 0], ofChain),
  ...gauge('CountersignDepositsUnconfirmed', chain('unconfirmed_deposits'), [1, 0], ofChain),
  ...gauge('CountersignChainLag', chain('chain_lag_blocks'), [51, 50], ofChain),
  ...gauge('CountersignChainSilent', chain('chain_head_age_seconds'), [301, 300], ofChain),
];

export const cases: readonly Case[] = [
  ...money,
  ...processes,
  ...dependencies,
  ...maintenance,
  ...operations,
  ...nodeCases,
  ...chains,
];
