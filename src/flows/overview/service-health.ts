// What the service's own metrics say, read from the text that Prometheus gets: they are of all processes together.

interface Sample {
  labels: Readonly<Record<string, string>>
  value: number
}

export interface ServiceHealth {
  // Null: no process of this service has the worker's role.
  worker: string | null
  writesFail: boolean
  providers: { provider: string; channel: string; isDown: boolean }[]
  // Messages that are not at their end.
  queue: { channel: string; status: string; count: number; overdueSeconds: number }[]
  prices: { metal: string; ageSeconds: number; heldBack: number }[]
  alarms: string[]
  withdrawals: { status: string; count: number; oldestSeconds: number }[]
  // ok: null before the first run.
  verification: { ok: boolean | null; ageSeconds: number }
  // Null: no backup of the embedded database was ever asked for, or the database is another one.
  backup: { archive: 'works' | 'fails' | 'given_up'; ageSeconds: number | null } | null
  restoration: { unverified: number; messagesHeld: number; silent: number } | null
  figuresLagSeconds: number
  // What lacks behind cards and points; 0 or less if nothing does.
  safeguardGapWon: number
}

const LINE = /^([a-z_]+)(?:\{(.*)\})? (\S+)/
const LABEL = /([a-z_]+)="((?:[^"\\]|\\.)*)"/g

// By name.
function readSamples(text: string): (name: string) => Sample[] {
  const samples = new Map<string, Sample[]>()
  for (const line of text.split('\n')) {
    const [, name, labels = '', value] = LINE.exec(line) ?? []
    if (name === undefined) continue
    const pairs = [...labels.matchAll(LABEL)].map(([, key, given]) => [key!, given!])
    const sample = { labels: Object.fromEntries(pairs), value: Number(value) }
    samples.set(name, [...(samples.get(name) ?? []), sample])
  }
  return (name) => samples.get(name) ?? []
}

export function toHealth(text: string): ServiceHealth {
  const of = readSamples(text)
  const one = (name: string) => of(name)[0]?.value
  const find = (name: string, like: Sample) =>
    of(name).find(({ labels }) => Object.entries(like.labels).every(([key, value]) => labels[key] === value))
  const same = (name: string, like: Sample) => find(name, like)?.value ?? 0
  const ok = one('ingot_verify_ok')
  return {
    worker: of('ingot_worker_status').find(({ value }) => value > 0)?.labels.status ?? null,
    writesFail: (one('ingot_writes_failing') ?? 0) > 0,
    providers: of('ingot_provider_circuit_open').map(({ labels, value }) => ({
      provider: labels.provider!,
      channel: labels.channel!,
      isDown: value > 0,
    })),
    queue: of('ingot_deliveries_open').map((sample) => ({
      channel: sample.labels.channel!,
      status: sample.labels.status!,
      count: sample.value,
      overdueSeconds: Math.round(same('ingot_delivery_overdue_seconds', sample)),
    })),
    prices: of('ingot_price_age_seconds').map(({ labels, value }) => ({
      metal: labels.metal!,
      ageSeconds: Math.round(value),
      heldBack:
        find('ingot_price_readings_total', {
          labels: { metal: labels.metal!, outcome: 'held_back' },
          value: 0,
        })?.value ?? 0,
    })),
    alarms: of('ingot_guess_alarm').flatMap(({ labels, value }) => (value > 0 ? [labels.kind!] : [])),
    withdrawals: of('ingot_withdrawals_open').map((sample) => ({
      status: sample.labels.status!,
      count: sample.value,
      oldestSeconds: Math.round(same('ingot_withdrawal_oldest_seconds', sample)),
    })),
    verification: {
      ok: ok === undefined ? null : ok > 0,
      ageSeconds: Math.round(one('ingot_verify_age_seconds') ?? 0),
    },
    backup: toBackup(one),
    restoration: one('ingot_restoration_count')
      ? {
          unverified: one('ingot_restoration_unverified') ?? 0,
          messagesHeld: one('ingot_restoration_messages_held') ?? 0,
          silent: one('ingot_restoration_providers_silent') ?? 0,
        }
      : null,
    figuresLagSeconds: Math.round(one('ingot_figures_lag_seconds') ?? 0),
    safeguardGapWon: one('ingot_safeguard_gap_won') ?? 0,
  }
}

function toBackup(one: (name: string) => number | undefined): ServiceHealth['backup'] {
  const failing = one('ingot_backup_archive_failing')
  if (failing === undefined) return null
  const age = one('ingot_backup_age_seconds')
  return {
    archive: failing >= 2 ? 'given_up' : failing > 0 ? 'fails' : 'works',
    ageSeconds: age === undefined ? null : Math.round(age),
  }
}
