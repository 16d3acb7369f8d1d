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

// A job is given up if it failed too often, or if its worker was killed at it and the next one of its name took its place. The
// queue keeps it for ever. What is left to do stands in rows, not in jobs.
const REMOVE = {
  name: 'remove_given_up_jobs',
  text: `
    select count(*)::int as count
      from graphile_worker.complete_jobs(array(
        select id from graphile_worker.jobs
         where attempts >= max_attempts and locked_at is null and run_at < now() - interval '1 day'
         limit 1000))`,
}

// Unlocks the jobs of a killed worker, which the queue itself would keep locked for four hours, and removes those that were
// given up a day ago.
export async function unlockJobs({ database, log }: { database: Database; log: Log }): Promise<void> {
  const [gone] = await database.writeOnce<{ count: number }>(UNLOCK, [])
  if (gone) log.warn('jobs of workers that are gone were unlocked', { job: 'unlock_jobs', count: gone.count })
  await database.writeOnce(REMOVE, [])
}
