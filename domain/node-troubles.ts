// What is wrong with nodes beside their being away, as the console and `countersign doctor` say it.

interface NodeWithPolicy {
  cluster: string;
  /** Null while it does not say. */
  policy_sha256: string | null;
}

/** The clusters whose nodes sign by policies that are not the same file, by name. */
export function clustersOfDifferentPolicies(nodes: readonly NodeWithPolicy[]): string[] {
  const policies = new Map<string, Set<string>>();
  for (const { cluster, policy_sha256: policy } of nodes) {
    if (policy === null) continue;
    policies.set(cluster, (policies.get(cluster) ?? new Set()).add(policy));
  }
  return [...policies].flatMap(([cluster, known]) => (known.size > 1 ? [cluster] : []));
}

/** As the object of a sentence. A worker or an API of the former version names none. */
export const nodesIn = (nodes: readonly number[] = []) =>
  nodes.length === 0 ? 'another node' : `${nodes.length === 1 ? 'node' : 'nodes'} ${nodes.join(' and ')}`;
