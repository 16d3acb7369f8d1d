import { BOM, csvLine } from '#base/text/csv.ts'
import { isOrder } from '#flows/holdings/describe-movements.ts'
import type { Statement, ToldMovement } from '#flows/holdings/read-history.ts'
import type { Balances } from '#modules/ledger/movements.ts'
import { ASSETS, type Asset } from '#modules/ledger/types.ts'
import { linesOf, type OrderFigures, sumUp } from '#modules/pricing/order-lines.ts'
import { amountText, changeText } from './movement-json.ts'
import { ordersOf } from './statement-json.ts'

type Language = 'ko' | 'en'

const HEADERS: Record<Language, readonly string[]> = {
  ko: [
    ...['일시', '구분', '자산', '변동', '잔액', '제휴사', 'g당 가격', '주문번호'],
    ...[
      '가격 × 중량',
      '원 미만 올림',
      '수수료',
      '거래 금액',
      '스프레드(가격에 포함)',
      '취득원가',
      '실현손익',
    ],
  ],
  en: [
    ...['Time', 'Kind', 'Asset', 'Change', 'Balance', 'Partner', 'Price per gram', 'Order'],
    ...['Price × grams', 'Rounded up', 'Fee', 'Total', 'Spread (in the price)', 'Cost', 'Realised gain'],
  ],
}

const KINDS: Record<Language, Record<ToldMovement['kind'] | 'opening' | 'closing' | 'sums', string>> = {
  ko: {
    opening: '기초 잔액',
    closing: '기말 잔액',
    sums: '기간 합계',
    redeem: '상품권 등록',
    buy: '구매',
    sell: '판매',
    withdraw: '출금 신청',
    withdraw_back: '출금 취소',
    join: '연결 통합',
    waive: '잔여분 포기',
    grant: '샌드박스 지급',
    adjust_up: '잔액 정정(추가)',
    adjust_down: '잔액 정정(차감)',
    refund: '만료 상품권 환불',
  },
  en: {
    opening: 'Opening balance',
    closing: 'Closing balance',
    sums: 'Sum of the period',
    redeem: 'Gift card registered',
    buy: 'Bought',
    sell: 'Sold',
    withdraw: 'Withdrawal requested',
    withdraw_back: 'Withdrawal returned',
    join: 'Joined from a partner',
    waive: 'Given up at closing',
    grant: 'Sandbox grant',
    adjust_up: 'Balance corrected (added)',
    adjust_down: 'Balance corrected (deducted)',
    refund: 'Expired card refunded',
  },
}

const ASSET_NAMES: Record<Language, Record<Asset, string>> = {
  ko: { KRW_POINT: '포인트(P)', KRW: '예치금(원)', XAU: '금(g)', XAG: '은(g)' },
  en: { KRW_POINT: 'Points (P)', KRW: 'Deposit (KRW)', XAU: 'Gold (g)', XAG: 'Silver (g)' },
}

// RFC 4180. Oldest first, between the opening and the closing balances, then the sums. The lines of an order appear
// once, with its metal, so that a column can be added up.
export function statementCsv({ opening, closing, movements }: Statement, language: Language): string {
  const held = (kind: 'opening' | 'closing', balances: Balances) =>
    ASSETS.map((asset) => [
      '',
      KINDS[language][kind],
      ASSET_NAMES[language][asset],
      '',
      amountText(asset, balances[asset]),
    ])
  const rows = [
    HEADERS[language],
    ...held('opening', opening),
    ...movements.map((movement) => rowOf(movement, language)),
    ...held('closing', closing),
    sumsOf(movements, language),
  ]
  const width = HEADERS[language].length
  return BOM + rows.map((row) => csvLine(padded(row, width))).join('')
}

// Every line of a CSV file has the same number of cells.
function padded(row: readonly string[], width: number): string[] {
  return [...row, ...new Array<string>(width - row.length).fill('')]
}

function rowOf(movement: ToldMovement, language: Language): string[] {
  const { at, kind, asset, change, balance, partnerName, order, groupId } = movement
  // Seoul time without an offset: spreadsheets take an offset for text and cannot sort by it.
  const local = at.toZonedDateTimeISO('Asia/Seoul').toPlainDateTime()
  return [
    local.toString({ smallestUnit: 'second' }).replace('T', ' '),
    KINDS[language][kind],
    ASSET_NAMES[language][asset],
    changeText(asset, change),
    amountText(asset, balance),
    partnerName ?? '',
    order?.price.toString() ?? '',
    isOrder(movement) ? groupId : '',
    ...(order?.metal === asset ? orderCells(order) : []),
  ]
}

function orderCells(order: OrderFigures): string[] {
  const { value, rounding, spread, gain } = linesOf(order)
  // Only of a sale. A purchase's cost is its total, which has a column already.
  const cost = gain === null ? null : order.cost
  return [value, rounding, order.fee, order.total, spread, cost, gain].map((won) => won?.toString() ?? '')
}

function sumsOf(movements: readonly ToldMovement[], language: Language): string[] {
  const { fee, spread, gain } = sumUp(ordersOf(movements).map(({ order }) => order))
  // Columns that cannot be added up, such as prices, stay empty.
  const label = ['', KINDS[language].sums, '', '', '', '', '', '']
  return [...label, '', '', `${fee}`, '', `${spread}`, '', `${gain}`]
}
