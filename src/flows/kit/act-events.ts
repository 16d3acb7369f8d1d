import type { Reader } from '#base/db/db.ts'
import type { ObjectRef, PlacedEvent, TimelineEvent, TimelineSource } from '#flows/kit/timeline.ts'
import { listTransfersOfHolders, type ShownTransfer } from '#modules/ledger/shown-transfers.ts'
import type { Asset } from '#modules/ledger/types.ts'
import { gramsText } from '#modules/pricing/rules.ts'

const MOST_OF_ONE = 8 // transfers of one act: it moves each of four assets once, and an order also pays a fee

// What moved for one holder, act by act: an order is one event, however many assets it moved. A transaction holds the
// holder's accounts until it commits, so that the transfers of two acts never mix.
export function actEvents(database: Reader, holder: string): TimelineSource {
  return {
    name: `money ${holder}`,
    async read(below, limit) {
      const wanted = (limit + 1) * MOST_OF_ONE
      const before = below === undefined ? undefined : BigInt(below)
      const transfers = await listTransfersOfHolders(database, [holder], { before, limit: wanted })
      const acts = [...Map.groupBy(transfers, ({ groupId, kind }) => `${groupId} ${kind}`).values()]
      // The last one may go on below what was read: the next page has all of it.
      const whole = transfers.length < wanted ? acts : acts.slice(0, -1)
      return whole.slice(0, limit).map((legs) => toEvent(holder, legs))
    },
  }
}

// A link's holdings that became the member's are an act of both: it is shown once.
export function withoutRepeats(events: readonly TimelineEvent[]): TimelineEvent[] {
  return events.filter(({ source, what, details }, i) => {
    const before = events[i - 1]
    return !(source === 'money' && before?.what === what && before.details.act === details.act)
  })
}

// Of each asset: how much, signed as the holder sees it.
function toEvent(holder: string, legs: readonly ShownTransfer[]): PlacedEvent {
  const { kind, at, groupId, cardId } = legs[0]!
  const moved = legs.map(({ asset, amount, to }) => {
    const figure = figureOf(asset, amount)
    return [asset, `${to.owner?.id === holder ? '+' : '-'}${figure.amount} ${figure.unit}`]
  })
  const event: TimelineEvent = {
    at,
    source: 'money',
    what: `money.${kind}`,
    by: null,
    from: {},
    details: { ...Object.fromEntries(moved), act: groupId },
    object: objectOf(kind, groupId, cardId),
  }
  return { place: legs.at(-1)!.id.toString(), event }
}

// An amount as people read it, with its unit.
export function figureOf(asset: Asset, amount: bigint): { amount: string; unit: 'KRW' | 'g' } {
  return asset === 'XAU' || asset === 'XAG'
    ? { amount: gramsText(amount), unit: 'g' }
    : { amount: amount.toString(), unit: 'KRW' }
}

function objectOf(kind: ShownTransfer['kind'], groupId: string, cardId: string | null): ObjectRef | null {
  if (cardId !== null) return { kind: 'card', id: cardId }
  if (kind === 'buy' || kind === 'sell') return { kind: 'order', id: groupId }
  if (kind === 'withdraw' || kind === 'withdraw_back') return { kind: 'withdrawal', id: groupId }
  // Moved under the id of the request that two people agreed on.
  return kind === 'adjust_up' || kind === 'adjust_down' ? { kind: 'request', id: groupId } : null
}
