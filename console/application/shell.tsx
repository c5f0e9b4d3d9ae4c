// What stands around every page: the way to the others, the switch that freezes the workspace, whether the service
// answers, and who is signed in.
import { useEffect, useRef, useState } from 'react';
import { Link, Route, Switch, useLocation } from 'wouter';
import { useConnection } from '../client/connection.ts';
import { ThemeChoice } from '../components/theme-choice.tsx';
import { useLiveEvents } from '../service/live-events.ts';
import { useSession } from '../session/session.ts';
import { FreezeSwitch } from './freeze-switch.tsx';
import { NotFoundPage, navigation, pages } from './pages.tsx';

export function Shell() {
  useLiveEvents();
  const { key } = useSession();
  const [isMenuOpen, setMenuOpen] = useState(false);
  const [path] = useLocation();
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  // A new page is read from its top, also by who hears it.
  useEffect(() => {
    setMenuOpen(false);
    if (isFirst.current) isFirst.current = false;
    else {
      window.scrollTo(0, 0);
      main.current?.querySelector<HTMLElement>('h1')?.focus();
    }
  }, [path]);
  return (
    <div className="shell">
      <a className="skip" href="#main">
        Skip to the page
      </a>
      <header className="top">
        <Link href="/" className="brand">
          Countersign
        </Link>
        <button
          type="button"
          className="menu-button"
          aria-expanded={isMenuOpen}
          aria-controls="navigation"
          onClick={() => setMenuOpen(!isMenuOpen)}
        >
          Menu
        </button>
        <FreezeSwitch />
        <Who />
      </header>
      <nav id="navigation" className={isMenuOpen ? 'side open' : 'side'} aria-label="Pages">
        {navigation
          .filter(([, , isFor]) => isFor?.(key) ?? true)
          .map(([href, name]) => (
            <Link key={href} href={href} aria-current={isAt(path, href) ? 'page' : undefined}>
              {name}
            </Link>
          ))}
      </nav>
      <main id="main" ref={main}>
        <ConnectionState />
        <Switch>
          {pages.map(([pattern, Page]) => (
            <Route key={pattern} path={pattern}>
              {(parameters) => <Page id={(parameters as { id?: string }).id ?? ''} />}
            </Route>
          ))}
          <Route>
            <NotFoundPage />
          </Route>
        </Switch>
      </main>
    </div>
  );
}

const isAt = (path: string, href: string) =>
  href === '/' ? path === '/' : path === href || path.startsWith(`${href}/`);

function ConnectionState() {
  const { isLost, lastAnswerAt } = useConnection();
  return (
    <div role="status" aria-live="polite">
      {isLost ? (
        <p className="lost">
          The connection to the service is lost. What you see is of {lastAnswerAt?.toLocaleTimeString() ?? 'before'}; it
          is tried again by itself.
        </p>
      ) : null}
    </div>
  );
}

function Who() {
  const { key, signOut } = useSession();
  return (
    <div className="who">
      <ThemeChoice />
      <span className="key-name" title={key.api_key}>
        {key.name}
      </span>
      <button type="button" onClick={signOut}>
        Sign out
      </button>
    </div>
  );
}
