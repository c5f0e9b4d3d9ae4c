// What stands around every page: the way to the others, the switch that freezes the workspace, whether the service
// answers, and who is signed in.
import { Link, Route, Switch, useLocation } from 'wouter';
import { useConnection } from '../client/connection.ts';
import { Frame } from '../components/frame.tsx';
import { ThemeChoice } from '../components/theme-choice.tsx';
import { useLiveEvents } from '../service/live-events.ts';
import { useSession } from '../session/session.ts';
import { FreezeSwitch } from './freeze-switch.tsx';
import { NotFoundPage, navigation, pages } from './pages.tsx';

export function Shell() {
  useLiveEvents();
  return (
    <Frame
      name="Countersign"
      header={
        <>
          <FreezeSwitch />
          <Who />
        </>
      }
      navigation={<Navigation />}
    >
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
    </Frame>
  );
}

function Navigation() {
  const { key } = useSession();
  const [path] = useLocation();
  return (
    <nav aria-label="Pages">
      {navigation
        .filter(([, , isFor]) => isFor?.(key) ?? true)
        .map(([href, name]) => (
          <Link key={href} href={href} aria-current={isAt(path, href) ? 'page' : undefined}>
            {name}
          </Link>
        ))}
    </nav>
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
