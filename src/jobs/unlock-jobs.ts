import type { Database } from '#base/db/db.ts'
import type { Log } from '#base/log.ts'

// A process announces every two seconds that it lives. After five minutes of silence nothing that it began is still
// under way. Each statement, each request to a provider and each watch over a long one has ended long before.
// Processes of an earlier release do not announce their jobs: while one lives, nothing is unlocked.
const UNLOCK = {
  name: 'unlock_jobs',
  text: `
    with gone as (
      select array_agg(distinct j.locked_by) as workers
        from graphile_worker.jobs j
       where j.locked_at < now() - interval '5 minutes'
         and not exists (select from process p
                          where p.seen_at > now() - interval '5 minutes'
                            and (p.workers is null or j.locked_by = any (p.workers))))
    select cardinality(workers) as count, graphile_worker.force_unlock_workers(workers)
      from gone where workers is not null`,
}

// Unlocks the jobs of a killed worker. The queue itself would keep them locked for four hours.
export async function unlockJobs({ database, log }: { database: Database; log: Log }): Promise<void> {
  const [gone] = await database.writeOnce<{ count: number }>(UNLOCK, [])
  if (gone) log.warn('jobs of workers that are gone were unlocked', { job: 'unlock_jobs', count: gone.count })
}
