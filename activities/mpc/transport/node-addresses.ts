// Reads where the nodes of a cluster are, which is configuration; who they are stands in the cluster file.
import type { NodeAddress } from './node-connection.ts';

/** `1=127.0.0.1:7001,2=[::1]:7002,3=node-3.internal:7003`; throws a plain error that names the part it cannot read. */
export function parseNodeAddresses(text: string): Map<number, NodeAddress> {
  const addresses = new Map<number, NodeAddress>();
  for (const part of text.split(',')) {
    const { index, host, port } =
      /^\s*(?<index>\d{1,3})=\[?(?<host>[^[\]\s=;]+?)\]?:(?<port>\d{1,5})\s*$/.exec(part)?.groups ?? {};
    if (
      index === undefined ||
      host === undefined ||
      port === undefined ||
      Number(port) > 65_535 ||
      Number(port) === 0
    ) {
      throw new Error(`the addresses of the nodes: cannot read "${part}"; expected index=host:port`);
    }
    if (addresses.has(Number(index))) throw new Error(`the addresses of the nodes: node ${index} is named twice`);
    addresses.set(Number(index), { host, port: Number(port) });
  }
  return addresses;
}
