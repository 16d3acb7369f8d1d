import type pg from 'pg'
import { assert } from '#base/assert.ts'
import type { BenchPartner } from './partners.ts'
import { getting, type Target } from './requests.ts'
import type { Measurement } from './rounds.ts'
import { loadYears } from './year-of-cards.ts'

export interface UsagePartners {
  few: BenchPartner & { cards: number }
  many: BenchPartner & { cards: number }
}

// The same question about few cards and about many: an answer in the same time is the point.
export async function prepareUsage(
  connection: pg.ClientConfig,
  target: Target,
  { few, many }: UsagePartners,
): Promise<[few: Measurement, many: Measurement]> {
  const loaded = await loadYears(connection, [
    { partnerCode: few.code, firstNumber: 1, count: few.cards },
    { partnerCode: many.code, firstNumber: few.cards + 1, count: many.cards },
  ])
  const { firstDay, lastDay } = loaded[1]!
  const path = `/v2/partner/usage?startDate=${firstDay}&endDate=${lastDay}`
  for (const [i, { key }] of [few, many].entries()) {
    const answer = await fetch(`http://127.0.0.1:${target.port}${path}`, {
      headers: { authorization: `Bearer ${key}` },
    })
    const { totalIssued } = (await answer.json()) as { totalIssued: number }
    assert(totalIssued === loaded[i]!.won, 'the total is that of the cards loaded')
  }
  const asking = ({ key, cards }: UsagePartners['few']) =>
    getting(`usage over a year, ${cards.toLocaleString('en-US')} cards, 1 connection`, target, {
      connections: 1,
      key,
      paths: [path],
    })
  return [asking(few), asking(many)]
}
