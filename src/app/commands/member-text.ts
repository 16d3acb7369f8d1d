import { table } from '#app/command.ts'
import { changesJson } from '#app/commands/changes.ts'
import { formatWon, wonToJson } from '#base/money.ts'
import type { showMember } from '#flows/members/show-member.ts'
import { gramsText } from '#modules/pricing/rules.ts'

type Shown = Exclude<Awaited<ReturnType<typeof showMember>>, { kind: 'refused' }>

const METALS = { XAU: 'gold', XAG: 'silver' } as const

function statusOf({ account, frozen }: Shown): string {
  if (frozen) return 'frozen'
  if (!account) return 'no account'
  return account.closedAt ? 'closed' : 'open'
}

export function memberToJson(shown: Shown) {
  const { account, details } = shown
  return {
    id: account?.id ?? null,
    memberId: shown.memberId,
    loginId: account?.loginId ?? null,
    status: statusOf(shown),
    joinedAt: account?.createdAt.toString() ?? null,
    closedAt: account?.closedAt?.toString() ?? null,
    passwordChangedAt: account?.passwordChangedAt?.toString() ?? null,
    ...(details ?? { name: null }),
    devices: shown.devices,
    holdings: shown.holdings.map(({ through, points, deposit, gold, silver }) => ({
      through,
      points: wonToJson(points),
      deposit: wonToJson(deposit),
      goldGrams: gramsText(gold),
      silverGrams: gramsText(silver),
    })),
    orders: shown.orders.map((order) => ({
      id: order.id,
      at: order.at.toString(),
      side: order.side,
      metal: METALS[order.metal],
      grams: gramsText(order.units),
      price: wonToJson(order.price),
      fee: wonToJson(order.fee),
      total: wonToJson(order.total),
    })),
    withdrawals: shown.withdrawals.map((one) => ({
      id: one.id,
      requestedAt: one.requestedAt.toString(),
      status: one.status,
      amount: wonToJson(one.amount),
      bank: one.bank,
      account: one.account,
    })),
    links: shown.links.map(({ id, partner, status, confirmed }) => ({ id, partner, status, confirmed })),
    sessions: shown.sessions.map(({ startedAt, seenAt, ...session }) => ({
      ...session,
      startedAt: startedAt.toString(),
      seenAt: seenAt.toString(),
    })),
    freezes: shown.freezes.map((freeze) => ({
      frozenAt: freeze.frozenAt.toString(),
      frozenBy: freeze.frozenBy,
      thawedAt: freeze.thawedAt?.toString() ?? null,
      thawedBy: freeze.thawedBy,
    })),
    notices: shown.notices.map(({ at, ...notice }) => ({ ...notice, at: at.toString() })),
    consents: shown.consents.map(({ terms_id, agreed, at, version }) => ({
      termsId: terms_id,
      version,
      agreed,
      at: at.toString(),
    })),
    changes: changesJson(shown.changes),
  }
}

// A title and its lines, each indented; nothing of what there is nothing of.
function section(title: string, rows: readonly (readonly string[])[], header?: readonly string[]): string[] {
  if (rows.length === 0) return []
  const [titles, ...lines] = table(header ?? rows[0]!.map(() => ''), rows).split('\n')
  return [title, ...(header ? [titles!, ...lines] : lines).map((line) => `  ${line}`)]
}

export function memberText(member: ReturnType<typeof memberToJson>): string {
  const fields = Object.entries(member).filter(([, value]) => !Array.isArray(value))
  const won = (amount: number) => formatWon(BigInt(amount))
  return [
    ...fields.map(([name, value]) => `${name.padEnd(17)} ${value ?? '–'}`),
    ...section(
      'holdings',
      member.holdings.map((h) => [
        h.through ?? 'the member',
        won(h.points),
        won(h.deposit),
        h.goldGrams,
        h.silverGrams,
      ]),
      ['held by', 'points', 'deposit', 'gold g', 'silver g'],
    ),
    ...section(
      'orders',
      member.orders.map((o) => [
        o.at,
        o.side,
        o.metal,
        `${o.grams} g`,
        won(o.total),
        `fee ${won(o.fee)}`,
        o.id,
      ]),
    ),
    ...section(
      'withdrawals',
      member.withdrawals.map((w) => [w.requestedAt, w.status, won(w.amount), `${w.bank} ${w.account}`, w.id]),
    ),
    ...section(
      'links',
      member.links.map((l) => [l.partner, l.status, l.confirmed ? 'confirmed' : 'not confirmed', l.id]),
    ),
    ...section(
      'sessions',
      member.sessions.map((s) => [s.startedAt, [s.device, s.partner].filter(Boolean).join('  ')]),
    ),
    ...section(
      'freezes',
      member.freezes.map((f) => [f.frozenAt, f.frozenBy, f.thawedAt ?? 'still frozen', f.thawedBy ?? '']),
    ),
    ...section(
      'notices',
      member.notices.map((n) => [n.at, n.purpose, n.status, n.reason ?? '']),
    ),
    ...section(
      'consents',
      member.consents.map((c) => [c.at, c.agreed ? 'Y' : 'N', c.termsId, c.version ?? '']),
    ),
    ...section(
      'changes',
      member.changes.map((c) => [c.at, c.action, c.actor, JSON.stringify(c.details)]),
    ),
  ].join('\n')
}
