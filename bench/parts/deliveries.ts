import type pg from 'pg'
import { verifyBooks } from '../books.ts'
import type { Installation } from '../installation.ts'
import { startGenerator } from '../load/start.ts'
import { approveTemplates, compareWithRows, lastMessage, passageOf, untilAllSettled } from '../messages.ts'
import type { Options } from '../options.ts'
import type { Outcome } from '../outcome.ts'
import { addPartners } from '../partners.ts'
import { buying } from '../requests.ts'
import { type Measured, type Measurement, roundsOf } from '../rounds.ts'
import { startStandIn } from '../stand-in.ts'
import { loadYears } from '../year-of-cards.ts'

const CONNECTIONS = 64

const NOTE = `The messages of the purchases without a worker wait for it; then the service runs as \`npm start\` gives it.
Per message: claimed, composed, sent to the stand-in, which is a process of its own, noted as accepted, reported to
/hooks/solapi and noted as delivered. Counted from the first attempt.`

// Messages through the worker: each has to arrive once.
export async function benchmarkDeliveries(
  installation: Installation,
  options: Options,
  onProgress: (text: string) => void,
): Promise<Outcome> {
  onProgress('first start')
  await installation.startServer()
  const connection = await installation.joinDatabase()
  onProgress('registering partners and templates')
  const [buyer, earlier] = await addPartners(installation, ['buys', 'bought'])
  await approveTemplates(installation)
  const count = options.cards.sent
  onProgress(`loading ${count.toLocaleString('en-US')} cards`)
  await loadYears(connection, [{ partnerCode: earlier!.code, firstNumber: 1, count }])
  const standIn = await startStandIn(installation.port)
  const generator = startGenerator()
  const target = { port: installation.port, generator, keys: [buyer!.key] }
  const buy = buying('', target, { connections: CONNECTIONS })

  const measured = namesOf({
    bought: `purchases, ${CONNECTIONS} connections, no worker`,
    sent: 'messages sent',
    settled: 'messages sent and reported on',
  })
  for (let round = 1; round <= options.rounds; round += 1) {
    const tell = (what: string) => onProgress(`round ${round} of ${options.rounds}: ${what}`)
    const before = await lastMessage(connection)
    await serveAs(installation, 'api', standIn.settings, tell)
    measured.bought.samples.push(await buyWarm(buy, options, tell))
    await serveAs(installation, 'api,worker', standIn.settings, tell)
    tell('messages')
    for (const [name, sample] of Object.entries(await sendBacklog(connection, before))) {
      measured[name as 'sent' | 'settled'].samples.push(sample)
    }
  }
  await generator.stop()
  const messages = await compareWithRows(connection, await standIn.stop())
  onProgress('verifying the books')
  const all = Object.values(measured)
  const books = await verifyBooks(installation, all)
  return {
    ok: books.ok && messages.ok,
    measured: all,
    goals: [
      {
        what: 'messages sent per second',
        values: roundsOf(measured.sent, 'perSecond'),
        unit: '/s',
        target: { atLeast: 2_000 },
      },
    ],
    notes: [NOTE, `messages: ${messages.text}`, ...books.notes],
  }
}

function namesOf<Key extends string>(names: Record<Key, string>): Record<Key, Measured> {
  const entries = Object.entries<string>(names).map(([key, name]) => [key, { name, samples: [] }])
  return Object.fromEntries(entries)
}

async function serveAs(
  installation: Installation,
  roles: 'api' | 'api,worker',
  settings: Record<string, string>,
  tell: (what: string) => void,
): Promise<void> {
  tell(`starting as ${roles}`)
  await installation.stopServer()
  await installation.startServer({ roles, settings })
}

async function buyWarm(buy: Measurement, options: Options, tell: (what: string) => void) {
  tell('purchases')
  await buy.run(options.warmUpSeconds)
  return buy.run(options.roundSeconds)
}

async function sendBacklog(connection: pg.ClientConfig, afterId: string) {
  await untilAllSettled(connection)
  const { messages, sentSeconds, settledSeconds } = await passageOf(connection, afterId)
  return {
    sent: { perSecond: messages / sentSeconds, errors: 0 },
    settled: { perSecond: messages / settledSeconds, errors: 0 },
  }
}
