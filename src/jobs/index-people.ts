import type { Log } from '#base/log.ts'
import type { VaultDeps } from '#flows/kit/with-vault.ts'
import { indexNewPeople } from '#flows/members/index-people.ts'

// A few minutes' work at most, so that a run ends well before a worker is asked to stop for long. The next run
// continues.
const MOST = 100_000

export async function indexPeopleJob({ log, ...deps }: VaultDeps & { log: Log }): Promise<void> {
  const { count } = await indexNewPeople(deps, MOST)
  if (count > 0) log.info('people indexed', { job: 'index_people', count })
}
