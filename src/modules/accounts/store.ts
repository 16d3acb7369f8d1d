import { sql } from 'kysely'
import { rekeySealed } from '#base/crypto/rekey.ts'
import type { Db, Tx } from '#base/db/db.ts'
import type { Account, AccountId, TermsId } from './types.ts'

const now = sql<Temporal.Instant>`service_now()`

function selectAccount(db: Db) {
  return db
    .selectFrom('member_account')
    .select(['id', 'member_id', 'login_id', 'password', 'password_changed_at', 'details', 'created_at'])
    .select(['closed_at', 'language', 'withdrawals_stopped_at', 'frozen_at'])
}

type AccountRow = Awaited<ReturnType<ReturnType<typeof selectAccount>['executeTakeFirstOrThrow']>>

function toAccount(row: AccountRow): Account {
  return {
    id: row.id as AccountId,
    memberId: row.member_id,
    loginId: row.login_id,
    password: row.password,
    passwordChangedAt: row.password_changed_at,
    details: row.details,
    createdAt: row.created_at,
    closedAt: row.closed_at,
    language: row.language === 'en' ? 'en' : 'ko',
    withdrawalsStopped: row.withdrawals_stopped_at !== null,
    frozen: row.frozen_at !== null,
  }
}

export async function findAccountByLogin(db: Db, loginId: string): Promise<Account | undefined> {
  const row = await selectAccount(db).where('login_id', '=', loginId).executeTakeFirst()
  return row && toAccount(row)
}

export async function findAccount(db: Db, id: string): Promise<Account | undefined> {
  const row = await selectAccount(db).where('id', '=', id).executeTakeFirst()
  return row && toAccount(row)
}

// A person has one account that is open, and may have closed others.
export async function findOpenAccount(db: Db, memberId: string): Promise<Account | undefined> {
  const row = await selectAccount(db)
    .where('member_id', '=', memberId)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  return row && toAccount(row)
}

// The open one, or the one that was closed last.
export async function findLastAccount(db: Db, memberId: string): Promise<Account | undefined> {
  const row = await selectAccount(db)
    .where('member_id', '=', memberId)
    .orderBy('closed_at', (order) => order.desc().nullsFirst())
    .limit(1)
    .executeTakeFirst()
  return row && toAccount(row)
}

export async function lockAccount(tx: Tx, id: string): Promise<Account | undefined> {
  const row = await selectAccount(tx)
    .where('id', '=', id)
    .where('closed_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row && toAccount(row)
}

// A shared lock: waits for a change of password or a closing that is under way, and then sees it.
export async function holdAccount(tx: Tx, id: string): Promise<Account | undefined> {
  const row = await selectAccount(tx)
    .where('id', '=', id)
    .where('closed_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  return row && toAccount(row)
}

interface NewAccount {
  id: AccountId
  memberId: string
  login: { id: string; password: string } | null
  details: Buffer
  language: 'ko' | 'en'
}

// False if the login id is taken or the person has an open account. The second of two inserts nothing.
export async function insertAccount(tx: Tx, account: NewAccount): Promise<boolean> {
  const row = await tx
    .insertInto('member_account')
    .values({
      id: account.id,
      member_id: account.memberId,
      login_id: account.login?.id ?? null,
      password: account.login?.password ?? null,
      password_changed_at: account.login ? now : null,
      details: account.details,
      language: account.language,
      created_at: now,
      logins_after: sql<Temporal.Instant>`service_now() - interval '1 microsecond'`,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

// With a login id, for an account that had none. False if it is taken.
export async function setPassword(
  tx: Tx,
  id: AccountId,
  { password, loginId }: { password: string; loginId: string },
): Promise<boolean> {
  const result = await sql`update member_account
      set password = ${password}, password_changed_at = service_now(), login_id = coalesce(login_id, ${loginId})
    where id = ${id} and not exists (select from member_account where login_id = ${loginId} and id <> ${id})`.execute(
    tx,
  )
  return result.numAffectedRows === 1n
}

// A member stopped a withdrawal: nothing more leaves until identity is verified again.
export async function stopWithdrawals(tx: Tx, id: AccountId): Promise<void> {
  await tx
    .updateTable('member_account')
    .set({ withdrawals_stopped_at: now })
    .where('id', '=', id)
    .where('withdrawals_stopped_at', 'is', null)
    .execute()
}

export async function resumeWithdrawals(tx: Tx, id: AccountId): Promise<void> {
  await tx
    .updateTable('member_account')
    .set({ withdrawals_stopped_at: null })
    .where('id', '=', id)
    .where('withdrawals_stopped_at', 'is not', null)
    .execute()
}

// Ends all earlier sessions, both for a freeze and for a thaw.
export async function setFrozen(tx: Tx, id: AccountId, frozen: boolean): Promise<void> {
  await tx
    .updateTable('member_account')
    .set({ frozen_at: frozen ? now : null, logins_after: now })
    .where('id', '=', id)
    .execute()
}

export async function setDetails(tx: Tx, id: AccountId, details: Buffer): Promise<void> {
  await tx.updateTable('member_account').set({ details }).where('id', '=', id).execute()
}

export async function setClosed(tx: Tx, id: AccountId): Promise<void> {
  await tx
    .updateTable('member_account')
    .set({ closed_at: now, password: null, logins_after: now })
    .where('id', '=', id)
    .execute()
}

// Rows that say something new only: a retry adds no history.
export async function insertConsents(
  tx: Tx,
  id: AccountId,
  consents: readonly { termsId: TermsId; agreed: boolean; version?: string | null }[],
): Promise<void> {
  for (const { termsId, agreed, version = null } of consents) {
    await sql`insert into member_consent (account_id, terms_id, agreed, at, version)
      select ${id}, ${termsId}, ${agreed}, service_now(), ${version}::text
       where not exists (select from (select agreed, version from member_consent
                where account_id = ${id} and terms_id = ${termsId} order by id desc limit 1) last
              where agreed = ${agreed} and version is not distinct from ${version}::text)`.execute(tx)
  }
}

export async function agreesTo(db: Db, id: AccountId, termsId: TermsId): Promise<boolean> {
  const row = await db
    .selectFrom('member_consent')
    .select('agreed')
    .where('account_id', '=', id)
    .where('terms_id', '=', termsId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.agreed ?? false
}

export function listMemberConsents(db: Db, id: AccountId) {
  return db
    .selectFrom('member_consent')
    .select(['terms_id', 'agreed', 'at', 'version'])
    .where('account_id', '=', id)
    .orderBy('id')
    .execute()
}

// Erases details five years after the closing. The books still show that it was one person.
export async function eraseOldDetails(tx: Tx, limit: number): Promise<bigint> {
  const result = await sql`update member_account set details = null where id in (
      select id from member_account
       where details is not null and closed_at < service_now() - interval '5 years'
       limit ${limit} for update skip locked)`.execute(tx)
  return result.numAffectedRows ?? 0n
}

export const rekeyAccounts = rekeySealed('member_account', ['details'])
