// Where the colours are chosen.
import { type Theme, useTheme } from '../session/theme.ts';

export function ThemeChoice() {
  const [theme, setTheme] = useTheme();
  return (
    <label className="theme">
      <span className="hidden">Colours</span>
      <select value={theme} onChange={(event) => setTheme(event.currentTarget.value as Theme)}>
        <option value="system">As the device</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
    </label>
  );
}
