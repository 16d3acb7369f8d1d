import { NOT_EXPORTED, PERSONAL_TABLES } from '#flows/members/personal-tables.ts'

// A column by which a table may hold data of a member: whose row it is, or what sealed and typed values are called.
const LOOKS_PERSONAL =
  /(?:^|_)(?:member_id|holder_id|account_id|partner_user_id|owner_id|used_by|session_id|name|phone|email|mdn|ci|birthday|recipient|details|address|login_id|document|device|trace_no)(?:$|_)/

// Tables with such a column that hold nothing of members.
const OF_OTHERS: Readonly<Record<string, string>> = {
  api_key: 'of partners',
  delivery: 'of cards: no number and no text',
  partner: 'of partners',
  partner_contact: 'of partners',
  partner_legal: 'of partners',
  schema_function: 'of the schema',
  schema_migration: 'of the schema',
  staff: 'of staff',
  staff_account: 'of staff',
  staff_link: 'of staff',
  staff_passkey: 'of staff',
  staff_recovery_code: 'of staff',
  staff_session: 'of staff',
  template_registration: 'of message templates',
}

// The tables of db/schema.sql, each with its columns.
function tablesOf(schema: string): Map<string, string[]> {
  const tables = [...schema.matchAll(/^create table (\w+) \(\n([\s\S]*?)^\);/gm)]
  return new Map(
    tables.map(([, table, body]) => [
      table!,
      [...body!.matchAll(/^ {2}(?!constraint )(\w+) +/gm)].map(([, column]) => column!),
    ]),
  )
}

// Everything that the database keeps of a person is in the export, or is named with the reason why not.
export function checkPersonalData(schema: string): string[] {
  const home = 'src/flows/members/personal-tables.ts'
  return [...tablesOf(schema)].flatMap(([table, columns]) => {
    const known = PERSONAL_TABLES[table]
    if (!known) {
      const personal = columns.find((column) => LOOKS_PERSONAL.test(column))
      if (!personal || NOT_EXPORTED[table] || OF_OTHERS[table]) return []
      return [
        `${table}.${personal} may hold data of a person: export the table in ${home}, or name it there as NOT_EXPORTED`,
      ]
    }
    const withheld = Object.values(known.withheld).flatMap((list) => list.split(' '))
    const named = new Set([...known.shown, ...(known.sealed ?? []), ...withheld])
    const gone = [...named].filter((column) => !columns.includes(column))
    return [
      ...columns
        .filter((column) => !named.has(column))
        .map((column) => `${table}.${column} is neither exported nor withheld in ${home}`),
      ...gone.map((column) => `${table}.${column} is named in ${home} and is not in the schema`),
    ]
  })
}
