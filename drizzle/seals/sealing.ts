// What a function that writes a versioned, sealed row is handed: the seals, and who notes each new version for the
// audit entry of the change. Seals nothing itself.
import type { SealedVersion, Seals } from './seals.ts';

export interface Sealing {
  seals: Seals;
  note: (version: SealedVersion) => void;
}

/** Of a write over HTTP: `note` is that of acceptWrite. */
export const sealingOf = (seals: Seals, note: (noted: { sealed: readonly SealedVersion[] }) => void): Sealing => ({
  seals,
  note: (version) => note({ sealed: [version] }),
});
