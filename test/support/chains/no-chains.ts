// The chains of a worker that no node is configured for.
import { connectChains } from '../../../activities/chains/connect-chains.ts';

export const noChains = connectChains({}, []);
