// What differs from production when the stack is brought into trouble on purpose: what its processes are told beside,
// and ways between them on which a tester stands. Starts nothing.

/** Where a process of the service finds another part. */
export type Connected = 'database' | 'Temporal' | 'node 1' | 'node 2' | 'node 3';

export type StackOverrides = {
  /** Further environment of APIs and workers. */
  environment: Readonly<Record<string, string>>;
  /** Copied for the nodes, in the place of the one of deploy/compose. */
  policyFile: string;
  /** The port at which APIs and workers find what listens on the given one: that of something between, or the same. */
  route: (to: Connected, port: number) => Promise<number>;
};

/** `address` is a name and a port. */
export async function routed(overrides: StackOverrides | undefined, to: Connected, address: string): Promise<string> {
  if (overrides === undefined) return address;
  const [host, port] = address.split(':');
  return `${host}:${await overrides.route(to, Number(port))}`;
}

/** `addresses` as MPC_NODES takes them. */
export async function routedNodes(overrides: StackOverrides | undefined, addresses: string): Promise<string> {
  const nodes = addresses.split(',').map(async (node) => {
    const [index, address = ''] = node.split('=');
    return `${index}=${await routed(overrides, `node ${index}` as Connected, address)}`;
  });
  return (await Promise.all(nodes)).join(',');
}
