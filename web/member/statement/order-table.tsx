import type { Statement, StatementOrder } from '../../../contract/member.gen.ts'
import { grams, moment } from '../../kit/format.ts'
import { useLanguage, useTexts, useWon } from '../../kit/language.tsx'
import { Rows } from '../../kit/rows.tsx'
import { ScrollArea } from '../../kit/scroll-area.tsx'
import { MOVEMENT_TEXTS } from '../shared/movements.ts'
import { ORDER_TEXTS, orderRows, signedWon } from '../shared/order-lines.ts'
import { TEXTS } from './texts.ts'

const TOTAL_COLUMN = 5
const CELL = 'px-2 py-2 text-end whitespace-nowrap print:px-1 print:py-1'

// How the total of each order came about: a list on a phone, a table on larger screens and on paper.
export function OrderTable({ statement }: { statement: Statement }) {
  const texts = useTexts(TEXTS)
  if (statement.orders.length === 0) return null
  return (
    <section className="flex flex-col gap-2">
      <h3 className="font-semibold break-after-avoid">{texts.orders}</h3>
      <OrderList statement={statement} />
      <ScrollArea label={texts.orders} className="-mx-2 hidden lg:block print:block print:overflow-visible">
        <OrderColumns statement={statement} />
      </ScrollArea>
      <p className="text-sm text-sub print:text-[7.5pt]">{texts.basis}</p>
    </section>
  )
}

function useNameOf(): (order: StatementOrder) => string {
  const names = useTexts(MOVEMENT_TEXTS)
  return ({ side, metal }) => `${names[side]} · ${names[metal]}`
}

// The same figures as in the table. One of the two is always hidden.
function OrderList({ statement: { orders, sums } }: { statement: Statement }) {
  const texts = useTexts(TEXTS)
  const lines = useTexts(ORDER_TEXTS)
  const won = useWon()
  const nameOf = useNameOf()
  const { language } = useLanguage()
  return (
    <div className="flex flex-col gap-3 text-[0.9375rem] lg:hidden print:hidden">
      {orders.map((order) => (
        <div key={order.orderId} className="rounded-2xl bg-ground px-4 py-2">
          <h4 className="flex flex-wrap justify-between gap-x-3 py-1 font-medium">
            {nameOf(order)}
            <span className="font-normal text-sub">{moment(order.at, language)}</span>
          </h4>
          <Rows rows={orderRows(order, lines, { won, total: lines.total })} />
        </div>
      ))}
      <div className="rounded-2xl bg-ground px-4 py-2">
        <h4 className="py-1 font-medium">{texts.sums}</h4>
        <Rows
          rows={[
            { name: lines.fee, value: won(sums.fee) },
            { name: lines.spread, value: won(sums.spreadWon) },
            { name: lines.gain, value: signedWon(sums.gain, won), strong: true },
          ]}
        />
      </div>
    </div>
  )
}

function OrderColumns({ statement: { orders, sums } }: { statement: Statement }) {
  const texts = useTexts(TEXTS)
  const lines = useTexts(ORDER_TEXTS)
  const { language } = useLanguage()
  const won = useWon()
  const nameOf = useNameOf()
  // Nine columns of numbers fit from 64rem on, and on paper in a small font.
  const columns = [
    ...[texts.grams, lines.price, lines.value, lines.rounding, lines.fee, lines.total],
    ...[lines.spread, lines.cost, lines.gain],
  ]
  return (
    <table className="w-full text-sm print:text-[7.5pt]">
      <thead className="text-sub">
        <tr>
          <th scope="col" className={`${CELL} text-start! font-medium`}>
            {texts.what}
          </th>
          {columns.map((column) => (
            <th key={column} scope="col" className={`${CELL} align-bottom font-medium whitespace-normal!`}>
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {orders.map((order) => (
          <tr key={order.orderId} className="border-t border-line align-top break-inside-avoid">
            <th scope="row" className={`${CELL} text-start! font-normal`}>
              {nameOf(order)}
              <span className="block text-sub">{moment(order.at, language)}</span>
            </th>
            {[
              grams(order.grams),
              won(order.price),
              won(order.value),
              won(order.rounding),
              // A fee makes a purchase dearer and a sale smaller.
              order.side === 'sell' && order.fee > 0 ? `-${won(order.fee)}` : won(order.fee),
              won(order.total),
              won(order.spreadWon),
              // Only a sale has a cost and a gain.
              order.gain === null ? '' : won(order.cost),
              order.gain === null ? '' : signedWon(order.gain, won),
            ].map((cell, i) => (
              // The total stands out.
              <td key={columns[i]} className={`${CELL} ${i === TOTAL_COLUMN ? 'font-semibold' : ''}`}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
        <tr className="border-t-2 border-line font-semibold break-inside-avoid">
          <th scope="row" className={`${CELL} text-start!`}>
            {texts.sums}
          </th>
          {/* Grams of two metals and prices do not add up, so these columns stay empty. */}
          {['', '', '', '', won(sums.fee), '', won(sums.spreadWon), '', signedWon(sums.gain, won)].map(
            (cell, i) => (
              <td key={columns[i]} className={CELL}>
                {cell}
              </td>
            ),
          )}
        </tr>
      </tbody>
    </table>
  )
}
