import { wonToJson } from '#base/money.ts'
import {
  type Answer,
  type Asking,
  BEFORE,
  type Column,
  MAX_ROWS,
  type Names,
  SINCE,
} from '#flows/reports/report.ts'
import { CREDITS, DEBITS } from '#modules/ledger/movements.ts'
import type { Days } from '#modules/prepaid/types.ts'
import { gramsText } from '#modules/pricing/rules.ts'

// The accounts of the member, and those of links that the member has not confirmed.
const ROWS = `
  with holders as materialized (
    select $3::uuid as id union all select id from partner_user where member_id = $3::uuid),
  mine as materialized (
    select a.id from holders h cross join lateral (select id from account where holder_id = h.id) a)
  select t.id, t.at, t.kind, t.asset, t.change, p.code as partner, t.card_id as "cardId", t.group_id as act
    from mine a
   cross join lateral (${DEBITS} union all ${CREDITS} offset 0) t
    left join lateral (select partner_id from gift_card where id = t.card_id offset 0) c on true
    left join partner p on p.id = c.partner_id
   where t.at >= ${SINCE} and t.at < ${BEFORE}
   order by t.id, t.change limit $4::int`

const KINDS: Record<string, Names> = {
  redeem: { ko: '상품권 등록', en: 'card registered' },
  buy: { ko: '구매', en: 'bought' },
  sell: { ko: '판매', en: 'sold' },
  withdraw: { ko: '출금', en: 'withdrawal' },
  withdraw_back: { ko: '출금 취소', en: 'withdrawal taken back' },
  join: { ko: '계정으로 옮김', en: 'moved to the account' },
  waive: { ko: '탈퇴 시 포기', en: 'given up at the closing' },
  grant: { ko: '시험 지급', en: 'sandbox grant' },
  adjust_up: { ko: '정정 (더함)', en: 'corrected upwards' },
  adjust_down: { ko: '정정 (뺌)', en: 'corrected downwards' },
  refund: { ko: '환불', en: 'refund' },
}

const ASSETS: Record<string, Names> = {
  KRW_POINT: { ko: '포인트', en: 'points' },
  KRW: { ko: '예치금', en: 'deposit' },
  XAU: { ko: '금', en: 'gold' },
  XAG: { ko: '은', en: 'silver' },
}

const COLUMNS: readonly Column[] = [
  { name: 'id', kind: 'id', names: { ko: '거래 번호', en: 'Transfer' } },
  { name: 'at', kind: 'moment', names: { ko: '시각', en: 'At' } },
  { name: 'kind', kind: 'choice', names: { ko: '거래', en: 'Transaction' }, choices: KINDS },
  { name: 'asset', kind: 'choice', names: { ko: '자산', en: 'Asset' }, choices: ASSETS },
  { name: 'change', kind: 'number', names: { ko: '변동', en: 'Change' } },
  { name: 'unit', kind: 'text', names: { ko: '단위', en: 'Unit' } },
  { name: 'partner', kind: 'text', names: { ko: '상품권 제휴사', en: 'Partner of the card' } },
  { name: 'cardId', kind: 'id', names: { ko: '상품권', en: 'Card' } },
  { name: 'act', kind: 'id', names: { ko: '주문·출금 등', en: 'Order, withdrawal or other act' } },
]

interface Row {
  id: bigint
  at: Temporal.Instant
  kind: string
  asset: string
  change: bigint
  partner: string | null
  cardId: string | null
  act: string
}

// Metal in grams with four places, which a number holds exactly enough to be read back.
function changeOf({ asset, change }: Row): [number, string] {
  if (asset === 'KRW' || asset === 'KRW_POINT') return [wonToJson(change), 'KRW']
  const grams = Number(gramsText(change < 0n ? -change : change))
  return [change < 0n ? -grams : grams, 'g']
}

export async function readPersonTransactions(
  asking: Asking,
  { from, to }: Days,
  memberId: string,
): Promise<Answer> {
  const rows = await asking.ask<Row>(ROWS, [from, to, memberId, MAX_ROWS + 1])
  return {
    figures: [
      { name: 'member', kind: 'text', names: { ko: '회원', en: 'Member' }, value: memberId },
      {
        name: 'count',
        kind: 'count',
        names: { ko: '거래', en: 'Transactions' },
        value: Math.min(rows.length, MAX_ROWS),
      },
    ],
    columns: COLUMNS,
    complete: rows.length <= MAX_ROWS,
    rows: rows
      .slice(0, MAX_ROWS)
      .map((row) => [
        row.id.toString(),
        row.at.toString(),
        row.kind,
        row.asset,
        ...changeOf(row),
        row.partner,
        row.cardId,
        row.act,
      ]),
    notes: [
      {
        ko: '이 회원의 계정과, 아직 확인하지 않은 제휴사 연결의 거래입니다. 받았지만 등록하지 않은 상품권은 없습니다.',
        en: 'Transactions of the member’s accounts, and of links that the member has not confirmed. Cards that were received and not registered are not in it.',
      },
    ],
  }
}
