import { sql } from 'kysely'
import type { Vault } from '#base/crypto/vault.ts'
import type { Db } from '#base/db/db.ts'
import { maskDetails } from '#modules/members/rules.ts'
import type { Details } from '#modules/members/types.ts'

// A person in one line, masked, for an operator who looks for one.
export interface MemberLine {
  memberId: string
  loginId: string | null
  account: 'open' | 'closed' | 'none'
  frozen: boolean
  name: string | null
  mdn: string | null
  // The partners that know the person, by code.
  partners: string[]
}

interface Row {
  id: string
  frozen: boolean
  partners: string[]
  account_id: string | null
  login_id: string | null
  closed: boolean | null
  details: Buffer | null
  link_id: string | null
  link_details: Buffer | null
}

// The member's verified details or, without an account, the last details from a partner.
export async function describeMembers(
  db: Db,
  vault: Vault,
  ids: readonly string[],
): Promise<Map<string, MemberLine>> {
  const { rows } = await sql<Row>`
    select m.id, a.id as account_id, a.login_id, a.closed_at is not null as closed, a.details,
           u.id as link_id, u.details as link_details,
           exists (select from member_freeze f where f.member_id = m.id and f.thawed_at is null) as frozen,
           array(select p.code from partner_user l join partner p on p.id = l.partner_id
                  where l.member_id = m.id order by p.code) as partners
      from unnest(${ids}::uuid[]) as m (id)
      left join lateral (select * from member_account where member_id = m.id
                          order by closed_at desc nulls first limit 1) a on true
      left join lateral (select * from partner_user where member_id = m.id
                          order by details_at desc limit 1) u on true`.execute(db)
  return new Map(rows.map((row) => [row.id, toLine(vault, row)]))
}

function toLine(vault: Vault, row: Row): MemberLine {
  const details = openDetails(vault, row)
  const masked = details && maskDetails(details)
  return {
    memberId: row.id,
    loginId: row.login_id,
    account: row.account_id === null ? 'none' : row.closed ? 'closed' : 'open',
    frozen: row.frozen,
    name: masked?.name ?? null,
    mdn: masked?.mdn ?? null,
    partners: row.partners,
  }
}

function openDetails(vault: Vault, row: Row): Details | undefined {
  const { account_id, details, link_id, link_details } = row
  // Details that do not open are left out: the other people of a list are still shown, and `verify` reports these.
  const open = (table: string, id: string, sealed: Buffer) => {
    try {
      return JSON.parse(vault.open({ table, column: 'details', row: id }, sealed)) as Details
    } catch {
      return undefined
    }
  }
  if (account_id !== null && details) return open('member_account', account_id, details)
  return link_id !== null && link_details ? open('partner_user', link_id, link_details) : undefined
}

// The member behind a holder of the ledger: the member itself, or the member of an unconfirmed link.
export async function membersOfHolders(db: Db, holders: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; member_id: string }>`
    select id, member_id from partner_user where id = any(${holders}::uuid[])`.execute(db)
  const links = new Map(rows.map(({ id, member_id }) => [id, member_id]))
  return new Map(holders.map((id) => [id, links.get(id) ?? id]))
}
