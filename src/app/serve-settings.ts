import { requireAccountHolder } from '#app/account-holder.ts'
import { type Config, makeTogether } from '#app/config.ts'
import { requireIdentity } from '#app/identity.ts'
import { imprintOf, requireProviders } from '#app/messaging.ts'
import { readLegalTexts, requireOperator } from '#app/operator.ts'
import { requirePrices } from '#app/prices.ts'

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
