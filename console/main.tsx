// Begins the console in its page.
import './styles/colours.css';
import './styles/elements.css';
import './styles/layout.css';
import './styles/components.css';
import './styles/forms.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './application/app.tsx';

const place = document.getElementById('console');
if (place === null) throw new Error('The page has no place for the console.');
createRoot(place).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
