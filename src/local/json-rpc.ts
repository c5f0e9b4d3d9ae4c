// Asks a node of the local stack over JSON-RPC. For starting and mining only: the product has clients of its own.
const TIMEOUT_MS = 10_000;

export type Ask = (method: string, ...parameters: unknown[]) => Promise<unknown>;

/** A name and password in the address become an Authorization header. */
export function askNode(address: string): Ask {
  const { username, password, origin } = new URL(address);
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (username !== '') headers['authorization'] = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  return async (method, ...params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(origin, { method: 'POST', headers, body, signal });
    const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } | null };
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  };
}

/** For waiting until a node serves: undefined when it does not answer yet. */
export async function canAnswer(ask: Ask, method: string): Promise<true | undefined> {
  try {
    await ask(method);
    return true;
  } catch {
    return undefined;
  }
}
