// What is done with one export: its file is downloaded once it is there, and what is under way is cancelled.
import { useEffect, useRef, useState } from 'react';
import { exportArrows, isFinal } from '../../../domain/statuses.ts';
import type { Data } from '../../../src/client/api-types.ts';
import { assertWhole, gather, save } from '../../client/files.ts';
import { ConfirmedAction } from '../../components/confirmed-action.tsx';
import { Failure } from '../../components/shown.tsx';
import { useSession } from '../../session/session.ts';
import { sizeInWords } from '../../text/words.ts';
import { exportTitle } from './what-is-exported.tsx';

export const EXPORT = '/api/v1/workspaces/{workspace_id}/exports/{export_id}';
export type Export = Data<'get', typeof EXPORT>;
type ExportFile = NonNullable<Export['file']>;

export function ExportActions({ exported }: { exported: Export }) {
  const { id, status, file } = exported;
  if (file !== undefined) return <Download exported={exported} file={file} />;
  if (isFinal(exportArrows, status)) return null;
  return (
    <ConfirmedAction
      verb="post"
      path={`${EXPORT}/cancel`}
      label="Cancel"
      title={`Cancel the export of ${exportTitle(exported)}?`}
      asksReason
      isDangerous
      inputOf={(reason) => ({ path: { export_id: id }, body: reason === undefined ? {} : { reason } })}
    >
      <p>It ends at once, and nothing of its file is left.</p>
    </ConfirmedAction>
  );
}

/** The file is looked at before it is handed over: by its length and its SHA-256. */
function Download({ exported, file }: { exported: Export; file: ExportFile }) {
  const { client } = useSession();
  const [error, setError] = useState<Error>();
  const [bytes, setBytes] = useState<number>();
  const [isSaved, setSaved] = useState(false);
  const leaving = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    leaving.current = controller;
    return () => controller.abort();
  }, []);
  const { id, content, format } = exported;
  const download = async () => {
    const { signal } = leaving.current;
    setError(undefined);
    setSaved(false);
    setBytes(0);
    try {
      const pieces = client.fileOf(`${EXPORT}/content`, { path: { export_id: id }, signal });
      const whole = await gather(pieces, setBytes);
      await assertWhole(whole, file);
      save(whole, `${content}-${id}.${format}`);
      setSaved(true);
    } catch (failure) {
      if (!signal.aborted) setError(failure as Error);
    } finally {
      setBytes(undefined);
    }
  };
  return (
    <span className="beside">
      <button
        type="button"
        className="primary"
        onClick={() => void download()}
        disabled={bytes !== undefined}
        aria-label={`Download ${exportTitle(exported)}`}
      >
        Download
      </button>
      <span role="status" className="quiet">
        {bytes === undefined ? null : `${sizeInWords(bytes)} of ${sizeInWords(file.bytes)}`}
        {isSaved ? 'Downloaded whole.' : null}
      </span>
      {error === undefined ? null : <Failure error={error} />}
    </span>
  );
}
