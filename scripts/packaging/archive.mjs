// Packs a folder as a .tar.gz whose bytes follow from names and contents alone: in the order of the names, owned by
// root, of one time, readable by all. Needs GNU tar and gzip, whose output does not depend on the processor.
import { execFileSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { basename, dirname } from 'node:path';

export function packFolder(folder, archive, date) {
  const tar = `${archive}.tar`;
  const inOrder = ['--sort=name', `--mtime=@${date.getTime() / 1000}`, '--format=gnu'];
  const asRoot = ['--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX'];
  const what = ['--directory', dirname(folder), basename(folder)];
  execFileSync('tar', ['--create', '--file', tar, ...inOrder, ...asRoot, ...what], {
    env: { ...process.env, LC_ALL: 'C' },
    stdio: 'inherit',
  });
  const output = openSync(archive, 'w');
  execFileSync('gzip', ['--no-name', '--stdout', tar], { stdio: ['ignore', output, 'inherit'] });
  closeSync(output);
  execFileSync('rm', [tar]);
}
