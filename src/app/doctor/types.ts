import type { Config } from '#app/settings/config.ts'
import type { BoundedConfig } from '#base/db/client.ts'
import type { Database } from '#base/db/db.ts'

//   ok       as it should be
//   warning  it works, and may cost something one day
//   wrong    mend it: something does not work, is not safe, or can be lost
type Level = 'ok' | 'warning' | 'wrong'

export interface Finding {
  level: Level
  says: string
  // What to do, in one or more sentences or commands.
  mend?: string
}

// What a check may look at. Nothing in it is ever changed.
export interface Installation {
  config: Config
  isContainer: boolean
  reached: Reached | Unreached
}

// The database, if it could be reached.
export interface Reached {
  database: Database
  connection: BoundedConfig
  // A pooler is in between.
  isPooled: boolean
}

interface Unreached {
  why: string
  // Nothing was made yet, so nothing is amiss.
  isNew: boolean
}

// One subject. `read` asks for facts; `judge` decides what they mean and does nothing else.
export interface Check<Facts = unknown> {
  name: string
  // `database`: left out while the database cannot be reached.
  needs: 'settings' | 'database'
  read(installation: Installation): Promise<Facts> | Facts
  judge(facts: Facts, config: Config): Finding[]
}

// What a check of the database is given instead of a maybe.
export interface DatabaseCheck<Facts> extends Omit<Check<Facts>, 'needs' | 'read'> {
  read(reached: Reached, config: Config): Promise<Facts>
}

export function databaseCheck<Facts>({ read, ...check }: DatabaseCheck<Facts>): Check<Facts> {
  return {
    ...check,
    needs: 'database',
    read: ({ reached, config }) => {
      if (!('database' in reached)) throw new Error('a check of the database is left out without one')
      return read(reached, config)
    },
  }
}

export const ok = (says: string): Finding => ({ level: 'ok', says })
export const warning = (says: string, mend: string): Finding => ({ level: 'warning', says, mend })
export const wrong = (says: string, mend: string): Finding => ({ level: 'wrong', says, mend })

// Everything that is amiss, or the one sentence that all is well.
export function all(findings: readonly (Finding | false | undefined)[], fine: string): Finding[] {
  const amiss = findings.filter((finding) => finding !== false && finding !== undefined)
  return amiss.length > 0 ? amiss : [ok(fine)]
}
