import { sql } from 'kysely'
import { wonToJson } from '#base/money.ts'
import { byTime, choiceOf, daysOf, ofMember, textOf, wonOf } from '#flows/lists/conditions.ts'
import type { List } from '#flows/lists/list-types.ts'
import { opened } from '#flows/lists/opened.ts'
import { membersOfHolders } from '#flows/members/describe-members.ts'
import { gramsText } from '#modules/pricing/rules.ts'
import { maskAccount } from '#modules/withdrawals/rules.ts'
import type { Destination } from '#modules/withdrawals/types.ts'

const MEMBER = { ko: '회원 ID', en: 'Member id' }
const SIDES = { buy: { ko: '구매', en: 'Buy' }, sell: { ko: '판매', en: 'Sell' } }
const METALS = { XAU: { ko: '금', en: 'Gold' }, XAG: { ko: '은', en: 'Silver' } }

const ORDER = {
  at: { ko: '체결', en: 'Placed' },
  side: { ko: '구분', en: 'Side' },
  metal: { ko: '금속', en: 'Metal' },
  total: { ko: '거래 금액', en: 'Total' },
}

interface OrderRow {
  id: string
  holder_id: string
  side: string
  metal: string
  units: bigint
  price: bigint
  fee: bigint
  total: bigint
  at: Temporal.Instant
}

export const ORDERS: List = {
  name: 'orders',
  names: { ko: '주문', en: 'Orders' },
  table: 'trade_order',
  filters: {
    at: daysOf('at', ORDER.at),
    side: choiceOf('side', ORDER.side, SIDES),
    metal: choiceOf('metal', ORDER.metal, METALS),
    total: wonOf('total', ORDER.total),
    member: ofMember('holder_id'),
  },
  sorts: { at: byTime('at', 'at', ['side', 'metal', 'total']) },
  columns: [
    { name: 'at', kind: 'moment', names: ORDER.at, sort: 'at' },
    { name: 'side', kind: 'choice', names: ORDER.side, choices: SIDES },
    { name: 'metal', kind: 'choice', names: ORDER.metal, choices: METALS },
    { name: 'grams', kind: 'grams', names: { ko: '중량(g)', en: 'Grams' } },
    { name: 'price', kind: 'won', names: { ko: 'g당 가격', en: 'Price per gram' } },
    { name: 'fee', kind: 'won', names: { ko: '수수료', en: 'Fee' } },
    { name: 'total', kind: 'won', names: ORDER.total },
    { name: 'memberId', kind: 'id', names: MEMBER },
    { name: 'orderId', kind: 'id', names: { ko: '주문 ID', en: 'Order id' }, inFile: true },
  ],
  sum: { column: 'total', names: { ko: '거래 금액 합계', en: 'Sum of totals' } },
  fields: sql`t.id, t.holder_id, t.side, t.metal, t.units, t.price, t.fee, t.total, t.at`,
  async show({ db }, rows: readonly OrderRow[]) {
    const members = await membersOfHolders(
      db,
      rows.map((row) => row.holder_id),
    )
    return rows.map((row) => ({
      id: row.id,
      path: `/orders/${row.id}`,
      cells: {
        at: row.at.toString(),
        side: row.side,
        metal: row.metal,
        grams: gramsText(row.units),
        price: wonToJson(row.price),
        fee: wonToJson(row.fee),
        total: wonToJson(row.total),
        memberId: members.get(row.holder_id) ?? null,
        orderId: row.id,
      },
    }))
  },
}

const WITHDRAWAL_STATUS = {
  requested: { ko: '승인 대기', en: 'Waits for approval' },
  approved: { ko: '지급 대기', en: 'Waits for payment' },
  paid: { ko: '지급됨', en: 'Paid' },
  cancelled: { ko: '취소됨', en: 'Cancelled' },
  refused: { ko: '거절됨', en: 'Refused' },
}

const WITHDRAWAL = {
  requested: { ko: '신청', en: 'Requested' },
  status: { ko: '상태', en: 'Status' },
  amount: { ko: '금액', en: 'Amount' },
  bank: { ko: '은행 코드', en: 'Bank code' },
}

interface WithdrawalRow {
  id: string
  holder_id: string
  amount: bigint
  bank: string
  status: string
  requested_at: Temporal.Instant
  settled_at: Temporal.Instant | null
  destination: Buffer | null
}

export const WITHDRAWALS: List = {
  name: 'withdrawals',
  names: { ko: '출금', en: 'Withdrawals' },
  table: 'withdrawal',
  filters: {
    status: choiceOf('status', WITHDRAWAL.status, WITHDRAWAL_STATUS),
    amount: wonOf('amount', WITHDRAWAL.amount),
    requested: daysOf('requested_at', WITHDRAWAL.requested),
    bank: textOf('bank', WITHDRAWAL.bank),
    member: ofMember('holder_id'),
  },
  sorts: { requested: byTime('requested_at', 'requested', ['status', 'amount']) },
  columns: [
    { name: 'requested', kind: 'moment', names: WITHDRAWAL.requested, sort: 'requested' },
    { name: 'amount', kind: 'won', names: WITHDRAWAL.amount },
    { name: 'status', kind: 'choice', names: WITHDRAWAL.status, choices: WITHDRAWAL_STATUS },
    { name: 'bank', kind: 'text', names: WITHDRAWAL.bank },
    { name: 'account', kind: 'text', names: { ko: '계좌', en: 'Account' } },
    { name: 'memberId', kind: 'id', names: MEMBER },
    { name: 'settled', kind: 'moment', names: { ko: '완료', en: 'Settled' } },
    { name: 'withdrawalId', kind: 'id', names: { ko: '출금 ID', en: 'Withdrawal id' }, inFile: true },
  ],
  sum: { column: 'amount', names: { ko: '금액 합계', en: 'Sum of amounts' } },
  fields: sql`t.id, t.holder_id, t.amount, t.bank, t.status, t.requested_at, t.settled_at, t.destination`,
  show: ({ vault }, rows: readonly WithdrawalRow[]) =>
    rows.map((row) => {
      const text = opened(vault, { table: 'withdrawal', column: 'destination', row: row.id }, row.destination)
      return {
        id: row.id,
        path: `/withdrawals/${row.id}`,
        cells: {
          requested: row.requested_at.toString(),
          amount: wonToJson(row.amount),
          status: row.status,
          bank: row.bank,
          account: text === undefined ? null : maskAccount((JSON.parse(text) as Destination).account),
          memberId: row.holder_id,
          settled: row.settled_at?.toString() ?? null,
          withdrawalId: row.id,
        },
      }
    }),
}
