// The cases of alerts about the nodes and what they sign.
import { type Case, gauge, grows, quantile, stands } from './series.ts';

const signatures = (outcome: string) =>
  `countersign_signatures_total{job="countersign-worker",instance="w",curve="secp256k1",outcome="${outcome}"}`;
const node = (metric: string, index: number, cluster = 'main') =>
  `countersign_mpc_${metric}{job="countersign-worker",instance="w",cluster="${cluster}",node="${index}"}`;
const threshold = 'countersign_mpc_threshold{job="countersign-worker",instance="w",cluster="main"}';

const signing: Case[] = [
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
    when: 'a node says so by itself, and nobody asks for a signature',
    series: {
      'mpc_node_paused{job="countersign-node",cluster="main",node="1"}': stands(0),
      'mpc_node_paused{job="countersign-node",cluster="main",node="2"}': stands(1),
    },
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

export const nodeCases: readonly Case[] = [...signing, ...nodes];
