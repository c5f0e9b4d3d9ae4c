// The head of a page, which is also its title, and its parts.
import { type ReactNode, useEffect, useId } from 'react';

export function PageHead({ title, children }: { title: string; children?: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Countersign`;
  }, [title]);
  return (
    <header className="page-head">
      <h1 tabIndex={-1}>{title}</h1>
      {children === undefined ? null : <div className="actions">{children}</div>}
    </header>
  );
}

export function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className="card" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}
