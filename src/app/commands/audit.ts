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
    const entries = await listAudit(runtime.database.db, {
      since: moment(options, 'since', now, 0),
      until: moment(options, 'until', now, 1),
      action: text(options, 'action'),
      actor: text(options, 'actor'),
      subjects: whose && orRefuse(await findAuditSubjects(runtime.database.db, whose), memberWords).subjects,
      before: before === undefined ? undefined : BigInt(before),
      limit,
    })
    const shown = entries.map(toJson)
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

function toJson({ id, at, ...entry }: ListedEntry) {
  return { id: Number(id), at: at.toString(), ...entry }
}

function toText(entries: readonly ReturnType<typeof toJson>[], next: number | null): string {
  if (entries.length === 0) return 'there are none'
  const rows = entries.map(({ id, at, actor, action, subject, details }) => {
    const { reason, ...rest } = details
    const others = Object.entries(rest).map(([name, value]) => `${name} ${JSON.stringify(value)}`)
    const said = reason === null ? 'none given' : typeof reason === 'string' ? reason : '–'
    return [String(id), at, actor, action, subject, said, others.join(', ')]
  })
  const lines = table(['number', 'at', 'actor', 'action', 'about', 'reason', 'details'], rows)
  return next === null ? lines : `${lines}\nmore: --before ${next}`
}
