import { readRow } from './server-checks.ts'
import { all, databaseCheck, warning, wrong } from './types.ts'

const OLDEST = 150_000
const NEWEST_TESTED = 18

// The version of the collation when the database was made, and now.
interface Collation {
  recorded: string | null
  actual: string | null
}

interface VersionFacts {
  number: number
  text: string
  encoding: string
  hasPlpgsql: boolean
  // Undefined: the server is too old to tell.
  collation: Collation | undefined
}

export const version = databaseCheck<VersionFacts>({
  name: 'version',
  async read(reached) {
    const known = await readRow<Omit<VersionFacts, 'collation'>>(
      reached,
      'version',
      `select current_setting('server_version_num')::int as number, current_setting('server_version') as text,
              current_setting('server_encoding') as encoding,
              exists (select from pg_language where lanname = 'plpgsql') as "hasPlpgsql"`,
    )
    // Asked apart: an older server does not know these, and would refuse the whole question.
    if (known.number < OLDEST) return { ...known, collation: undefined }
    const collation = await readRow<Collation>(
      reached,
      'collation',
      `select datcollversion as recorded, pg_database_collation_actual_version(oid) as actual
         from pg_database where datname = current_database()`,
    )
    return { ...known, collation }
  },
  judge: ({ number, text, encoding, hasPlpgsql, collation }) =>
    all(
      [
        number < OLDEST && wrong(`PostgreSQL ${text} is too old`, 'Use PostgreSQL 15 or newer.'),
        Math.floor(number / 10_000) > NEWEST_TESTED &&
          warning(
            `PostgreSQL ${text} is newer than this release was tested with`,
            'Look for a newer release of Ingot.',
          ),
        encoding !== 'UTF8' &&
          wrong(
            `the database is encoded in ${encoding}`,
            `Make a new one: create database … encoding 'UTF8' template template0;`,
          ),
        !hasPlpgsql &&
          wrong('the language plpgsql is missing', 'As a superuser run: create extension plpgsql;'),
        collation &&
          collation.recorded !== collation.actual &&
          wrong(
            `text is sorted by another version of the collation (${collation.actual ?? 'none'}) than the indexes were made ` +
              `with (${collation.recorded ?? 'none'}), so lookups may miss rows`,
            'As the owner run: reindex database; alter database … refresh collation version;',
          ),
      ],
      `PostgreSQL ${text}; no extension is needed`,
    ),
})
