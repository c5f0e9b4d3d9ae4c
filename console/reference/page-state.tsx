// What every part of the reference page stands on: the document, and the key that calls are signed with. The key is in
// the memory of the page alone; its secret can be read out by no script.
import { createContext, useContext } from 'react';
import type { signIn } from '../session/session.ts';
import type { ApiDocument } from './document.ts';

export type Signer = Pick<Awaited<ReturnType<typeof signIn>>, 'authorize' | 'key'>;

interface PageState {
  document: ApiDocument;
  signer: Signer | undefined;
  setSigner: (signer: Signer | undefined) => void;
}

export const PageContext = createContext<PageState | undefined>(undefined);

export function usePage(): PageState {
  const state = useContext(PageContext);
  if (state === undefined) throw new Error('The document is not read yet.');
  return state;
}
