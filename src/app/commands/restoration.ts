import { outsideOf } from '#app/audit/anchor-file.ts'
import { type Command, readReason, table, text } from '#app/command.ts'
import { createMetrics } from '#app/metrics.ts'
import { createProviders } from '#app/ports/messaging.ts'
import { orRefuse } from '#app/refused.ts'
import type { Runtime } from '#app/runtime.ts'
import { UsageError } from '#app/usage-error.ts'
import { describeRestorations, type RestorationReport } from '#flows/restoration/describe-restorations.ts'
import { recordRestoration } from '#flows/restoration/record-restoration.ts'
import { releaseMessages } from '#flows/restoration/release-messages.ts'
import { readLists, verifyRestored } from '#jobs/examine-restorations.ts'
import type { Listing, Restoration } from '#modules/restorations/types.ts'

// A time without an offset could be Seoul's or UTC's: nine hours are too much to guess.
function readTime(typed: string | undefined): Temporal.Instant | undefined {
  if (typed === undefined) return undefined
  try {
    return Temporal.Instant.from(typed.replace(' ', 'T'))
  } catch {
    throw new UsageError('--time takes a time with its offset: 2026-11-16T14:30:00+09:00')
  }
}

export const restored: Command = {
  usage:
    'restored [--time T]   (2026-11-16T14:30:00+09:00)\nRun it once after a restore to an earlier time, before the service opens. `ingot restore` does it by itself.',
  summary: 'say that the database was restored to an earlier time',
  positionals: [],
  options: { time: { type: 'string' } },
  async run({ runtime, options, actor }) {
    const outcome = orRefuse(
      await recordRestoration(runtime.database, {
        to: readTime(text(options, 'time')),
        actor,
        signer: runtime.keys.vault(),
      }),
      ({ now }) => `--time is in the future: it is ${now}`,
    )
    const { restoration } = outcome
    process.stderr.write('checking every invariant\n')
    const verified =
      restoration.verifiedAt !== null ||
      (await verifyRestored({ ...runtime, outside: () => outsideOf(runtime.config.dataDir) }, restoration))
    const lines = [
      outcome.kind === 'known' ? 'This restore was recorded before.' : wordsOf(outcome.ended),
      `Nothing after ${restoration.certainUntil} is certain. Messages from before wait until the providers were asked.`,
      verified
        ? 'Every invariant holds.'
        : 'INVARIANTS ARE BROKEN: see `ingot verify`. The service is not ready.',
      '`ingot restored report` lists what may be lost.',
    ]
    const ended = outcome.kind === 'recorded' ? outcome.ended : null
    return {
      json: { recorded: outcome.kind === 'recorded', ...timesOf(restoration), verified, ended },
      text: lines.join('\n'),
      failed: !verified,
    }
  },
}

function wordsOf(ended: { sessions: number; hashKeys: number; devices: number; codes: number }): string {
  const { sessions, hashKeys, devices, codes } = ended
  return `Ended: ${sessions} sessions, ${hashKeys} hash keys, ${codes} codes, the trust in ${devices} devices.`
}

function timesOf({ certainUntil, recordedAt, recordedBy, releasedAt, releasedBy }: Restoration) {
  return {
    certainUntil: certainUntil.toString(),
    recordedAt: recordedAt.toString(),
    recordedBy,
    releasedAt: releasedAt?.toString() ?? null,
    releasedBy,
  }
}

export const restoredReport: Command = {
  usage: 'restored report',
  summary: 'ask the providers what was sent after that time, and list what this database does not know',
  positionals: [],
  options: {},
  async run({ runtime }) {
    await askProviders(runtime)
    const report = await describeRestorations(runtime.database)
    return { json: toJson(report), text: wordsOfReport(report) }
  },
}

async function askProviders(runtime: Runtime): Promise<void> {
  const { config, database, log } = runtime
  const { restorations } = await describeRestorations(database)
  const open = restorations.filter(({ releasedAt }) => releasedAt === null)
  if (open.length === 0) return
  const providers = await createProviders(config, log, createMetrics())
  try {
    for (const restoration of open)
      await readLists({ ...runtime, providers, outside: () => outsideOf(config.dataDir) }, restoration)
  } finally {
    for (const provider of providers) await provider.close()
  }
}

function toJson({ restorations, lost }: RestorationReport) {
  return {
    restorations: restorations.map((restoration) => ({
      ...timesOf(restoration),
      verifiedAt: restoration.verifiedAt?.toString() ?? null,
      providers: restoration.listings.map(({ provider, finishedAt, begunAt, trouble }) => ({
        provider,
        begunAt: begunAt?.toString() ?? null,
        finishedAt: finishedAt?.toString() ?? null,
        trouble,
      })),
    })),
    lost: lost.map(({ sentAt, messageId: _, ...one }) => ({ sentAt: sentAt.toString(), ...one })),
  }
}

function wordsOfReport({ restorations, lost }: RestorationReport): string {
  if (restorations.length === 0) return 'this database was never restored to an earlier time'
  const about = restorations.flatMap((restoration) => [
    `${restoration.recordedAt}: restored; nothing after ${restoration.certainUntil} is certain`,
    `  invariants: ${restoration.verifiedAt ? `hold, checked ${restoration.verifiedAt}` : 'NOT CHECKED, or broken: ingot verify'}`,
    `  messages from before: ${restoration.releasedAt ? `released ${restoration.releasedAt} by ${restoration.releasedBy}` : 'wait'}`,
    ...restoration.listings.map((listing) => `  ${listing.provider}: ${wordsOfListing(listing)}`),
  ])
  const header = ['sent', 'giftId', 'card', 'purpose', 'channel', 'recipient', 'provider', 'delivered']
  const rows = lost.map((one) => [
    one.sentAt.toString(),
    one.giftId ?? one.key,
    one.giftId === null ? '–' : one.cardIsHere ? 'here' : 'LOST',
    one.purpose,
    one.channel,
    one.recipient ?? '–',
    one.provider,
    one.delivered ? 'yes' : 'no',
  ])
  const list =
    rows.length > 0 ? table(header, rows) : 'The providers named no message that this database lost.'
  return [...about, '', list].join('\n')
}

function wordsOfListing({ finishedAt, begunAt, trouble }: Listing): string {
  if (finishedAt) return `its list was read to the end ${finishedAt}`
  if (trouble === 'not_in_settings')
    return 'NOT IN MESSAGING: add it there, or `ingot restored release --reason TEXT`'
  if (trouble) return `its list cannot be read now (${trouble}): it is tried every minute`
  return begunAt
    ? 'its list is being read'
    : 'its list is read again once no request can be on its way any more'
}

export const restoredRelease: Command = {
  usage: 'restored release --reason TEXT',
  summary:
    'send messages from before a restore although a provider could not be asked: some may arrive twice',
  positionals: [],
  options: { reason: { type: 'string' } },
  async run({ runtime, options, actor }) {
    const command = { reason: readReason({ options }), actor }
    const { released } = orRefuse(
      await releaseMessages(runtime.database, command),
      () => 'no messages wait for a restore',
    )
    return {
      json: { released },
      text: 'the service is ready, and messages from before the restore are sent now; some may arrive twice',
    }
  },
}
