// The workflow of an operation: its id, and the way to it in Temporal's web interface for whoever may read where that
// is.
import { Copied } from '../components/values.tsx';
import { useRead } from '../service/use-service.ts';

export function Workflow({ id }: { id: string }) {
  const workflowsUrl = useRead('/api/v1/observability/status').data?.temporal.workflows_url;
  return (
    <>
      <Copied text={id} what="the id of the workflow" whole />{' '}
      {workflowsUrl === undefined ? null : (
        <a href={`${workflowsUrl}/${encodeURIComponent(id)}`} target="_blank" rel="noreferrer">
          in Temporal
        </a>
      )}
    </>
  );
}
