// Connects to Temporal and makes sure that the namespace knows our search attributes.
import { Client, Connection } from '@temporalio/client';
import { searchAttributeKeys } from '../workflows/search-attributes.ts';

/** temporal.api.enums.v1.IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD: all of our attributes are keywords. */
const KEYWORD = 2;

export interface TemporalSettings {
  address: string;
  namespace: string;
  taskQueue: string;
}

export const temporalSettings = (config: {
  TEMPORAL_ADDRESS: string;
  TEMPORAL_NAMESPACE: string;
  TEMPORAL_TASK_QUEUE: string;
}): TemporalSettings => ({
  address: config.TEMPORAL_ADDRESS,
  namespace: config.TEMPORAL_NAMESPACE,
  taskQueue: config.TEMPORAL_TASK_QUEUE,
});

/** Connects on first use, so that the API serves reads and accepts requests while Temporal is away. */
export function temporalClient({ address, namespace }: TemporalSettings): Client {
  return new Client({ connection: Connection.lazy({ address }), namespace });
}

/** Safe to repeat. Needs the operator service, which a namespace may withhold: then an operator adds the attributes (README). */
export async function ensureSearchAttributes(client: Client): Promise<void> {
  const { namespace } = client.options;
  const operator = client.connection.operatorService;
  const { customAttributes } = await operator.listSearchAttributes({ namespace });
  const missing = searchAttributeKeys.filter(({ name }) => !(name in customAttributes));
  if (missing.length === 0) return;
  const searchAttributes = Object.fromEntries(missing.map(({ name }) => [name, KEYWORD]));
  await operator.addSearchAttributes({ namespace, searchAttributes });
}
