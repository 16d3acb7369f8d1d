import { judgeHistory, listApplied } from '#app/database/history.ts'
import { functionSet, thisRelease } from '#app/database/release.ts'
import { areFunctionsCurrent, haveNewerFunctions } from '#app/database/sql-functions.ts'
import { Refused } from '#app/refused.ts'
import type { Runtime } from '#app/runtime.ts'
import type { BoundedClient } from '#base/db/client.ts'
import { LOCKS } from '#base/db/locks.ts'
import { OWN_DEFINITIONS } from '#flows/books/checks/declared-guards.ts'
import { guardChecks } from '#flows/books/checks/guards.ts'
import { judgeQueries } from '#flows/books/judge.ts'

const FUNCTIONS_CHECK = 'guards_do_what_they_did'

// The target gets the schema and the functions of this release, and the source's records of both. So the source must have just
// these. The lock of the migrations keeps other releases from changing that until the move ends, with the connection that holds
// it. Before anything is stopped.
export async function judgeSource(
  { database }: Pick<Runtime, 'database'>,
  source: BoundedClient,
): Promise<void> {
  const { rows } = await source.query(`select pg_try_advisory_lock(${LOCKS.migration}) as taken`)
  if (!rows[0].taken)
    throw new Refused('a release is migrating this database, or waits to: let it end, and move then')
  const release = thisRelease()
  const { isNewer, pending } = judgeHistory(release.migrations, await listApplied(source))
  const set = functionSet(release)
  if (isNewer || (await haveNewerFunctions(source, set)))
    throw new Refused(
      'a newer release has been here, and its schema or functions differ: move with that release',
    )
  if (pending.length > 0 || !(await areFunctionsCurrent(source, set))) {
    throw new Refused(
      'the schema or the functions here are of an earlier release, which began this move: finish it with that release, or ' +
        'undo it with `ingot move --undo`',
    )
  }
  await refuseChangedFunctions(database)
}

// A function that was changed by hand would be another one at the target, and nothing would say so.
async function refuseChangedFunctions(database: Runtime['database']): Promise<void> {
  const { [FUNCTIONS_CHECK]: query } = guardChecks(OWN_DEFINITIONS)
  const [result] = await database.withSnapshot((tx) => judgeQueries(tx, { [FUNCTIONS_CHECK]: query }))
  if (result!.broken === 0) return
  const names = result!.examples.map((example) => example.split(' ')[0]).join(', ')
  throw new Refused(
    `these functions are not as this release made them: ${names}. The target would get this release's. To put them back here first, ` +
      'delete their rows from schema_function and run `ingot migrate`',
  )
}
