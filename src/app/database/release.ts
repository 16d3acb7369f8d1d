import { type Definitions, OWN_DEFINITIONS } from '#flows/books/checks/declared-guards.ts'
import { listMigrations, type Migration } from './migration-files.ts'
import { type FunctionSet, functionsVersion, listFunctions, type SqlFunction } from './sql-functions.ts'

const CREATES = /^create (?:or replace )?(?:function|aggregate|view) (\w+)/gim

// What a release brings to its database: this one, unless a test makes one up.
export interface Release {
  migrations: readonly Migration[]
  functions: readonly SqlFunction[]
  functionsVersion: number
  definitions: Definitions
}

export const thisRelease = (): Release => ({
  migrations: listMigrations(),
  functions: listFunctions(),
  functionsVersion: functionsVersion(),
  definitions: OWN_DEFINITIONS,
})

export function functionSet({ migrations, functions, functionsVersion: newestText }: Release): FunctionSet {
  return {
    functions,
    schemaVersion: migrations.at(-1)?.version ?? 0,
    functionsVersion: newestText,
    createdByMigrations: migrations.flatMap(({ sql }) => [...sql.matchAll(CREATES)].map(([, name]) => name!)),
  }
}
