import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

// Run by the leash: ends every process that names the folder in its arguments or its environment, then removes it.
const folder = process.argv[2] ?? ''
// Every process names an empty text, or /tmp.
if (!/\/ingot-\w{6}$/.test(folder)) throw new Error(`not a folder of the leash: ${folder}`)
const POLITE_ROUNDS = 100

function commandAndEnvironment(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') + readFileSync(`/proc/${pid}/environ`, 'utf8')
  } catch {
    return '' // ended since, or another account's
  }
}

function processes(): { pid: number; said: string }[] {
  if (existsSync('/proc/self/environ')) {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => ({ pid: Number(pid), said: commandAndEnvironment(pid) }))
  }
  const { stdout } = spawnSync('ps', ['-axEww', '-o', 'pid=,command='], { encoding: 'utf8' })
  return stdout
    .split('\n')
    .map((line) => ({ pid: Number.parseInt(line, 10), said: line.trim().replace(/^\d+ /, '') }))
}

// PostgreSQL is asked first, so that it leaves no shared memory behind.
function end(pid: number, said: string, round: number): void {
  const isPostgres = basename(said.split(/[\0 ]/)[0]!) === 'postgres'
  if (isPostgres && round % POLITE_ROUNDS !== 0) return
  try {
    process.kill(pid, isPostgres && round === 0 ? 'SIGQUIT' : 'SIGKILL')
  } catch {}
}

for (let round = 0; ; round += 1) {
  const left = processes().filter(({ pid, said }) => pid !== process.pid && said.includes(folder))
  if (left.length === 0 || round > 10 * POLITE_ROUNDS) break
  for (const { pid, said } of left) end(pid, said, round)
  await sleep(50)
}
// A file's leash may remove its own folder inside at the same time. What vanishes meanwhile ends `rmSync`, without an error.
for (let tries = 0; existsSync(folder) && tries < POLITE_ROUNDS; tries += 1) {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
}
