import { besideGoal, measureBeside } from '../beside.ts'
import { loadDay } from '../day-of-movements.ts'
import type { Installation } from '../installation.ts'
import { startGenerator } from '../load/start.ts'
import type { Options } from '../options.ts'
import type { Outcome } from '../outcome.ts'
import { addPartners } from '../partners.ts'
import { buying } from '../requests.ts'
import { withClient } from '../sql.ts'

const CODES = ['close-1', 'close-2', 'close-3', 'close-4', 'close-5']

// Closes a day of many movements while purchases go on, and compares their rate with that before and after it.
export async function benchmarkClose(
  installation: Installation,
  { close: { movements } }: Options,
  tell: (text: string) => void,
): Promise<Outcome> {
  tell('first start')
  await installation.startServer()
  const partners = await addPartners(installation, CODES)
  tell(`a day of ${movements.toLocaleString('en-US')} movements`)
  await withClient(await installation.joinDatabase(), (client) => loadDay(client, CODES, movements))
  const generator = startGenerator()
  const keys = partners.map(({ key }) => key)
  const purchases = buying('purchases', { port: installation.port, generator, keys }, { connections: 16 })
  const { measured, ok, ratio, seconds, answer } = await measureBeside('the close', purchases, tell, () =>
    installation.command('books', 'close', '--json'),
  )
  await generator.stop()
  const { closed } = JSON.parse(answer) as { closed: string[] }
  return {
    ok: ok && closed.length === 1,
    measured,
    goals: [
      besideGoal('the close', [ratio]),
      {
        what: 'a close, for 1,000,000 movements',
        values: [(seconds * 1e6) / movements],
        unit: 's',
        target: { atMost: 60 },
      },
    ],
    notes: [
      `${movements.toLocaleString('en-US')} movements closed in ${seconds.toFixed(1)} s, with the start of the command`,
    ],
  }
}
