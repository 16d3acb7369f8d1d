import { useEffect, useRef } from 'react'
import type { Act } from '../../../contract/member.gen.ts'
import { grams, moment, time } from '../../kit/format.ts'
import { NextIcon } from '../../kit/icons.tsx'
import { useLanguage, useTexts, useWon } from '../../kit/language.tsx'
import { type Row, Rows } from '../../kit/rows.tsx'
import { amountOf, MOVEMENT_TEXTS, signedAmount } from '../shared/movements.ts'
import { ORDER_TEXTS, orderRows } from '../shared/order-lines.ts'
import { TEXTS } from './texts.ts'

interface Props {
  act: Act
  open: boolean
  // Named by the address when the page opened: it scrolls into view.
  wanted: boolean
  onToggle(): void
}

// One action, such as an order, is one row, whatever number of balances it moved. A tap shows them. The details are not
// rendered before: a page has many rows.
export function HistoryEntry({ act, open, wanted, onToggle }: Props) {
  const place = useRef<HTMLLIElement>(null)
  const panel = `act-${act.id}`
  const { title, amount, others } = useSummary(act)
  const texts = useTexts(TEXTS)
  // In these texts `paid` is the word for an order's total.
  const status = act.withdrawal && texts[act.withdrawal === 'paid' ? 'paidOut' : act.withdrawal]
  const more = [time(act.at), act.partner, status, others].filter(Boolean)
  useEffect(() => {
    if (wanted) place.current?.scrollIntoView({ block: 'center' })
  }, [wanted])
  return (
    <li ref={place}>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={panel}
        onClick={onToggle}
        className="-mx-2 flex w-[calc(100%+16px)] items-center gap-2 rounded-xl px-2 py-3 text-start hover:bg-ground"
      >
        <span className="flex min-w-0 flex-1 flex-wrap items-baseline justify-between gap-x-3">
          <span className="font-medium">{title}</span>
          <span className="ms-auto text-end font-semibold whitespace-nowrap">{amount}</span>
          <span className="w-full text-sm text-sub">{more.join(' · ')}</span>
        </span>
        <NextIcon className={`size-5 text-faint transition-transform ${open ? '-rotate-90' : 'rotate-90'}`} />
      </button>
      {/* Always in the page, because aria-controls names it. */}
      <div id={panel} hidden={!open}>
        {open && <Detail act={act} />}
      </div>
    </li>
  )
}

// For an order: 금 구매 0.0996 g · 19,981원. Everything else shows its first movement and counts the others.
function useSummary({ kind, order, movements }: Act): { title: string; amount: string; others?: string } {
  const texts = useTexts(TEXTS)
  const names = useTexts(MOVEMENT_TEXTS)
  const won = useWon()
  const { language } = useLanguage()
  if (order) {
    return {
      title: `${texts[order.side](names[order.metal])} ${grams(order.grams)}`,
      amount: won(order.total),
    }
  }
  // A gift card moves one balance; joining accounts moves several.
  const [first, ...rest] = movements
  // Without its sign: the title says which way it went.
  const size = first ? amountOf(first.asset, first.change.replace(/^[+-]/, ''), language) : ''
  const others = rest.length > 0 ? { others: texts.others(rest.length) } : {}
  return { title: names[kind], amount: size, ...others }
}

function Detail({ act }: { act: Act }) {
  const texts = useTexts(TEXTS)
  const names = useTexts(MOVEMENT_TEXTS)
  const lines = useTexts(ORDER_TEXTS)
  const won = useWon()
  const { language } = useLanguage()
  const { order, partner, withdrawal } = act
  const rows: Row[] = [
    ...(order
      ? orderRows(order, lines, { won, total: order.side === 'buy' ? texts.paid : texts.received })
      : []),
    ...(partner ? [{ name: texts.giver, value: partner }] : []),
    ...(withdrawal
      ? [{ name: texts.status, value: texts[withdrawal === 'paid' ? 'paidOut' : withdrawal] }]
      : []),
    { name: texts.at, value: moment(act.at, language) },
  ]
  return (
    <div className="mb-3 flex flex-col gap-2 rounded-2xl bg-ground px-4 py-2 text-[0.9375rem]">
      <Rows rows={rows} />
      <div className="border-t border-line pt-2">
        <h3 className="text-sub">{texts.moved}</h3>
        <ul>
          {act.movements.map(({ asset, change, balance }) => (
            <li key={asset} className="flex flex-wrap justify-between gap-x-4 py-1">
              <span>{names[asset]}</span>
              <span className="ms-auto text-end font-medium">
                {signedAmount(asset, change, language)}
                {balance !== null && (
                  <span className="block text-sm font-normal text-sub">
                    {names.balance} {amountOf(asset, balance, language)}
                  </span>
                )}
              </span>
            </li>
          ))}
        </ul>
      </div>
      <p className="border-t border-line py-2 text-sub">
        {texts.reference}
        <span className="block font-code text-[0.8125rem] break-all text-body select-all">
          {act.reference}
        </span>
      </p>
    </div>
  )
}
