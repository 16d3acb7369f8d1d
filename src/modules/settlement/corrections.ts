import { monthPeriod, sumOf, supplyOf, vatOf } from './rules.ts'
import type {
  CardSum,
  CommissionLine,
  CommissionRate,
  CorrectedFigure,
  Correction,
  EarlierStatement,
} from './types.ts'

// What a movement changes of the sum that a rate is applied to.
function changeOf(figure: CorrectedFigure, amount: bigint, base: CommissionRate['base']): bigint {
  if (base === 'used') return figure === 'used' ? amount : 0n
  if (figure === 'used') return 0n
  return figure === 'voided' ? -amount : amount
}

const supplyOfLines = (lines: readonly CommissionLine[]) =>
  lines.reduce((total, { of, bps }) => total + supplyOf(of, bps), 0n)

// The lines of a statement, with what later statements have corrected of it so far.
function linesNow(statement: EarlierStatement, earlier: readonly EarlierStatement[]): CommissionLine[] {
  const lines = statement.commission.lines.map((line) => ({ ...line }))
  for (const { figure, amount, line, ...named } of earlier.flatMap(({ cards }) => cards.corrections)) {
    if (named.statement !== statement.number) continue
    // Corrections of the first release named no line.
    const changed = lines.find(({ from }) => from === line) ?? lines[0]!
    changed.of += changeOf(figure, amount, changed.base)
  }
  return lines
}

// What came after its own period was over: statement by statement and rate by rate, and what no statement covers month by month.
// A correction costs the difference between what its statement's usage costs with it and without it. So a statement and its
// corrections come to what the same usage would have cost at once, commission and VAT, to the won. What no statement covers was
// never charged, and nothing of it is given back.
export function correctionsOf(
  late: Record<CorrectedFigure, readonly CardSum[]>,
  earlier: readonly EarlierStatement[],
): Correction[] {
  const known = new Map(earlier.map((one) => [one.number, linesNow(one, earlier)]))
  const placeOf = (day: string) => {
    const found = earlier.find(({ from, to }) => from <= day && day < to)
    if (!found) return { statement: null, line: null, ...monthPeriod(day.slice(0, 7)) }
    const line = found.commission.lines.find(({ from, to }) => from <= day && day < to)!.from
    return { statement: found.number, line, from: found.from, to: found.to }
  }
  const figures = ['issued', 'used', 'voided'] as const
  return figures.flatMap((figure) => {
    const groups = Map.groupBy(late[figure], ({ day }) => JSON.stringify(placeOf(day)))
    return [...groups.values()].map((group) => {
      const place = placeOf(group[0]!.day)
      const sum = sumOf(group)
      const lines = known.get(place.statement ?? '') ?? []
      const before = supplyOfLines(lines)
      const changed = lines.find(({ from }) => from === place.line)
      if (changed) changed.of += changeOf(figure, sum.amount, changed.base)
      const after = supplyOfLines(lines)
      return { figure, ...place, ...sum, supply: after - before, vat: vatOf(after) - vatOf(before) }
    })
  })
}
