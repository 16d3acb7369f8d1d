import { setTimeout as sleep } from 'node:timers/promises'
import type { LocalService } from '../local-service.ts'
import type { Proof, Wanted } from '../proof.ts'
import { proveLocal, type Trial } from '../trial.ts'

// How a provider is down: it answers with errors, takes messages and loses the answer, or says nothing.
const FAULTS = ['error_500', 'reset_before', 'accepted_then_500', 'reset_after', 'rate_limited'] as const
const HOURS = 23 // a message is worth a day of tries; then it fails, and says so
const HOUR_MS = 1_500 // so that tries happen in each

export const providerDown: Proof = {
  what: 'the provider of messages fails in several ways for 23 hours, which pass in a minute',
  count: 1,
  run: (given) => proveLocal(given, (service, trial) => breakProvider(service, trial, given)),
}

export async function breakProvider(
  service: LocalService,
  trial: Trial,
  wanted: Wanted,
  hourMs = HOUR_MS,
): Promise<string[]> {
  const { standIn } = service
  const faultsBefore = standIn.counts.faults
  for (const _ of trial.rounds(wanted)) {
    await trial.untilActing()
    await service.withSql(async (client) => {
      for (let hour = 0; hour < HOURS; hour += 1) {
        standIn.breakAll(trial.random.pick(FAULTS))
        await sleep(hourMs)
        await passAnHour(client, standIn)
      }
    })
    standIn.breakAll(undefined)
    trial.fault(`the provider was down for ${HOURS} hours`)
  }
  await trial.untilActing()
  return [`${standIn.counts.faults - faultsBefore} requests to the provider went wrong`]
}

type Client = Parameters<Parameters<LocalService['withSql']>[0]>[0]

const HOUR = 3_600_000 // ms
const MESSAGES = {
  delivery: `concat_ws('.', card_id, channel, purpose, ordinal)`,
  notice: `key || '.text.notice.0'`,
}

// All that is remembered of a message's time moves an hour back: that is an hour passing for it, and nothing else. The
// provider's memory of it too: the service asks for what it sent at that time, and would otherwise send it again.
async function passAnHour(client: Client, { phones }: LocalService['standIn']): Promise<void> {
  const moved = new Set<string>()
  for (const [table, key] of Object.entries(MESSAGES)) {
    const { rows } = await client.query<{ key: string }>(
      `update ${table} set due_at = due_at - interval '1 hour', tried_at = tried_at - interval '1 hour',
              first_tried_at = first_tried_at - interval '1 hour'
        where id in (select id from ${table} where settled_at is null and claimed_until is null
                      order by id for no key update)
        returning ${key} as key`,
    )
    for (const row of rows) moved.add(row.key)
  }
  for (const sent of phones.all) if (moved.has(sent.key)) sent.atMs -= HOUR
  await client.query(`select graphile_worker.add_job('sweep_deliveries', job_key => 'sweep')`)
}
