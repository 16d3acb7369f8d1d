import { sql } from 'kysely'
import type { Vault } from '#base/crypto/vault.ts'
import {
  areFew,
  byTime,
  choiceOf,
  daysOf,
  ofPartner,
  PARTNER,
  partnerOf,
  yesNo,
} from '#flows/lists/conditions.ts'
import type { Filter, List, ListRow, Showing } from '#flows/lists/list-types.ts'
import { opened } from '#flows/lists/opened.ts'
import { describeMembers, type MemberLine } from '#flows/members/describe-members.ts'
import { maskDetails } from '#modules/members/rules.ts'
import { type SearchedBy, searchHashes } from '#modules/members/search.ts'
import type { Details } from '#modules/members/types.ts'

const NAMES = {
  phone: { ko: '휴대폰', en: 'Phone' },
  name: { ko: '이름', en: 'Name' },
  joined: { ko: '가입', en: 'Joined' },
  status: { ko: '상태', en: 'Status' },
  member: { ko: '회원 ID', en: 'Member id' },
  userKey: { ko: '사용자 키', en: 'User key' },
  confirmed: { ko: '연결 확인', en: 'Confirmed' },
  frozen: { ko: '회원 정지', en: 'Member frozen' },
  account: { ko: '계정', en: 'Account' },
  login: { ko: '아이디', en: 'Login id' },
}

const ACCOUNT = {
  open: { ko: '정상', en: 'Open' },
  closed: { ko: '탈퇴', en: 'Closed' },
  none: { ko: '계정 없음', en: 'No account' },
}

const USER_STATUS = {
  active: { ko: '정상', en: 'Active' },
  suspended: { ko: '정지', en: 'Suspended' },
  refused: { ko: '거절됨', en: 'Refused' },
  frozen: { ko: '회원 정지', en: 'Member frozen' },
}

const hashesOf = (vault: Vault, by: SearchedBy, text: string) =>
  sql`any(${searchHashes(vault, by, text)}::bytea[])`

// By what the member verified and by what partners told.
function knownBy(by: SearchedBy, column: 'phone_index' | 'name_index'): Filter {
  return {
    kind: by,
    names: NAMES[by],
    condition(text, { vault }) {
      const hashes = hashesOf(vault, by, text)
      const known = (table: string) =>
        sql`select member_id from ${sql.table(table)} where ${sql.ref(column)} = ${hashes}`
      return {
        by: 'few',
        sql: sql`t.id = any(array(${known('member_account')} union ${known('partner_user')}))`,
      }
    },
  }
}

const openAccount = sql`exists (select from member_account a where a.member_id = t.id and a.closed_at is null)`
const anyAccount = sql`exists (select from member_account a where a.member_id = t.id)`
const ACCOUNT_IS = {
  open: openAccount,
  closed: sql`(${anyAccount} and not ${openAccount})`,
  none: sql`not ${anyAccount}`,
}

export const MEMBERS: List = {
  name: 'members',
  names: { ko: '회원', en: 'Members' },
  table: 'member',
  filters: {
    phone: knownBy('phone', 'phone_index'),
    name: knownBy('name', 'name_index'),
    login: {
      kind: 'text',
      names: NAMES.login,
      condition: (login) => ({
        by: 'few',
        sql: sql`t.id = any(array(select a.member_id from member_account a where a.login_id = ${login.toLowerCase()}))`,
      }),
    },
    account: {
      kind: 'choice',
      names: NAMES.account,
      choices: ACCOUNT,
      condition: (values) => ({
        sql: sql`(${sql.join(
          values.map((value) => ACCOUNT_IS[value as keyof typeof ACCOUNT]),
          sql` or `,
        )})`,
      }),
    },
    frozen: yesNo(
      NAMES.frozen,
      sql`t.id = any(array(select f.member_id from member_freeze f where f.thawed_at is null))`,
      'few',
    ),
    partner: {
      kind: 'partner',
      names: PARTNER,
      async condition(id, { db }) {
        const users = sql`from partner_user u where u.partner_id = ${id}::int`
        return (await areFew(db, users))
          ? { by: 'few', sql: sql`t.id = any(array(select u.member_id ${users}))` }
          : { sql: sql`exists (select ${users} and u.member_id = t.id)` }
      },
    },
    joined: daysOf('created_at', NAMES.joined),
  },
  sorts: { joined: byTime('created_at', 'joined') },
  columns: [
    { name: 'joined', kind: 'moment', names: NAMES.joined, sort: 'joined' },
    { name: 'name', kind: 'text', names: NAMES.name },
    { name: 'phone', kind: 'text', names: NAMES.phone },
    { name: 'login', kind: 'text', names: NAMES.login },
    { name: 'account', kind: 'choice', names: NAMES.account, choices: ACCOUNT },
    {
      name: 'frozen',
      kind: 'choice',
      names: NAMES.frozen,
      choices: { yes: NAMES.frozen, no: { ko: '', en: '' } },
    },
    { name: 'partners', kind: 'text', names: PARTNER },
    { name: 'memberId', kind: 'id', names: NAMES.member },
  ],
  fields: sql`t.id, t.created_at`,
  async show({ db, vault }, rows: readonly { id: string; created_at: Temporal.Instant }[]) {
    const lines = await describeMembers(
      db,
      vault,
      rows.map(({ id }) => id),
    )
    return rows.map(({ id, created_at }) => memberRow(lines.get(id)!, created_at))
  },
}

function memberRow(line: MemberLine, joined: Temporal.Instant): ListRow {
  return {
    id: line.memberId,
    path: `/members/${line.memberId}`,
    cells: {
      joined: joined.toString(),
      name: line.name,
      phone: line.mdn,
      login: line.loginId,
      account: line.account,
      frozen: line.frozen ? 'yes' : 'no',
      partners: line.partners.join(' '),
      memberId: line.memberId,
    },
  }
}

interface UserRow {
  id: string
  partner_id: number
  partner_key: string
  member_id: string
  status: string
  confirmed: boolean
  registered_at: Temporal.Instant
  details: Buffer
}

function toldBy(by: SearchedBy, column: 'phone_index' | 'name_index'): Filter {
  return {
    kind: by,
    names: NAMES[by],
    condition: (text, { vault }) => ({
      by: 'few',
      sql: sql`${sql.ref(`t.${column}`)} = ${hashesOf(vault, by, text)}`,
    }),
  }
}

export const USERS: List = {
  name: 'users',
  names: { ko: '제휴사 사용자', en: 'Partner users' },
  table: 'partner_user',
  ofPartner: (id) => ofPartner('partner_id', id),
  filters: {
    partner: partnerOf('partner_id'),
    status: choiceOf('status', NAMES.status, USER_STATUS),
    confirmed: yesNo(NAMES.confirmed, sql`t.confirmed`),
    registered: daysOf('registered_at', NAMES.joined),
    phone: toldBy('phone', 'phone_index'),
    name: toldBy('name', 'name_index'),
    key: {
      kind: 'text',
      names: NAMES.userKey,
      // The index has keys by partner.
      condition: (key) => ({
        by: 'few',
        sql: sql`t.partner_id = any(array(select p.id from partner p)) and t.partner_key in (${key}, ${key.toLowerCase()})`,
      }),
    },
  },
  sorts: {
    registered: {
      ...byTime('registered_at', 'registered', ['status']),
      within: [{ filter: 'partner', column: 'partner_id' }],
    },
  },
  columns: [
    { name: 'registered', kind: 'moment', names: NAMES.joined, sort: 'registered' },
    { name: 'partner', kind: 'text', names: PARTNER },
    { name: 'key', kind: 'id', names: NAMES.userKey },
    { name: 'name', kind: 'text', names: NAMES.name },
    { name: 'phone', kind: 'text', names: NAMES.phone },
    { name: 'status', kind: 'choice', names: NAMES.status, choices: USER_STATUS },
    {
      name: 'confirmed',
      kind: 'choice',
      names: NAMES.confirmed,
      choices: { yes: { ko: '확인됨', en: 'Confirmed' }, no: { ko: '대기', en: 'Waits' } },
    },
    { name: 'memberId', kind: 'id', names: NAMES.member, inFile: true, forOperator: true },
  ],
  fields: sql`t.id, t.partner_id, t.partner_key, t.member_id, t.status, t.confirmed, t.registered_at, t.details`,
  show: (showing, rows: readonly UserRow[]) => rows.map((row) => userRow(showing, row)),
}

function userRow({ vault, partners }: Showing, row: UserRow): ListRow {
  const text = opened(vault, { table: 'partner_user', column: 'details', row: row.id }, row.details)
  const masked = text === undefined ? undefined : maskDetails(JSON.parse(text) as Details)
  return {
    id: row.id,
    path: `/users/${row.id}`,
    cells: {
      registered: row.registered_at.toString(),
      partner: partners.get(row.partner_id)?.code ?? null,
      key: row.partner_key,
      name: masked?.name ?? null,
      phone: masked?.mdn ?? null,
      status: row.status,
      confirmed: row.confirmed ? 'yes' : 'no',
      memberId: row.member_id,
    },
  }
}

// That the operator froze a member is not for the partner: to its staff such a user is suspended, as on the user's page.
const { frozen: _, ...OWN_STATUS } = USER_STATUS
const statusIs = (values: readonly string[]) => ({ sql: sql`t.status = any(${values}::text[])` })
const hideFrozen = (row: ListRow): ListRow =>
  row.cells.status === 'frozen' ? { ...row, cells: { ...row.cells, status: 'suspended' } } : row

export const OWN_USERS: List = {
  ...USERS,
  filters: {
    ...USERS.filters,
    status: {
      kind: 'choice',
      names: NAMES.status,
      choices: OWN_STATUS,
      condition: (values) => statusIs(values.includes('suspended') ? [...values, 'frozen'] : values),
    },
  },
  columns: USERS.columns.map((column) =>
    column.name === 'status' ? { ...column, choices: OWN_STATUS } : column,
  ),
  show: async (showing, rows) => (await USERS.show(showing, rows)).map(hideFrozen),
}
