import type { Log } from '#base/log.ts'
import type { VaultDeps } from '#flows/kit/with-vault.ts'
import { alertCredit } from '#flows/partners/alert-credit.ts'

export async function alertCreditJob(deps: VaultDeps & { log: Log }): Promise<void> {
  const count = await alertCredit(deps)
  if (count > 0) deps.log.info('partners told of their credit', { count })
}
