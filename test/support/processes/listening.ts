// Where processes of this machine listen, as Linux says it. Opens no connection.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const LISTENING = '0A';
/** As /proc/net/tcp has 127.0.0.1. */
const LOOPBACK = '0100007F';

export interface ListeningSocket {
  pid: number;
  port: number;
  isLoopback: boolean;
}

export function listeningSockets(pids: readonly number[]): ListeningSocket[] {
  const sockets = [...socketsOf('/proc/net/tcp'), ...socketsOf('/proc/net/tcp6')];
  return pids.flatMap((pid) => {
    const inodes = openSocketsOf(pid);
    return sockets.filter(({ inode }) => inodes.has(inode)).map(({ port, isLoopback }) => ({ pid, port, isLoopback }));
  });
}

function socketsOf(file: string): { inode: string; port: number; isLoopback: boolean }[] {
  const [, ...lines] = readFileSync(file, 'utf8').trim().split('\n');
  return lines.flatMap((line) => {
    const fields = line.trim().split(/\s+/);
    const [address = '', port = ''] = (fields[1] ?? '').split(':');
    if (fields[3] !== LISTENING) return [];
    return [{ inode: fields[9] ?? '', port: Number.parseInt(port, 16), isLoopback: address === LOOPBACK }];
  });
}

function openSocketsOf(pid: number): Set<string> {
  const folder = `/proc/${pid}/fd`;
  const targets = readdirSync(folder).map((fd) => {
    try {
      return readlinkSync(`${folder}/${fd}`);
    } catch {
      return ''; // closed since
    }
  });
  return new Set(targets.flatMap((target) => /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? []));
}
