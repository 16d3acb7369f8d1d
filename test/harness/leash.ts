import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Whatever a test file started ends with it, also when the file is killed and no hook of its own runs. The file works in
// a temporary folder of its own, which every process it starts has in its environment (TMPDIR) or, like PostgreSQL, in
// its arguments. A shell waits for the end of a pipe that only this process holds, and then ends them all and removes
// the folder. The runner has a leash too (global-setup.ts): its folder holds those of the files.
const END = fileURLToPath(new URL('end-processes.ts', import.meta.url))

// Most files leave nothing behind, and grep finds that out in a fraction of the time that Node takes to start. The
// folder comes through the pipe: in the arguments, grep would find the shell itself.
const WAIT_AND_END = `folder=$(cat)
if [ -r /proc/self/environ ] && ! printf %s "$folder" | grep -qsaFf - /proc/[0-9]*/cmdline /proc/[0-9]*/environ
then exec rm -rf "$folder"
else exec "$@" "$folder"
fi`

export function holdFolder(parent: string): string {
  const folder = mkdtempSync(join(parent, 'ingot-'))
  // As root, PostgreSQL's account must be able to pass through; otherwise the cluster is placed elsewhere.
  chmodSync(folder, 0o711)
  const leash = spawn('/bin/sh', ['-c', WAIT_AND_END, 'leash', process.execPath, END], {
    cwd: '/',
    env: {},
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true, // a Ctrl-C is for the tests
  })
  leash.stdin.write(folder)
  leash.unref()
  // The pipe closes with this process, and does not keep it alive.
  ;(leash.stdin as unknown as { unref(): void }).unref()
  return folder
}

process.env.TMPDIR = holdFolder(tmpdir())
