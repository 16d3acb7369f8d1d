// A year as a bookkeeper would write it down by hand: what moved on which day, from which account to which. It knows no SQL and
// nothing of how the service counts. test/api/random-year.test.ts compares the two.

type Figure = 'issued' | 'used' | 'voided'
export type Base = 'issued' | 'used'

export interface ModelCard {
  id: string
  partner: string
  amount: bigint
  issuedOn: string
  expiresOn: string
  state: 'issued' | 'used' | 'voided' | 'expired' | 'refunded'
  extended: boolean
}

interface Move {
  // Its own day, and the closed day that has it: a later one if it came too late.
  day: string
  closedOn: string | undefined
  kind: string
  asset: string
  from: string
  to: string
  amount: bigint
  card: ModelCard | undefined
}

interface ModelStatement {
  number: string
  from: string
  to: string
  due: bigint
  dueCommission: bigint
  paid: bigint
  paidCommission: bigint
  depositLeft: bigint
  creditLeft: bigint
  commissionClosing: bigint
}

interface ModelPayment {
  reference: string
  amount: bigint
  parts: { statement: ModelStatement; cards: bigint; commission: bigint }[]
}

interface ModelPartner {
  code: string
  limit: bigint
  rates: { from: string; bps: bigint; base: Base }[]
  statements: ModelStatement[]
  payments: ModelPayment[]
  // What payments named of statements, and what reversals took back, by day.
  named: { day: string; cards: bigint; commission: bigint }[]
}

const FIGURES: Record<string, Figure> = { issue: 'issued', redeem: 'used', void: 'voided' }
const sum = (amounts: readonly bigint[]) => amounts.reduce((total, one) => total + one, 0n)
const least = (one: bigint, other: bigint) => (one < other ? one : other)
export const nextDay = (day: string) => Temporal.PlainDate.from(day).add({ days: 1 }).toString()

export class Year {
  readonly moves: Move[] = []
  readonly cards: ModelCard[] = []
  readonly partners = new Map<string, ModelPartner>()
  firstOpen = ''

  addPartner(code: string, limit: bigint): ModelPartner {
    const partner = { code, limit, rates: [], statements: [], payments: [], named: [] }
    this.partners.set(code, partner)
    return partner
  }

  // Accounts as `kind` or `kind partner`.
  move(day: string, kind: string, asset: string, from: string, to: string, amount: bigint, card?: ModelCard) {
    if (amount > 0n) this.moves.push({ day, closedOn: undefined, kind, asset, from, to, amount, card })
  }

  close(last: string): void {
    this.firstOpen ||= this.moves.map(({ day }) => day).sort()[0] ?? nextDay(last)
    for (const move of this.moves)
      if (!move.closedOn && move.day <= last)
        move.closedOn = move.day < this.firstOpen ? this.firstOpen : move.day
    if (this.firstOpen <= last) this.firstOpen = nextDay(last)
  }

  // Of every account and asset that ever moved: debit and credit of a closed day, and the balance at its end.
  accountsOf(day: string): Map<string, { debit: bigint; credit: bigint; closing: bigint }> {
    const accounts = new Map<string, { debit: bigint; credit: bigint; closing: bigint }>()
    for (const { closedOn, asset, from, to, amount } of this.moves) {
      if (!closedOn || closedOn > day) continue
      for (const [name, side] of [
        [`${from} ${asset}`, 'debit'],
        [`${to} ${asset}`, 'credit'],
      ] as const) {
        const account = accounts.get(name) ?? { debit: 0n, credit: 0n, closing: 0n }
        accounts.set(name, account)
        account.closing += side === 'credit' ? amount : -amount
        if (closedOn === day) account[side] += amount
      }
    }
    return accounts
  }

  // What a partner owes now.
  owed(code: string): bigint {
    return this.#net(code, () => true)
  }

  #net(code: string, counts: (move: Move) => boolean): bigint {
    const name = `partner_receivable ${code}`
    return sum(
      this.moves
        .filter((move) => counts(move))
        .map(({ from, to, amount }) => (from === name ? amount : to === name ? -amount : 0n)),
    )
  }

  // A figure of a period by the day it counts for: a void for the day on which its card was issued.
  figure(
    code: string,
    figure: Figure,
    { from, to }: { from: string; to: string },
    counts: (m: Move) => boolean,
  ) {
    return sum(
      this.moves
        .filter((move) => FIGURES[move.kind] === figure && move.card?.partner === code && counts(move))
        .filter((move) => {
          const day = figure === 'voided' ? move.card!.issuedOn : move.day
          return day >= from && day < to
        })
        .map(({ amount }) => amount),
    )
  }

  usage(code: string, period: { from: string; to: string }) {
    const [issued, voided, used] = (['issued', 'voided', 'used'] as const).map((figure) =>
      this.figure(code, figure, period, () => true),
    )
    return { issued: issued! - voided!, used: used! }
  }

  // What a period's usage costs, as far as the days before `until` have it.
  #cost({ code, rates }: ModelPartner, { from, to }: { from: string; to: string }, until: string) {
    const counts = ({ closedOn }: Move) => closedOn !== undefined && closedOn < until
    const starts = [from, ...rates.map((rate) => rate.from).filter((day) => day > from && day < to)]
    const supplies = starts.map((start, i) => {
      const part = { from: start, to: starts[i + 1] ?? to }
      const { bps, base } = rates.findLast((rate) => rate.from <= start) ?? { bps: 0n, base: 'issued' }
      const of = (figure: Figure) => this.figure(code, figure, part, counts)
      return ((base === 'used' ? of('used') : of('issued') - of('voided')) * bps) / 10_000n
    })
    const supply = sum(supplies)
    return { supply, vat: supply / 10n }
  }

  // The statement of a period whose days are closed.
  statement(code: string, from: string, to: string) {
    const partner = this.partners.get(code)!
    const before = partner.statements.at(-1)
    const inside = ({ closedOn }: Move) => closedOn !== undefined && closedOn >= from && closedOn < to
    const of = (figure: Figure, period: { from: string; to: string }) =>
      this.figure(code, figure, period, inside)
    const all = { from: '0000-01-01', to }
    const charged = of('issued', all) - of('voided', all)
    const opening = this.#net(code, ({ closedOn }) => closedOn !== undefined && closedOn < from)
    const closing = this.#net(code, ({ closedOn }) => closedOn !== undefined && closedOn < to)
    const paid = opening + charged - closing
    const named = partner.named.filter(({ day }) => day >= from && day < to)
    const deposit = (before?.depositLeft ?? -opening) + paid - sum(named.map(({ cards }) => cards))
    const costs = [
      this.#cost(partner, { from, to }, to),
      ...partner.statements.flatMap((one) => {
        const [now, then] = [this.#cost(partner, one, to), this.#cost(partner, one, from)]
        return [{ supply: now.supply - then.supply, vat: now.vat - then.vat }]
      }),
    ]
    const supply = sum(costs.map((one) => one.supply))
    const vat = sum(costs.map((one) => one.vat))
    const commissionOpening = before?.commissionClosing ?? 0n
    const commissionPaid = sum(named.map(({ commission }) => commission))
    const credit = before?.creditLeft ?? 0n
    const due = charged > deposit ? charged - deposit : 0n
    const dueCommission = supply + vat > credit ? supply + vat - credit : 0n
    return {
      cards: {
        issued: of('issued', { from, to }),
        voided: of('voided', { from, to }),
        used: of('used', { from, to }),
        charged,
        opening,
        paid,
        closing,
        deposit,
        depositLeft: due - charged + deposit,
        due,
      },
      commission: {
        supply,
        vat,
        opening: commissionOpening,
        paid: commissionPaid,
        closing: commissionOpening + supply + vat - commissionPaid,
        credit,
        creditLeft: dueCommission - supply - vat + credit,
        due: dueCommission,
      },
      // Voids, uses and issues of earlier periods, each by the statement that it corrects.
      corrections: partner.statements.flatMap((one) =>
        (['issued', 'used', 'voided'] as const)
          .map((figure) => ({ figure, statement: one.number, amount: of(figure, one) }))
          .filter(({ amount }) => amount > 0n),
      ),
    }
  }

  closeStatement(today: string, code: string, number: string, from: string, to: string): void {
    const { cards, commission } = this.statement(code, from, to)
    this.partners.get(code)!.statements.push({
      number,
      from,
      to,
      due: cards.due,
      dueCommission: commission.due,
      paid: 0n,
      paidCommission: 0n,
      depositLeft: cards.depositLeft,
      creditLeft: commission.creditLeft,
      commissionClosing: commission.closing,
    })
    for (const [account, won] of [
      ['commissions', commission.supply],
      ['commission_vat', commission.vat],
    ] as const) {
      this.move(today, 'commission', 'KRW', 'commissions_owed', account, won)
      this.move(today, 'commission_back', 'KRW', account, 'commissions_owed', -won)
    }
  }

  // Of each statement the cards first, then the commission; the rest is the partner's deposit.
  pay(day: string, code: string, reference: string, amount: bigint, numbers: readonly string[]): void {
    const partner = this.partners.get(code)!
    let rest = amount
    const parts = numbers.map((number) => {
      const statement = partner.statements.find((one) => one.number === number)!
      const cards = least(rest, statement.due - (statement.paid - statement.paidCommission))
      const commission = least(rest - cards, statement.dueCommission - statement.paidCommission)
      rest -= cards + commission
      return { statement, cards, commission }
    })
    partner.payments.push({ reference, amount, parts })
    this.#book(day, partner, { reference, amount, parts }, 1n)
  }

  // False: cards were bought on it, and the partner would owe more than its limit.
  reverse(day: string, code: string, { reference, amount, parts }: ModelPayment): boolean {
    const partner = this.partners.get(code)!
    const forCards = amount - sum(parts.map(({ commission }) => commission))
    if (this.owed(code) + forCards > partner.limit) return false
    partner.payments = partner.payments.filter((one) => one.reference !== reference)
    this.#book(day, partner, { reference, amount, parts }, -1n)
    return true
  }

  #book(day: string, partner: ModelPartner, { amount, parts }: ModelPayment, sign: 1n | -1n): void {
    const commission = sum(parts.map((part) => part.commission))
    const cards = sum(parts.map((part) => part.cards))
    for (const part of parts) {
      part.statement.paid += sign * (part.cards + part.commission)
      part.statement.paidCommission += sign * part.commission
    }
    partner.named.push({ day, cards: sign * cards, commission: sign * commission })
    const book = (kind: string, asset: string, from: string, to: string, won: bigint) =>
      sign === 1n
        ? this.move(day, kind, asset, from, to, won)
        : this.move(day, `${kind}_back`, asset, to, from, won)
    const receivable = `partner_receivable ${partner.code}`
    book('partner_payment', 'KRW_POINT', 'partner_settlement', receivable, amount - commission)
    book('commission_payment', 'KRW', 'partner_settlement', 'commissions_owed', commission)
  }
}
