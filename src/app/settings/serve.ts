import { readLegalTexts, requireOperator } from '#app/operator.ts'
import { requireAccountHolder } from '#app/ports/account-holder.ts'
import { requireIdentity } from '#app/ports/identity.ts'
import { imprintOf, requireProviders } from '#app/ports/messaging.ts'
import { requirePrices } from '#app/ports/prices.ts'
import { type Config, makeTogether } from './config.ts'

// What serving needs and a command does not. Checked while the settings are read, so that it is reported with
// everything else that is wrong, before a database is opened.
export function requireServing(config: Config): void {
  makeTogether({
    providers: () => requireProviders(config),
    identity: () => requireIdentity(config),
    accountHolder: () => requireAccountHolder(config),
    imprint: () => imprintOf(config),
    prices: () => requirePrices(config),
    texts: () => readLegalTexts(config),
    operator: () => requireOperator(config),
  })
}
