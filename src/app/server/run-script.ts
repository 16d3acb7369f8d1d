import { spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { ROOT } from '#base/root.ts'

export interface ScriptOptions {
  inBackground?: boolean
  // Ends it, and that is no failure.
  signal?: AbortSignal
}

// Runs a script of the repository in a process of its own: our heap is small on purpose, and a build is not. Returns what it
// said if it failed. It ends with this process, unless that is killed.
export async function runScript(
  script: string,
  args: readonly string[],
  { inBackground = false, signal }: ScriptOptions = {},
): Promise<string | undefined> {
  if (signal?.aborted) return undefined
  const child = spawn(process.execPath, [fileURLToPath(new URL(script, ROOT)), ...args], {
    cwd: fileURLToPath(ROOT),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (inBackground) letOthersFirst(child.pid)
  const end = () => child.kill('SIGKILL') // at once, and also one that is frozen
  process.once('exit', end)
  signal?.addEventListener('abort', end)
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => said.push(String(part)))
  try {
    const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve))
    return code === 0 || signal?.aborted ? undefined : said.join('').slice(-4_000)
  } finally {
    process.off('exit', end)
    signal?.removeEventListener('abort', end)
  }
}

function letOthersFirst(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch {
    // Not on this system; or it has ended.
  }
}
