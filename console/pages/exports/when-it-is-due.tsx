// The fields that say when a schedule is due. What is typed is looked at by the rule of the service, and the next times
// are shown before anything is sent.
import { useId, useState } from 'react';
import { findCronFault, isTimeZone, nextTimesDue } from '../../../domain/exports/schedule-times.ts';

const SHOWN = 3;
const OFTEN_ASKED = '30 6 1 * *';
const ownTimeZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;

const findZoneFault = (timeZone: string): string | undefined =>
  isTimeZone(timeZone) ? undefined : 'This is no name of a time zone, such as Europe/Zurich.';

/** A sentence, or undefined for what the service takes. */
export const findTimeFault = (cron: string, timeZone: string): string | undefined =>
  findCronFault(cron) ?? findZoneFault(timeZone);

export function WhenItIsDue() {
  const [cronId, zoneId, zonesId, nextId] = [useId(), useId(), useId(), useId()];
  const [cron, setCron] = useState(OFTEN_ASKED);
  const [timeZone, setTimeZone] = useState(ownTimeZone);
  const fault = findTimeFault(cron, timeZone);
  const shared = { required: true, autoComplete: 'off', 'aria-describedby': nextId };
  return (
    <>
      <div className="field">
        <label htmlFor={cronId}>When: minute, hour, day of the month, month, day of the week</label>
        <input
          {...shared}
          id={cronId}
          name="cron"
          value={cron}
          maxLength={100}
          spellCheck={false}
          aria-invalid={findCronFault(cron) !== undefined}
          onChange={(event) => setCron(event.currentTarget.value)}
        />
      </div>
      <div className="field">
        <label htmlFor={zoneId}>Time zone</label>
        <input
          {...shared}
          id={zoneId}
          name="time_zone"
          value={timeZone}
          list={zonesId}
          maxLength={64}
          aria-invalid={findZoneFault(timeZone) !== undefined}
          onChange={(event) => setTimeZone(event.currentTarget.value)}
        />
        <datalist id={zonesId}>
          {Intl.supportedValuesOf('timeZone').map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </div>
      <div id={nextId} role="status">
        {fault === undefined ? (
          <>
            <span className="quiet">Next times, as clocks show them there</span>
            <NextTimes cron={cron} timeZone={timeZone} />
          </>
        ) : (
          <p className="fault">{fault}</p>
        )}
      </div>
    </>
  );
}

/** When a schedule is due next, as the clocks of its time zone show it. */
export function NextTimes({ cron, timeZone, count = SHOWN }: { cron: string; timeZone: string; count?: number }) {
  const due = nextTimesDue({ cron, timeZone }, new Date(), count);
  if (due.length === 0) return <p className="fault">It is never due.</p>;
  const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'short', timeZone });
  return (
    <ul className="bare" aria-label="Next times">
      {due.map((moment) => (
        <li key={moment.getTime()}>
          <time dateTime={moment.toISOString()} title={moment.toISOString()}>
            {format.format(moment)}
          </time>
        </li>
      ))}
    </ul>
  );
}
