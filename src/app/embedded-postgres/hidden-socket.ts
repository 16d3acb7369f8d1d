import { existsSync } from 'node:fs'
import { tryAs } from './account.ts'
import type { ClusterLocation } from './cluster-location.ts'
import { EmbeddedPostgresError } from './error.ts'
import { isPostmaster } from './is-postmaster.ts'
import type { Postmaster } from './postmaster.ts'
import { fitsInside, socketDirInside } from './socket-dir.ts'

// Through the server's own root. Succeeds only if that can be read, and its folder is gone there or is the one we see too.
const SEEN_BY_BOTH =
  'test -e "/proc/$1/root/." || exit 1; test ! -e "/proc/$1/root$2" || test "/proc/$1/root$2" -ef "$2"'

/**
 * Refuses to take the database from a server that works: its socket may be missing here and in place where the server
 * runs, in a mount namespace of its own (PrivateTmp= of systemd). If that cannot be told, the server is believed to work.
 */
export function refuseHiddenSocket(location: ClusterLocation, { pid, socketDir }: Postmaster): void {
  // A process that sees the cluster sees what is beside it. A system without /proc has no mount namespaces.
  if (!socketDir || socketDir === socketDirInside(location.home) || !existsSync('/proc/self/status')) return
  // As PostgreSQL's account: a container without CAP_SYS_PTRACE does not let root look.
  if (tryAs(location.account, '/bin/sh', ['-c', SEEN_BY_BOTH, 'sh', String(pid), socketDir]).ok) return
  if (!isPostmaster(location, pid)) return // it has ended meanwhile
  throw new EmbeddedPostgresError(
    `PostgreSQL of ${location.dataDir} runs (process ${pid}), but its socket folder ${socketDir} cannot be seen from here. ` +
      `It may be in another mount namespace, such as the private /tmp of a systemd unit. The server was left alone. ${advice(location, pid)}`,
  )
}

function advice(location: ClusterLocation, pid: number): string {
  const remedy = fitsInside(location)
    ? `Restart the service once: its socket then is in ${socketDirInside(location.home)}, where every process sees it. Until then, or`
    : 'The path of DATA_DIR is too long for a socket inside it: move the folder to a shorter path, or'
  return (
    `${remedy} if you cannot, run the command as this account in the server's namespace: root gets a shell there by ` +
    `\`nsenter --target ${pid} --mount\`. ` +
    `If no service uses the server, stop it: \`kill -INT ${pid}\``
  )
}
