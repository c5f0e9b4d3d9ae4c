// Light or dark: as the device has it, until somebody chooses. The choice is all that the console stores.
import { useEffect, useState } from 'react';

const STORED_AS = 'countersign-theme';
const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

function readStored(): Theme {
  const stored = localStorage.getItem(STORED_AS);
  return themes.find((theme) => theme === stored) ?? 'system';
}

export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(readStored);
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme;
    if (theme === 'system') localStorage.removeItem(STORED_AS);
    else localStorage.setItem(STORED_AS, theme);
  }, [theme]);
  return [theme, setTheme];
}
