import { Link } from '@tanstack/react-router'
import type { MonthEnd, MonthItem, MonthItemKind } from '../../../contract/console.gen.ts'
import { withCommas } from '../../kit/format.ts'
import { useTexts } from '../../kit/language.tsx'
import { ObjectLink } from '../shared/object/object-link.tsx'
import { RowsLink, type RowsPlace } from '../shared/rows-link.tsx'
import { Badge, type BadgeLook, Won } from '../shared/values.tsx'
import { ITEM_TEXTS } from './texts.ts'

const TEXTS = {
  ko: {
    states: { done: '완료', warns: '확인 필요', blocks: '마감 불가' },
    count: (count: number) => `${withCommas(count)}건`,
    more: (count: number) => `외 ${withCommas(count)}건`,
    look: '보러 가기',
    list: '마감 전에 확인할 것',
    noPrice: '시세 없음',
  },
  en: {
    states: { done: 'Done', warns: 'Look at it', blocks: 'Blocks' },
    count: (count: number) => withCommas(count),
    more: (count: number) => `and ${withCommas(count)} more`,
    look: 'Look',
    list: 'To look at before closing',
    noPrice: 'no price',
  },
}

const LOOKS: Record<MonthItem['state'], BadgeLook> = { done: 'good', warns: 'warn', blocks: 'bad' }

// A record of every kind: a new kind of item does not compile without a decision about its place.
const PLACES: Record<MonthItemKind, RowsPlace | undefined> = {
  days_closed: { to: '/days' },
  balances_even: { to: '/trial-balance' },
  books_verified: { to: '/', hash: 'health' },
  statements_closed: { to: '/statements' },
  partners_billed: { to: '/statements' },
  statements_sent: { to: '/statements' },
  statements_paid: { to: '/bank-file' },
  payments_assigned: { to: '/partners' },
  refunds_decided: { to: '/approvals' },
  requests_decided: { to: '/approvals' },
  withdrawals_paid: { to: '/withdrawals' },
  metal_covered: { to: '/bullion' },
  corrections: { to: '/days' },
}

// In the order in which they are done.
export function Items({ end }: { end: MonthEnd }) {
  const texts = useTexts(TEXTS)
  const words = useTexts(ITEM_TEXTS)
  return (
    <ol aria-label={texts.list} className="flex flex-col">
      {end.items.map((item) => {
        const place = PLACES[item.kind]
        const { name, todo } = words[item.kind]
        const isDone = item.state === 'done'
        return (
          <li
            key={item.kind}
            className="flex flex-wrap items-baseline gap-x-3 gap-y-1 border-b border-line py-2.5 last:border-0"
          >
            <span className="w-20 shrink-0">
              <Badge look={LOOKS[item.state]}>{texts.states[item.state]}</Badge>
            </span>
            <span className="min-w-0 flex-1 basis-72">
              <span className="font-semibold">{name}</span>
              {!isDone && (
                <>
                  <Facts item={item} end={end} />
                  <span className="block text-sm text-sub">{todo}</span>
                </>
              )}
            </span>
            {!isDone && place && (
              <RowsLink place={place} className="shrink-0 text-[0.9375rem]">
                {texts.look}
                {/* All these links have the same word, so a screen reader also hears what each is about. */}
                <span className="sr-only"> · {name}</span>
              </RowsLink>
            )}
          </li>
        )
      })}
    </ol>
  )
}

// How many, how much, and which.
function Facts({ item, end }: { item: MonthItem; end: MonthEnd }) {
  const texts = useTexts(TEXTS)
  const words = useTexts(ITEM_TEXTS)
  const { kind, count, won, names } = item
  // The only name of this item is the cause, which has words of its own.
  if (kind === 'books_verified')
    return <span className="text-body"> · {words.books_verified.reasons[names[0] ?? 'none']}</span>
  if (kind === 'metal_covered')
    return (
      <span className="text-body">
        {end.gaps.map((gap) => (
          <span key={gap.metal}>
            {' · '}
            {words.metal_covered.reasons[gap.metal]} {gap.grams} g (
            {gap.won === null ? texts.noPrice : <Won amount={gap.won} />})
          </span>
        ))}
      </span>
    )
  return (
    <span className="text-body">
      {' · '}
      {texts.count(count)}
      {won !== null && (
        <>
          {' · '}
          <Won amount={won} />
        </>
      )}
      {names.map((name) => (
        <span key={name}>
          {' · '}
          <Named kind={kind} name={name} />
        </span>
      ))}
      {/* Corrections are counted as transfers and named by day, so the difference would mean nothing. */}
      {names.length > 0 && kind !== 'corrections' && count > names.length && (
        <> · {texts.more(count - names.length)}</>
      )}
    </span>
  )
}

const OF_PARTNERS: readonly MonthItemKind[] = ['statements_closed', 'partners_billed', 'payments_assigned']
const OF_STATEMENTS: readonly MonthItemKind[] = ['statements_sent', 'statements_paid']

function Named({ kind, name }: { kind: MonthItemKind; name: string }) {
  if (OF_PARTNERS.includes(kind)) return <ObjectLink kind="partner" id={name} />
  if (OF_STATEMENTS.includes(kind))
    return (
      <Link
        to="/statements/$number"
        params={{ number: name }}
        className="text-link underline decoration-line underline-offset-2"
      >
        {name}
      </Link>
    )
  if (kind === 'corrections')
    return (
      <Link
        to="/days/$day"
        params={{ day: name }}
        className="text-link underline decoration-line underline-offset-2"
      >
        {name}
      </Link>
    )
  return <>{name}</>
}
