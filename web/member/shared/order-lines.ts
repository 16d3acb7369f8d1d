import type { OrderLines } from '../../../contract/member.gen.ts'
import { grams } from '../../kit/format.ts'
import type { Row } from '../../kit/rows.tsx'

// The parts of an order's total. The history, the statement and its CSV (made by the service) use the same words.
export const ORDER_TEXTS = {
  ko: {
    price: 'g당 가격',
    value: '가격 × 중량',
    rounding: '원 미만 올림',
    fee: '수수료',
    total: '거래 금액',
    spread: '스프레드(가격에 포함)',
    cost: '취득원가',
    gain: '실현손익',
  },
  en: {
    price: 'Price per gram',
    value: 'Price × grams',
    rounding: 'Rounded up',
    fee: 'Fee',
    total: 'Total',
    spread: 'Spread (in the price)',
    cost: 'Cost',
    gain: 'Realised gain',
  },
}

export type OrderTexts = (typeof ORDER_TEXTS)['ko']

// From price and weight to the total, then spread, cost and gain, which are not part of it.
export function orderRows(
  order: OrderLines,
  texts: OrderTexts,
  { won, total }: { won: (amount: number) => string; total: string },
): Row[] {
  // A fee is added to a purchase and taken off a sale.
  const sign = order.side === 'buy' ? '' : '-'
  return [
    { name: `${texts.value} (${won(order.price)} × ${grams(order.grams)})`, value: won(order.value) },
    ...(order.rounding > 0 ? [{ name: texts.rounding, value: won(order.rounding) }] : []),
    { name: `${texts.fee} (${order.feePercent}%)`, value: `${order.fee > 0 ? sign : ''}${won(order.fee)}` },
    { name: total, value: won(order.total), strong: true },
    { name: texts.spread, value: won(order.spreadWon) },
    ...(order.gain === null
      ? []
      : [
          { name: texts.cost, value: won(order.cost) },
          { name: texts.gain, value: signedWon(order.gain, won) },
        ]),
  ]
}

// A gain has its plus sign, because colour alone must not say which way it went.
export function signedWon(amount: number, won: (amount: number) => string): string {
  return amount > 0 ? `+${won(amount)}` : won(amount)
}
