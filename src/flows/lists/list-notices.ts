import { sql } from 'kysely'
import { isUuid } from '#base/ids.ts'
import { choiceOf, daysOf, textOf } from '#flows/lists/conditions.ts'
import type { List } from '#flows/lists/list-types.ts'
import { BY_ID, createdOn, MESSAGE_STATUS } from '#flows/lists/messages.ts'
import { opened } from '#flows/lists/opened.ts'
import { maskMobile } from '#modules/gift-cards/phone.ts'
import { mapContactPartners } from '#modules/partners/credit-alerts.ts'

const PURPOSES = {
  withdrawal: { ko: '출금 신청', en: 'Withdrawal' },
  payout_account: { ko: '출금 계좌 변경', en: 'Payout account' },
  stopped: { ko: '출금 중단', en: 'Withdrawal stopped' },
  password: { ko: '비밀번호 변경', en: 'Password' },
  phone: { ko: '전화번호 변경', en: 'Phone number' },
  new_device: { ko: '새 기기 로그인', en: 'New device' },
  passkey_added: { ko: '패스키 등록', en: 'Passkey added' },
  passkey_removed: { ko: '패스키 삭제', en: 'Passkey removed' },
  passkey_blocked: { ko: '패스키 차단', en: 'Passkey blocked' },
  credit_80: { ko: '제휴사 한도 80%', en: 'Credit 80%' },
  credit_95: { ko: '제휴사 한도 95%', en: 'Credit 95%' },
}

const NAMES = {
  created: { ko: '등록', en: 'Created' },
  settled: { ko: '종료', en: 'Ended' },
  status: { ko: '상태', en: 'Status' },
  purpose: { ko: '용도', en: 'Purpose' },
  reason: { ko: '실패 사유', en: 'Reason' },
  provider: { ko: '발송 업체', en: 'Provider' },
}

interface NoticeRow {
  id: bigint
  key: string
  account_id: string
  purpose: string
  status: string
  provider: string | null
  reason: string | null
  attempt: number
  recipient: Buffer | null
  created_at: Temporal.Instant
  settled_at: Temporal.Instant | null
}

// Texts to members about their accounts, and to partners' contacts about their credit. Those about cards, reminders included, are deliveries.
export const NOTICES: List = {
  name: 'notices',
  names: { ko: '회원 알림', en: 'Notices' },
  table: 'notice',
  filters: {
    status: choiceOf('status', NAMES.status, MESSAGE_STATUS),
    purpose: choiceOf('purpose', NAMES.purpose, PURPOSES),
    reason: textOf('reason', NAMES.reason),
    provider: textOf('provider', NAMES.provider),
    created: createdOn('notice', NAMES.created),
    settled: daysOf('settled_at', NAMES.settled),
    member: {
      kind: 'id',
      names: { ko: '회원', en: 'Member' },
      condition: (id) => ({
        by: 'few',
        sql: isUuid(id)
          ? sql`t.account_id = any(array(select a.id from member_account a where a.member_id = ${id}::uuid))`
          : sql`false`,
      }),
    },
  },
  sorts: { created: BY_ID },
  columns: [
    { name: 'created', kind: 'moment', names: NAMES.created, sort: 'created' },
    { name: 'purpose', kind: 'choice', names: NAMES.purpose, choices: PURPOSES },
    { name: 'status', kind: 'choice', names: NAMES.status, choices: MESSAGE_STATUS },
    { name: 'recipient', kind: 'text', names: { ko: '받는 사람', en: 'Recipient' } },
    { name: 'provider', kind: 'text', names: NAMES.provider },
    { name: 'reason', kind: 'text', names: NAMES.reason },
    { name: 'attempts', kind: 'count', names: { ko: '시도', en: 'Attempts' } },
    { name: 'memberId', kind: 'id', names: { ko: '회원 ID', en: 'Member id' } },
    { name: 'settled', kind: 'moment', names: NAMES.settled, inFile: true },
    { name: 'noticeId', kind: 'id', names: { ko: '알림 ID', en: 'Notice id' }, inFile: true },
  ],
  fields: sql`t.id, t.key, t.account_id, t.purpose, t.status, t.provider, t.reason, t.attempt, t.recipient, t.created_at,
    t.settled_at`,
  async show({ db, vault }, rows: readonly NoticeRow[]) {
    const { rows: accounts } = await sql<{ id: string; member_id: string }>`
      select id, member_id from member_account where id = any(${rows.map((row) => row.account_id)}::uuid[])`.execute(
      db,
    )
    const partnerOf = await mapContactPartners(
      db,
      rows.map((row) => row.account_id),
    )
    const memberOf = new Map(accounts.map(({ id, member_id }) => [id, member_id]))
    return rows.map((row) => {
      const to = opened(vault, { table: 'notice', column: 'recipient', row: row.key }, row.recipient)
      const memberId = memberOf.get(row.account_id) ?? null
      return {
        id: String(row.id),
        path: memberId === null ? `/partners/${partnerOf.get(row.account_id)}` : `/members/${memberId}`,
        cells: {
          created: row.created_at.toString(),
          purpose: row.purpose,
          status: row.status,
          recipient: to === undefined ? null : maskMobile(to),
          provider: row.provider,
          reason: row.reason,
          attempts: row.attempt,
          memberId,
          settled: row.settled_at?.toString() ?? null,
          noticeId: String(row.id),
        },
      }
    })
  },
}
