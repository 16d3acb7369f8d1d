import { sql } from 'kysely'
import { rekeySealed } from '#base/crypto/rekey.ts'
import type { Vault } from '#base/crypto/vault.ts'
import type { Db, Reader, Tx } from '#base/db/db.ts'
import { checkText, type Unsendable } from '#modules/deliveries/messages/check.ts'
import type { MessageLanguage, TextMessage } from '#modules/deliveries/messages/types.ts'
import type { Status } from '#modules/deliveries/types.ts'
import { renderNotice } from './render.ts'
import type { NoticeContent, NoticeFacts, NoticePurpose, NoticeValues } from './types.ts'

const placeOf = (column: 'recipient' | 'content', key: string) => ({ table: 'notice', column, row: key })

interface NewNotice {
  key: string
  accountId: string
  purpose: NoticePurpose
  actId: string | null
  language: MessageLanguage
  // E.164.
  to: string
  values: NoticeValues
}

export async function insertNotice(tx: Tx, vault: Vault, notice: NewNotice): Promise<void> {
  const { key, to, values } = notice
  await tx
    .insertInto('notice')
    .values({
      key,
      account_id: notice.accountId,
      purpose: notice.purpose,
      act_id: notice.actId,
      language: notice.language,
      recipient: vault.seal(placeOf('recipient', key), to),
      content: vault.seal(placeOf('content', key), JSON.stringify(values)),
      created_at: sql<Temporal.Instant>`service_now()`,
    })
    .execute()
}

// How many acts the account got notices of within the last hour. One act may go to several numbers: its rows share a
// transaction and so a moment.
export async function countInLastHour(db: Db, accountId: string, purpose: NoticePurpose): Promise<number> {
  const { rows } = await sql<{ sent: bigint }>`select count(distinct created_at) as sent from notice
    where account_id = ${accountId} and purpose = ${purpose}
      and created_at > service_now() - interval '1 hour'`.execute(db)
  return Number(rows[0]!.sent)
}

// Numbers that a change of the phone was told to within the last days: the one before and the one after.
export async function listRecentNumbers(
  db: Db,
  vault: Vault,
  accountId: string,
  days: number,
): Promise<string[]> {
  const { rows } = await sql<{ key: string; recipient: Buffer }>`select key, recipient from notice
    where account_id = ${accountId} and purpose = 'phone' and recipient is not null
      and created_at > service_now() - make_interval(days => ${days}) order by id`.execute(db)
  return rows.map(({ key, recipient }) => vault.open(placeOf('recipient', key), recipient))
}

// The notices of one act, so that an operator sees whether the member was reached.
export function listNoticesOf(db: Db, actId: string) {
  return db
    .selectFrom('notice')
    .select(['purpose', 'status', 'reason', 'created_at as at'])
    .where('act_id', '=', actId)
    .orderBy('id')
    .execute()
}

// The last that an account was told, and whether it arrived.
export function listNoticesTo(db: Db, accountId: string, limit: number) {
  return db
    .selectFrom('notice')
    .select(['purpose', 'status', 'reason', 'created_at as at'])
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export const NOTICE_COLUMNS = 'd.key, d.purpose, d.language, d.created_at, d.recipient, d.content'

export interface NoticeRow {
  key: string
  purpose: NoticePurpose
  language: MessageLanguage
  created_at: Temporal.Instant
  recipient: Buffer | null
  content: Buffer | null
}

export function toNoticeContent({ created_at, ...row }: NoticeRow): NoticeContent {
  const { key, purpose, language, recipient, content } = row
  return { key, purpose, language, at: created_at, recipient, content }
}

type Imprint = Pick<NoticeFacts, 'pagesUrl' | 'contact'>

// To whom and in which words; undefined once it was erased.
export function openNotice(
  vault: Vault,
  message: NoticeContent,
  imprint: Imprint,
): { to: string; text: TextMessage; unsendable: Unsendable | undefined } | undefined {
  const { key, purpose, language, at, recipient, content } = message
  if (!recipient || !content) return undefined
  const to = vault.open(placeOf('recipient', key), recipient)
  const values = JSON.parse(vault.open(placeOf('content', key), content)) as NoticeValues
  const text = renderNotice({ purpose, language, at, values, ...imprint })
  return { to, text, unsendable: checkText(text) }
}

const SENT = {
  name: 'sent_notices',
  text: `select d.status, d.reason, d.sent_at, ${NOTICE_COLUMNS} from notice d
          where d.attempt > 0 order by d.sent_at desc, d.id desc limit $1`,
}

interface SentNotice extends NoticeContent {
  status: Status
  reason: string | null
  sentAt: Temporal.Instant
}

// Newest first. Those that were erased are left out.
export async function listSentNotices(database: Reader, limit: number): Promise<SentNotice[]> {
  type Row = NoticeRow & { status: Status; reason: string | null; sent_at: Temporal.Instant }
  const rows = await database.read<Row & Record<string, unknown>>(SENT, [limit])
  return rows.map((row) => ({
    ...toNoticeContent(row),
    status: row.status,
    reason: row.reason,
    sentAt: row.sent_at,
  }))
}

const KEPT_DAYS = 90 // a dispute about a payout is raised well within this

// To whom it went and what it said: erased once it has served its purpose. That it was sent stays.
export async function eraseOldNotices(tx: Tx, limit: number): Promise<bigint> {
  const result = await sql`update notice set recipient = null, content = null where id in (
      select id from notice
       where content is not null and settled_at < service_now() - make_interval(days => ${KEPT_DAYS})
       limit ${limit} for update skip locked)`.execute(tx)
  return result.numAffectedRows ?? 0n
}

// Of a member who asked for erasure. What is still to be sent keeps its recipient until then.
export async function eraseNoticesOf(tx: Tx, accountId: string): Promise<void> {
  await sql`update notice set recipient = null, content = null
             where account_id = ${accountId} and content is not null and settled_at is not null`.execute(tx)
}

export const rekeyNotices = rekeySealed('notice', ['recipient', 'content'], 'key')
