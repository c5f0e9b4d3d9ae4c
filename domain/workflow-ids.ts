// The ids of workflows in Temporal: the registered type in words, and the id of what the workflow is about. This is the
// one place that makes them. Starts nothing.

const prefixOf = (type: string) => `${type.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}-`;

/** `createWallet` and the id of a wallet make `create-wallet-…`. Of a row it is one workflow for ever. */
export const workflowIdOf = (type: string, id: string): string => `${prefixOf(type)}${id}`;

/** The id of the row. A workflow of before ids carried the type has that and nothing else for its own. */
export const rowIdOf = (type: string, workflowId: string): string =>
  workflowId.startsWith(prefixOf(type)) ? workflowId.slice(prefixOf(type).length) : workflowId;

/**
 * Which workflow is the row's: a row says it from its making on. One of before ids carried the type says nothing, and
 * keeps the workflow that has its bare id, so that nothing is begun a second time under another name.
 */
export const workflowIdOfRow = ({ id, workflowId }: { id: string; workflowId: string | null }): string =>
  workflowId ?? id;
