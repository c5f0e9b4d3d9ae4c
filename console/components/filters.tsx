// The filters of a list. What is chosen stands in the address at once; what is typed, when it is left or entered.
import { useId } from 'react';
import { useSearchParams } from 'wouter';
import { words } from '../text/words.ts';

export type Filter =
  | {
      name: string;
      label: string;
      kind: 'choice';
      choices: readonly (string | readonly [value: string, label: string])[];
    }
  | { name: string; label: string; kind: 'text' | 'day' };

/** From one day to another, both of them whole. */
export const period: readonly Filter[] = [
  { name: 'from', label: 'From', kind: 'day' },
  { name: 'to', label: 'Until', kind: 'day' },
];

export const ofNetwork = (networks: Iterable<{ id: string; name: string }>): Filter => ({
  name: 'network_id',
  label: 'Network',
  kind: 'choice',
  choices: Array.from(networks, ({ id, name }) => [id, name] as const),
});

export function Filters({ filters }: { filters: readonly Filter[] }) {
  const [search, setSearch] = useSearchParams();
  const set = (name: string, value: string) =>
    setSearch((current) => {
      const next = new URLSearchParams(current);
      next.delete('cursor');
      if (value === '') next.delete(name);
      else next.set(name, value);
      return next;
    });
  const isFiltered = filters.some(({ name }) => search.has(name));
  return (
    <search className="filters" aria-label="Filters">
      {filters.map((filter) => (
        <FilterField key={filter.name} filter={filter} value={search.get(filter.name) ?? ''} set={set} />
      ))}
      {isFiltered ? (
        <button type="button" onClick={() => setSearch(new URLSearchParams())}>
          Clear
        </button>
      ) : null}
    </search>
  );
}

interface FilterFieldProps {
  filter: Filter;
  value: string;
  set: (name: string, value: string) => void;
}

function FilterField({ filter, value, set }: FilterFieldProps) {
  const id = useId();
  const { name, label } = filter;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {filter.kind === 'choice' ? (
        <select id={id} value={value} onChange={(event) => set(name, event.currentTarget.value)}>
          <option value="">All</option>
          {filter.choices.map((choice) => {
            const [key, shown] = typeof choice === 'string' ? [choice, words(choice)] : choice;
            return (
              <option key={key} value={key}>
                {shown}
              </option>
            );
          })}
        </select>
      ) : (
        <input
          id={id}
          key={value}
          type={filter.kind === 'day' ? 'date' : 'text'}
          defaultValue={value}
          maxLength={200}
          onBlur={(event) => event.currentTarget.value !== value && set(name, event.currentTarget.value.trim())}
          onKeyDown={(event) => event.key === 'Enter' && set(name, event.currentTarget.value.trim())}
        />
      )}
    </div>
  );
}
