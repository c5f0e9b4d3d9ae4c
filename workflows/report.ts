// Tells the operator, in the Temporal UI, where an operation stands.
import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import { operationStatusAttribute } from './search-attributes.ts';

export function report(status: string, details: string): void {
  upsertSearchAttributes([{ key: operationStatusAttribute, value: status }]);
  setCurrentDetails(details);
}
