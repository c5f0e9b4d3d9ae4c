// Begins the reference in its page.
import '../styles/colours.css';
import '../styles/elements.css';
import '../styles/layout.css';
import '../styles/components.css';
import '../styles/forms.css';
import '../styles/reference.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Reference } from './reference.tsx';

const place = document.getElementById('reference');
if (place === null) throw new Error('The page has no place for the reference.');
createRoot(place).render(
  <StrictMode>
    <Reference />
  </StrictMode>,
);
