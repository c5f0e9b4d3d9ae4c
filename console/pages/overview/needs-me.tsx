// Everything that waits for somebody: votes, stuck withdrawals, frozen wallets, nodes and chains in trouble.
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { clustersOfDifferentPolicies, nodesIn } from '../../../domain/node-troubles.ts';
import { Status } from '../../components/values.tsx';
import { useAssets, useDestinationNames } from '../../service/names.ts';
import type { Read } from '../../service/use-service.ts';
import { usePage, useRead } from '../../service/use-service.ts';
import { capitalised, shortened } from '../../text/words.ts';
import { roundOf, useWaitsForMe } from '../votes.tsx';

const SHOWN_MAX = 50;

interface Task {
  id: string;
  status: string;
  text: ReactNode;
}

export function NeedsMe() {
  const sources = [useVotesOnWithdrawals(), useVotesOnSignatures(), useVotesOnChanges(), useVotesOnPolicy()];
  const troubles = [useStuckWithdrawals(), useFrozenWallets(), useServiceTroubles()];
  const all = [...sources, ...troubles];
  const tasks = all.flatMap(({ tasks: found }) => found);
  const missing = [...new Set(all.flatMap(({ read }) => read.missingScope ?? []))];
  const failed = all.find(({ read }) => read.error !== null && read.data === undefined);
  const isLoading = all.some(({ read }) => read.missingScope === undefined && read.data === undefined);
  return (
    <>
      {tasks.length > 0 ? (
        <ul className="tasks">
          {tasks.map(({ id, status, text }) => (
            <li key={`${status} ${id}`}>
              <Status status={status} /> <span>{text}</span>
            </li>
          ))}
        </ul>
      ) : failed !== undefined ? (
        <p className="failure">{failed.read.error?.message}</p>
      ) : isLoading ? (
        <p className="loading" role="status">
          Loading…
        </p>
      ) : (
        <p className="empty">Nothing waits for you.</p>
      )}
      {missing.length === 0 ? null : (
        <p className="quiet">
          Not everything can be looked at: it needs {missing.length === 1 ? 'the scope' : 'the scopes'}{' '}
          <code>{missing.join(', ')}</code>.
        </p>
      )}
    </>
  );
}

interface Source {
  read: Pick<Read<unknown>, 'missingScope' | 'data' | 'error'>;
  tasks: readonly Task[];
}

function useVotesOnWithdrawals(): Source {
  const waitsForMe = useWaitsForMe();
  const assets = useAssets();
  const nameOf = useDestinationNames();
  const read = usePage('/api/v1/workspaces/{workspace_id}/withdrawals', {
    query: { status: ['pending_approval'], limit: SHOWN_MAX },
  });
  const rows = (read.data?.rows ?? []).filter((row) =>
    waitsForMe({ votes: row.withdrawal_approvals, requestedBy: row.requested_by }),
  );
  const tasks = rows.map(({ id, amount, asset_id: asset, network_id: network, recipient_address: address }) => ({
    id,
    status: 'waits for my vote',
    text: (
      <Link href={`/withdrawals/${id}`}>
        Withdrawal of {amount} {assets.get(asset)?.symbol} to {nameOf(network, address) ?? shortened(address)}
      </Link>
    ),
  }));
  return { read, tasks };
}

function useVotesOnSignatures(): Source {
  const waitsForMe = useWaitsForMe();
  const read = usePage('/api/v1/workspaces/{workspace_id}/signing-requests', {
    query: { status: ['pending'], limit: SHOWN_MAX },
  });
  const rows = (read.data?.rows ?? []).filter(
    ({ status_reason: reason, approval }) => reason === 'awaiting_approval' && waitsForMe(roundOf(approval)),
  );
  const tasks = rows.map(({ id, payload, payload_kind: kind }) => ({
    id,
    status: 'waits for my vote',
    text: <Link href={`/signing-requests/${id}`}>{payload?.decoded.summary ?? capitalised(kind)}</Link>,
  }));
  return { read, tasks };
}

function useVotesOnChanges(): Source {
  const waitsForMe = useWaitsForMe();
  const read = usePage('/api/v1/workspaces/{workspace_id}/changes', {
    query: { status: ['pending'], limit: SHOWN_MAX },
  });
  const rows = (read.data?.rows ?? []).filter(({ approval }) => waitsForMe(roundOf(approval)));
  const tasks = rows.map(({ id, kind, details }) => ({
    id,
    status: 'waits for my vote',
    text: (
      <Link href="/users">
        {capitalised(kind)} {details.name}
      </Link>
    ),
  }));
  return { read, tasks };
}

function useVotesOnPolicy(): Source {
  const waitsForMe = useWaitsForMe();
  const read = useRead('/api/v1/workspaces/{workspace_id}/policy');
  const pending = read.data?.pending;
  const isMine = pending != null && waitsForMe(roundOf(pending.approval));
  const text = <Link href="/policy">Version {pending?.version} of the policy</Link>;
  return { read, tasks: isMine ? [{ id: 'policy', status: 'waits for my vote', text }] : [] };
}

function useStuckWithdrawals(): Source {
  const assets = useAssets();
  const read = usePage('/api/v1/workspaces/{workspace_id}/withdrawals', {
    query: { sub_status: ['stuck', 'insufficient_funds'], status: ['processing', 'approved'], limit: SHOWN_MAX },
  });
  const tasks = (read.data?.rows ?? []).map(({ id, amount, asset_id: asset, sub_status: step }) => ({
    id,
    status: step ?? 'stuck',
    text: (
      <Link href={`/withdrawals/${id}`}>
        Withdrawal of {amount} {assets.get(asset)?.symbol}
      </Link>
    ),
  }));
  return { read, tasks };
}

function useFrozenWallets(): Source {
  const read = usePage('/api/v1/workspaces/{workspace_id}/wallets', {
    query: { status: ['frozen'], limit: SHOWN_MAX },
  });
  const tasks = (read.data?.rows ?? []).map(({ id, name, reason }) => ({
    id,
    status: 'frozen',
    text: (
      <>
        <Link href={`/wallets/${id}`}>{name}</Link> {reason}
      </>
    ),
  }));
  return { read, tasks };
}

function useServiceTroubles(): Source {
  const read = useRead('/api/v1/observability/status');
  const { mpc_nodes: nodes = [], chains = [] } = read.data ?? {};
  const trouble = (id: string, status: string, text: string): Task => ({
    id,
    status,
    text: <Link href="/nodes">{text}</Link>,
  });
  const tasks = nodes.flatMap(({ cluster, node, status, bans, banned_nodes: banned }) => {
    const name = `Node ${node} of the cluster ${cluster}`;
    return [
      ...(status === 'down' ? [trouble(name, status, name)] : []),
      ...(bans > 0 ? [trouble(name, 'refuses', `${name} does not sign with ${nodesIn(banned)} any more`)] : []),
    ];
  });
  const policies = clustersOfDifferentPolicies(nodes).map((cluster) =>
    trouble(cluster, 'differs', `The nodes of the cluster ${cluster} sign by different policies`),
  );
  const halted = chains
    .filter(({ status }) => status !== 'watched')
    .map(({ network, status }) => trouble(network, status, network));
  return { read, tasks: [...tasks, ...policies, ...halted] };
}
