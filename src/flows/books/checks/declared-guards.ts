import { sql } from 'kysely'
import type { Vault } from '#base/crypto/vault.ts'
import type { Db } from '#base/db/db.ts'
import { FUNCTIONS, FUNCTIONS_VERSION } from '#flows/books/checks/function-definitions.gen.ts'
import { CONSTRAINTS, TRIGGERS } from '#flows/books/checks/guard-definitions.ts'
import { COLUMNS, INDEXES } from '#flows/books/checks/table-definitions.gen.ts'

type Hashes = Readonly<Record<string, string>>

// What a release says of its database. Hashes by name; several of one name are separated by a blank.
export interface Definitions {
  triggers: Hashes
  constraints: Hashes
  functions: Hashes
  // Unique ones. Each table has at least one, so their names tell the tables too.
  indexes: Hashes
  // Not hashes, but what they are.
  columns: Hashes
  // Checks that releases without a migration would judge wrongly, by the version of that migration.
  unjudged: Readonly<Record<string, readonly string[]>>
}

export const OWN_DEFINITIONS: Definitions = {
  triggers: TRIGGERS,
  constraints: CONSTRAINTS,
  functions: FUNCTIONS,
  indexes: INDEXES,
  columns: COLUMNS,
  unjudged: {},
}

// A release by its schema and its functions.
export type ReleaseVersion = readonly [schema: number, functions: number]

// Signed with a key that no rotation changes.
export function signDeclaration(
  vault: Pick<Vault, 'fingerprint'>,
  [schema, functions]: ReleaseVersion,
  definitions: string,
): Buffer {
  return vault.fingerprint('release declaration', `${schema} ${functions}\n${definitions}`)
}

export interface JudgedBy {
  definitions: Definitions
  // Checks of this release that a newer one says it cannot judge.
  unjudged: string[]
  // The newer release that is here without a declaration that this key ring signed.
  undeclared: string | undefined
}

// A guard that may also be missing.
export const ABSENT = 'absent'

// The number of the functions grows with every change of a text, through all schemas.
const NEWEST = sql<{ schema: number; functions: number }>`
  select (select max(version) from schema_migration) as schema,
         (select max(functions_version) from schema_function) as functions`

interface Declaration {
  schema: number
  functions: number
  definitions: string
  signature: Buffer
}

const DECLARED = sql<Declaration>`
  select schema_version as schema, functions_version as functions, definitions, signature from release_declaration`

// By whose definitions the guards are to be judged. A newer release declares its own, before it migrates; until it is through,
// a guard may be as either release has it.
export async function readDeclaredGuards(db: Db, vault: Vault | undefined): Promise<JudgedBy> {
  const own: ReleaseVersion = FUNCTIONS_VERSION
  const { rows: found } = await NEWEST.execute(db)
  const newest: ReleaseVersion = [found[0]?.schema ?? 0, found[0]?.functions ?? 0]
  if (!isLater(newest, own)) return { definitions: OWN_DEFINITIONS, unjudged: [], undeclared: undefined }
  const { rows } = await DECLARED.execute(db)
  const [declared] = rows
    .filter((row) => !isLater(newest, versionOf(row)) && isSigned(vault, row))
    .sort((a, b) => (isLater(versionOf(a), versionOf(b)) ? 1 : -1))
  if (!declared) {
    const undeclared = `schema ${newest[0]}, functions ${newest[1]}`
    return { definitions: OWN_DEFINITIONS, unjudged: [], undeclared }
  }
  const definitions = JSON.parse(declared.definitions) as Definitions
  const unjudged = Object.entries(definitions.unjudged)
    .filter(([schema]) => Number(schema) > own[0])
    .flatMap(([, checks]) => checks)
  const isThrough = !isLater(versionOf(declared), newest)
  return {
    definitions: isThrough ? definitions : either(OWN_DEFINITIONS, definitions),
    unjudged,
    undeclared: undefined,
  }
}

function isSigned(vault: Vault | undefined, row: Declaration): boolean {
  return vault !== undefined && signDeclaration(vault, versionOf(row), row.definitions).equals(row.signature)
}

const versionOf = ({ schema, functions }: Declaration): ReleaseVersion => [schema, functions]

function isLater(one: ReleaseVersion, other: ReleaseVersion): boolean {
  return one[0] > other[0] || (one[0] === other[0] && one[1] > other[1])
}

function either(one: Definitions, other: Definitions): Definitions {
  const merge = (a: Hashes, b: Hashes) =>
    Object.fromEntries(
      [...new Set([...Object.keys(a), ...Object.keys(b)])].map((name) => [
        name,
        `${a[name] ?? ABSENT} ${b[name] ?? ABSENT}`,
      ]),
    )
  return {
    triggers: merge(one.triggers, other.triggers),
    constraints: merge(one.constraints, other.constraints),
    functions: merge(one.functions, other.functions),
    indexes: merge(one.indexes, other.indexes),
    columns: merge(one.columns, other.columns),
    unjudged: {},
  }
}
