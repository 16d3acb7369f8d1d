import type { ServiceHealth } from '#flows/overview/service-health.ts'
import { CREDIT_ALERTS } from '#modules/partners/credit.ts'

// What waits for a person, the most pressing first. The page has a sentence and a link for each.
export const NEEDS = [
  'writes_fail',
  'books_broken',
  'restoration_unverified',
  'backup_archive_given_up',
  'guessing',
  'worker_not_running',
  'messages_not_sent',
  'provider_down',
  'prices_stale',
  'trading_stopped',
  'backup_archive_fails',
  'books_not_verified',
  'restoration_messages_held',
  'safeguard_short',
  'credit_95',
  'credit_untold',
  'approvals_open',
  'withdrawals_to_approve',
  'withdrawals_to_pay',
  'messages_fail',
  'credit_80',
  'backup_old',
  'figures_lag',
] as const

type NeedKind = (typeof NEEDS)[number]

export interface Need {
  kind: NeedKind
  // How many wait, or are wrong; null where one is all there can be.
  count: number | null
  // Names of providers, metals or kinds of guesses; empty where the kind says all.
  names: string[]
  // How long the oldest waits.
  seconds: number | null
  // How much lacks.
  won: number | null
}

export interface OverviewFacts {
  openApprovals: number
  // Messages of today that failed for reasons that an operator can mend.
  mendableFailures: bigint
  // Partners by the percent of their credit that they have used.
  credit: { partner: string; percent: number }[]
  // Partners near their limit without a contact who could be told.
  creditUntold: string[]
  metals: { metal: string; trading: 'open' | 'stale' | 'stopped' }[]
}

// As the alerts judge (deploy/alerts.yml); the console shows some of it sooner.
const LATE_MESSAGE_SECONDS = 180
const OLD_VERIFICATION_SECONDS = 26 * 3_600
const OLD_BACKUP_SECONDS = 36 * 3_600
const LATE_FIGURES_SECONDS = 120

type Found = Omit<Need, 'kind'> | false

const found = (given: Partial<Omit<Need, 'kind'>> = {}): Found => ({
  count: null,
  names: [],
  seconds: null,
  won: null,
  ...given,
})

export function listNeeds(health: ServiceHealth, facts: OverviewFacts): Need[] {
  const judged: Record<NeedKind, Found> = {
    ...troubles(health),
    ...waits(health, facts),
    ...outside(health, facts),
  }
  return NEEDS.flatMap((kind) => {
    const need = judged[kind]
    return need ? [{ kind, ...need }] : []
  })
}

// Of the service itself.
function troubles({
  writesFail,
  verification,
  restoration,
  backup,
  worker,
  figuresLagSeconds,
  safeguardGapWon,
}: ServiceHealth) {
  const isWorking = worker === null || worker === 'running' || worker === 'starting'
  return {
    writes_fail: writesFail && found(),
    books_broken: verification.ok === false && found(),
    books_not_verified:
      verification.ageSeconds > OLD_VERIFICATION_SECONDS && found({ seconds: verification.ageSeconds }),
    restoration_unverified: restoration !== null && restoration.unverified > 0 && found(),
    restoration_messages_held: restoration !== null && restoration.messagesHeld > 0 && found(),
    backup_archive_given_up: backup?.archive === 'given_up' && found(),
    backup_archive_fails: backup?.archive === 'fails' && found(),
    backup_old:
      backup?.ageSeconds != null &&
      backup.ageSeconds > OLD_BACKUP_SECONDS &&
      found({ seconds: backup.ageSeconds }),
    worker_not_running: !isWorking && found({ names: [worker] }),
    safeguard_short: safeguardGapWon > 0 && found({ won: safeguardGapWon }),
    figures_lag: figuresLagSeconds > LATE_FIGURES_SECONDS && found({ seconds: figuresLagSeconds }),
  }
}

function waits({ withdrawals }: ServiceHealth, { openApprovals, credit, creditUntold }: OverviewFacts) {
  const used = (from: number, below: number): Found => {
    const near = credit.filter(({ percent }) => percent >= from && percent < below)
    return near.length > 0 && found({ names: near.map(({ partner }) => partner) })
  }
  const [warned, pressing] = CREDIT_ALERTS
  const open = (status: string): Found => {
    const one = withdrawals.find((row) => row.status === status)
    return one !== undefined && one.count > 0 && found({ count: one.count, seconds: one.oldestSeconds })
  }
  return {
    credit_95: used(pressing, Number.POSITIVE_INFINITY),
    credit_80: used(warned, pressing),
    credit_untold: creditUntold.length > 0 && found({ names: creditUntold }),
    approvals_open: openApprovals > 0 && found({ count: openApprovals }),
    withdrawals_to_approve: open('requested'),
    withdrawals_to_pay: open('approved'),
  }
}

// Of providers, feeds and attackers.
function outside({ queue, providers, alarms }: ServiceHealth, { mendableFailures, metals }: OverviewFacts) {
  const late = queue.filter(
    ({ status, overdueSeconds }) => status === 'queued' && overdueSeconds > LATE_MESSAGE_SECONDS,
  )
  const down = [...new Set(providers.filter(({ isDown }) => isDown).map(({ provider }) => provider))]
  const inState = (state: string) =>
    metals.filter(({ trading }) => trading === state).map(({ metal }) => metal)
  const named = (names: string[]): Found => names.length > 0 && found({ names })
  return {
    messages_not_sent:
      late.length > 0 &&
      found({
        count: late.reduce((sum, { count }) => sum + count, 0),
        seconds: Math.max(...late.map(({ overdueSeconds }) => overdueSeconds)),
      }),
    messages_fail: mendableFailures > 0n && found({ count: Number(mendableFailures) }),
    provider_down: named(down),
    prices_stale: named(inState('stale')),
    trading_stopped: named(inState('stopped')),
    guessing: named(alarms),
  }
}
