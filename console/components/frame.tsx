// What stands around every page of the console and of the reference: a way past it, the name, what each has in its
// header, and the way to the other pages, which a phone shows when somebody asks for it.
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';

interface FrameProps {
  name: string;
  /** For the styles of one of the two. */
  className?: string;
  header: ReactNode;
  /** With an element `nav` in it. */
  navigation: ReactNode;
  children: ReactNode;
}

export function Frame({ name, className = '', header, navigation, children }: FrameProps) {
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
    <div className={`shell ${className}`.trimEnd()}>
      <a className="skip" href="#main">
        Skip to the page
      </a>
      <header className="top">
        <Link href="/" className="brand">
          {name}
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
        {header}
      </header>
      <div id="navigation" className={isMenuOpen ? 'side open' : 'side'}>
        {navigation}
      </div>
      <main id="main" ref={main}>
        {children}
      </main>
    </div>
  );
}
