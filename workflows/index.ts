// Every workflow that a worker runs: the entry of the bundle.
export { createWallet } from './create-wallet.ts';
export { sign } from './sign.ts';
