// Looks whether a node that `npm start` did not start has the sandbox's tokens. Waits for nothing and puts nothing on
// it: the node is somebody else's.
import { dollars } from '../../domain/catalog/sandbox.ts';
import { hasDollar } from './ethereum/dollar.ts';
import { type Ask, askNode } from './json-rpc.ts';
import type { Reporting } from './processes/run-build.ts';
import type { RpcUrls } from './settings.ts';

const tokenChecks: Readonly<Record<keyof typeof dollars, (ask: Ask) => Promise<boolean>>> = {
  ETHEREUM_SANDBOX: hasDollar,
  SOL_SANDBOX: async (ask) => {
    const { value } = (await ask('getAccountInfo', dollars.SOL_SANDBOX, { encoding: 'base64' })) as { value: unknown };
    return value !== null;
  },
};

export function reportMissingTokens(rpcUrls: RpcUrls, { report }: Reporting): void {
  for (const [code, hasToken] of Object.entries(tokenChecks)) {
    const address = rpcUrls[code];
    if (address === undefined) continue;
    hasToken(askNode(address)).then(
      (found) => {
        if (!found)
          report(`${code} has no sandbox dollar: its node must have a token at ${dollars[code as 'SOL_SANDBOX']}`);
      },
      () => {}, // a node that does not answer is told of by whoever needs it
    );
  }
}
