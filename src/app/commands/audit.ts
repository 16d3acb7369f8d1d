import { type Command, type CommandContext, integer, table, text } from '#app/command.ts'
import { memberWords } from '#app/commands/member-words.ts'
import { orRefuse } from '#app/refused.ts'
import { UsageError } from '#app/usage-error.ts'
import { parseDate, seoulMidnight } from '#base/time/seoul-time.ts'
import { serviceNow } from '#base/time/service-clock.ts'
import { findAuditSubjects } from '#flows/members/find-audit-subjects.ts'
import { type ListedEntry, listAudit } from '#modules/audit/list.ts'

const MOST = 500

export const auditList: Command = {
  usage:
    'audit list [--since WHEN] [--until WHEN] [--action ACTION] [--actor ACTOR] [--about ID | --member ID | --partner CODE] ' +
    '[--limit N] [--before NUMBER]\n' +
    'WHEN is a day in Seoul (2026-11-16; --until includes it), a moment (2026-11-16T09:00:00Z), or how long ago (7d, 12h, 30m).\n' +
    `Newest first, 50 at a time, ${MOST} at most; --before goes on after the last number that was shown.`,
  summary: 'list who changed or looked up what, newest first',
  positionals: [],
  options: {
    since: { type: 'string' },
    until: { type: 'string' },
    action: { type: 'string' },
    actor: { type: 'string' },
    about: { type: 'string' },
    member: { type: 'string' },
    partner: { type: 'string' },
    limit: { type: 'string' },
    before: { type: 'string' },
  },
  async run(context) {
    const { runtime, options } = context
    const limit = integer(options, 'limit') ?? 50
    if (limit < 1 || limit > MOST) throw new UsageError(`--limit is 1 to ${MOST}`)
    const before = integer(options, 'before')
    const whose = readWhose(context)
    // The service's clock, as the entries have it. A sandbox that travelled would find nothing by this machine's.
    const now = await serviceNow(runtime.database)
    const entries = await listAudit(
      runtime.database.db,
      {
        since: moment(options, 'since', now, 0),
        until: moment(options, 'until', now, 1),
        action: text(options, 'action'),
        actor: text(options, 'actor'),
        subjects:
          whose && orRefuse(await findAuditSubjects(runtime.database.db, whose), memberWords).subjects,
        before: before === undefined ? undefined : BigInt(before),
        limit,
      },
      runtime.keys.vault(),
    )
    const shown = entries.map(entryJson)
    // By number, not by page: entries that arrive while someone reads would shift the pages.
    const next = entries.length === limit ? shown.at(-1)!.id : null
    return { json: { entries: shown, next }, text: toText(shown, next) }
  },
}

function readWhose({ options }: CommandContext) {
  const given = (['about', 'member', 'partner'] as const).flatMap((kind) => {
    const id = text(options, kind)
    return id === undefined ? [] : [{ kind, id }]
  })
  if (given.length > 1) throw new UsageError('one of --about, --member and --partner')
  return given[0]
}

const AGO = /^(\d{1,5})([dhm])$/
const UNITS = { d: 'hours', h: 'hours', m: 'minutes' } as const

// A day counts from its first moment; as an end, it counts to its last.
function moment(
  options: CommandContext['options'],
  name: string,
  now: Temporal.Instant,
  addDays: 0 | 1,
): Temporal.Instant | undefined {
  const typed = text(options, name)
  if (typed === undefined) return undefined
  const day = parseDate(typed)
  if (day) return seoulMidnight(day.add({ days: addDays }))
  const ago = AGO.exec(typed)
  if (ago) {
    const unit = ago[2] as keyof typeof UNITS
    const count = Number(ago[1]) * (unit === 'd' ? 24 : 1)
    return now.subtract({ [UNITS[unit]]: count })
  }
  try {
    return Temporal.Instant.from(typed)
  } catch {
    throw new UsageError(
      `--${name} takes a day (2026-11-16), a moment (2026-11-16T09:00:00Z) or 7d, 12h, 30m`,
    )
  }
}

// Whoever runs commands has the key ring, so the private part is shown. Erased or lost, the word says so.
export function entryJson({ id, at, position, details, private: part, ...entry }: ListedEntry) {
  const words = typeof part === 'object' && part !== null ? part : {}
  const { from = null, ...typed } = words
  return {
    id: Number(id),
    at: at.toString(),
    position: position === null ? null : Number(position),
    ...entry,
    details: { ...details, ...typed },
    from,
    ...(typeof part === 'string' ? { private: part } : {}),
  }
}

function fromText({ from, private: part }: ReturnType<typeof entryJson>): string {
  if (part !== undefined) return part
  return from ? Object.values(from).join(', ') : '–'
}

function reasonText({ details, private: part }: ReturnType<typeof entryJson>): string {
  const { reason, note } = details as { reason?: string | null; note?: string }
  if (reason === null) return 'none given'
  return reason ?? note ?? part ?? '–'
}

export function entryText(entry: ListedEntry): string {
  const shown = entryJson(entry)
  const { reason: _, note: __, before, after, ...facts } = shown.details as Record<string, unknown>
  const lines = {
    number: shown.id,
    position: shown.position ?? 'waits for the sealer',
    at: shown.at,
    actor: shown.actor,
    action: shown.action,
    about: shown.subject,
    from: fromText(shown),
    reason: reasonText(shown),
    ...facts,
  }
  return [
    ...Object.entries(lines).map(
      ([name, value]) => `${name.padEnd(12)} ${typeof value === 'object' ? JSON.stringify(value) : value}`,
    ),
    ...differenceLines(before, after),
  ].join('\n')
}

// One line for each fact that the act changed.
function differenceLines(before: unknown, after: unknown): string[] {
  const was = (before ?? {}) as Record<string, unknown>
  const is = (after ?? {}) as Record<string, unknown>
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].map(
    (name) => `${name.padEnd(12)} ${JSON.stringify(was[name] ?? null)} → ${JSON.stringify(is[name] ?? null)}`,
  )
}

function toText(entries: readonly ReturnType<typeof entryJson>[], next: number | null): string {
  if (entries.length === 0) return 'there are none'
  const rows = entries.map((entry) => {
    const { reason: _, note: __, ...rest } = entry.details as Record<string, unknown>
    const others = Object.entries(rest).map(([name, value]) => `${name} ${JSON.stringify(value)}`)
    const { id, at, actor, action, subject } = entry
    return [String(id), at, actor, action, subject, reasonText(entry), fromText(entry), others.join(', ')]
  })
  const lines = table(['number', 'at', 'actor', 'action', 'about', 'reason', 'from', 'details'], rows)
  return next === null ? lines : `${lines}\nmore: --before ${next}`
}
