import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verifyBooks } from '../books.ts'
import { freePort, type Installation } from '../installation.ts'
import { startGenerator } from '../load/start.ts'
import type { Options } from '../options.ts'
import type { Outcome } from '../outcome.ts'
import { addPartners } from '../partners.ts'
import { profileWhile } from '../profile/inspector.ts'
import { type SelfTime, selfTimes } from '../profile/self-time.ts'
import { print } from '../report.ts'
import { buying } from '../requests.ts'
import { runMetered, type Sample } from '../rounds.ts'

const CONNECTIONS = 64
const FUNCTIONS = 30
const ROOT = new URL('../../', import.meta.url).href

const NOTE = `Self time of the one API process while ${CONNECTIONS} connections buy: a function's own time without what it
calls. C++ functions count with their caller. The profiler itself costs some speed.`

// Where the time of a purchase goes. Open the file in Chrome's developer tools, or in an editor that knows .cpuprofile.
export async function profilePurchases(
  installation: Installation,
  options: Options,
  onProgress: (text: string) => void,
): Promise<Outcome> {
  onProgress('first start')
  const inspectorPort = await freePort()
  await installation.startServer({
    roles: 'api',
    settings: { INGOT_PROCESSES: '1' },
    flags: [`--inspect=127.0.0.1:${inspectorPort}`, '--inspect-publish-uid=http'],
  })
  const [buyer] = await addPartners(installation, ['buys'])
  const generator = startGenerator()
  const target = { port: installation.port, generator, keys: [buyer!.key] }
  const name = `purchases, ${CONNECTIONS} connections, profiled`
  const buy = buying(name, target, { connections: CONNECTIONS })
  onProgress('warming up')
  await buy.run(2 * options.warmUpSeconds)
  onProgress('profiling')
  const meter = await installation.meter()
  const samples: Sample[] = []
  const profile = await profileWhile(inspectorPort, async () => {
    samples.push(await runMetered(buy, options.rounds * options.roundSeconds, meter))
  })
  await generator.stop()
  const folder = mkdtempSync(join(tmpdir(), 'ingot-profile-'))
  const file = join(folder, 'purchases.cpuprofile')
  writeFileSync(file, JSON.stringify(profile))

  const { byArea, byFunction, busyMilliseconds } = selfTimes(profile, ROOT)
  const each = busyMilliseconds / samples[0]!.requests!
  printTimes('self time by area', byArea, each)
  printTimes('self time by function', byFunction.slice(0, FUNCTIONS), each)
  process.stdout.write(`\nprofile: ${file}\n`)
  const measured = [{ name, samples }]
  const books = await verifyBooks(installation, measured)
  return { ok: books.ok, measured, goals: [], notes: [NOTE, ...books.notes] }
}

function printTimes(title: string, times: readonly SelfTime[], millisecondsEach: number): void {
  print(
    [title, 'share', 'µs a purchase'],
    times.map(({ name, share }) => [
      name,
      `${(100 * share).toFixed(1)}%`,
      (1000 * share * millisecondsEach).toFixed(1),
    ]),
  )
}
