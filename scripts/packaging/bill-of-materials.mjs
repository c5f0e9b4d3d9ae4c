// The bill of materials in CycloneDX: the packages as npm lists them and the crates as Cargo does, in one document.
// What npm makes anew each time (time, serial number) follows here from the commit and the content.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @returns {string} */
export function billOfMaterials({ root, date, crates, nodeProgramSha256 }) {
  const npm = listPackages(root);
  const [program, ...libraries] = crates;
  const references = new Set(npm.components.map((component) => component['bom-ref']));
  const document = {
    ...npm,
    metadata: { ...npm.metadata, timestamp: date.toISOString() },
    components: [
      ...npm.components,
      { ...componentOf(program), type: 'application', hashes: [{ alg: 'SHA-256', content: nodeProgramSha256 }] },
      ...libraries.map(componentOf),
    ],
    dependencies: [
      ...npm.dependencies.map(({ ref, dependsOn = [] }) => ({
        ref,
        dependsOn: [
          ...dependsOn.filter((needed) => references.has(needed)),
          ...(ref === npm.metadata.component['bom-ref'] ? [program.reference] : []),
        ],
      })),
      ...crates.map(({ reference, dependsOn }) => ({ ref: reference, dependsOn })),
    ],
  };
  document.serialNumber = `urn:uuid:${uuidOf(JSON.stringify({ ...document, serialNumber: undefined }))}`;
  return `${JSON.stringify(document, null, 2)}\n`;
}

/**
 * What `npm sbom` says of the lock file, without what `installProductionModules` leaves out, but with what the console
 * is made of. Its own `--omit` forgets packages that are there.
 */
function listPackages(root) {
  const npm = JSON.parse(
    execFileSync('npm', ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    }),
  );
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const installed = new Set(
    Object.entries(packages)
      .filter(([path, entry]) => path !== '' && !entry.dev && !entry.optional && !entry.devOptional)
      .map(([path, { name = path.split('node_modules/').at(-1), version }]) => `${name}@${version}`),
  );
  const bundled = librariesOfConsole(root);
  const components = npm.components
    .filter((component) => installed.has(component['bom-ref']) || bundled.has(component['bom-ref']))
    .map((component) => ({ ...asShipped(component), scope: 'required' }));
  const listed = new Set(components.map((component) => component['bom-ref']));
  const missing = [...bundled].filter((library) => !listed.has(library));
  if (missing.length > 0) throw new Error(`npm lists no ${missing.join(', ')}, which the console is made of.`);
  // Npm takes the name of the folder for that of the project.
  const component = { ...asShipped(npm.metadata.component), type: 'application', name: 'countersign' };
  const refs = new Set([component, ...components].map((each) => each['bom-ref']));
  const dependencies = npm.dependencies.filter(({ ref }) => refs.has(ref));
  return { ...npm, metadata: { ...npm.metadata, component }, components, dependencies };
}

/** What is in the console's program: its build writes a heading with name, version and licence for each. */
function librariesOfConsole(root) {
  const licences = readFileSync(join(root, 'dist/console/licences.md'), 'utf8');
  const headings = [...licences.matchAll(/^## (\S+) - (\S+) \(/gm)];
  if (headings.length === 0) throw new Error('dist/console/licences.md names no library.');
  return new Set(headings.map(([, name, version]) => `${name}@${version}`));
}

function componentOf({ name, version, licence, reference, sha256 }) {
  return {
    'bom-ref': reference,
    type: 'library',
    name,
    version,
    scope: 'required',
    purl: reference,
    ...(sha256 === undefined ? {} : { hashes: [{ alg: 'SHA-256', content: sha256 }] }),
    // Some crates write the older form.
    ...(licence === null ? {} : { licenses: [{ expression: licence.replaceAll('/', ' OR ') }] }),
  };
}

/**
 * From which mirror a package came, and where else the lock file has it, are no facts about it: its hash says what it
 * is.
 */
function asShipped(component) {
  const kept = component.externalReferences?.filter(({ type }) => type !== 'distribution');
  // What is undefined does not get into the document.
  return { ...component, properties: undefined, externalReferences: kept?.length === 0 ? undefined : kept };
}

/** Of version 8: made of what the document says. */
function uuidOf(text) {
  const hex = createHash('sha256').update(text).digest('hex');
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return parts.join('-');
}
