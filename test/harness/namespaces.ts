import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Node as a service manager or a container runs it. Each of these ends in the process it began as, so that signals and
// standard input reach Node.
const AS_ROOT = process.geteuid?.() === 0
const OWN_TMP = 'mount -t tmpfs -o mode=1777 none "$TMPDIR"'

/** `PrivateTmp=` of systemd: TMPDIR is another folder inside than outside. */
export const PRIVATE_TMP = `exec unshare --mount ${AS_ROOT ? '' : '--map-current-user --keep-caps'} \\
  sh -c '${OWN_TMP} && exec "$@"' sh "$@"`

/** A container: no process inside has a number that means anything outside, and the other way round. */
export const CONTAINER = `exec unshare --mount --pid --ipc --fork --kill-child --mount-proc \\
  sh -c '${OWN_TMP} && exec "$@"' sh "$@"`

/**
 * deploy/systemd/ingot.service run as uid: `PrivateTmp=`, and `PrivateUsers=` with `ProtectProc=invisible`. So processes outside are
 * hidden from those inside, and the account outside cannot look into a process inside. Only for root, which maps the uid.
 */
export const unitOf = (uid: number) => `exec unshare --mount sh -c '
  ${OWN_TMP} && mount -t proc -o hidepid=invisible proc /proc && mkfifo -m 666 "$TMPDIR/asked" "$TMPDIR/mapped" || exit 1
  { read -r pid < "$TMPDIR/asked"
    for map in uid_map gid_map; do echo "${uid} ${uid} 1" > "/proc/$pid/$map"; done
    echo done > "$TMPDIR/mapped"; } &
  exec unshare --user --keep-caps sh -c "
    echo \\$\\$ > \\"\\$TMPDIR/asked\\"; read -r done < \\"\\$TMPDIR/mapped\\"
    exec setpriv --reuid=${uid} --regid=${uid} --clear-groups --inh-caps=-all --ambient-caps=-all \\"\\$@\\"" sh "$@"
' sh "$@"`

/** A program to be called as Node is. */
export function nodeIn(folder: string, namespace: string): string {
  const path = join(mkdtempSync(join(folder, 'node-')), 'node')
  writeFileSync(path, `#!/bin/sh\nset -- '${process.execPath}' "$@"\n${namespace}\n`)
  chmodSync(path, 0o755)
  return path
}

/** Why a test cannot run here, or false. */
export function cannotRunIn(namespace: string): string | false {
  const folder = mkdtempSync(join(tmpdir(), 'namespace-'))
  const env = { ...process.env, TMPDIR: folder }
  const tried = spawnSync(nodeIn(folder, namespace), ['--version'], { env, encoding: 'utf8' })
  rmSync(folder, { recursive: true, force: true })
  return tried.status === 0 ? false : `this machine lets us make no such namespace: ${tried.stderr.trim()}`
}
