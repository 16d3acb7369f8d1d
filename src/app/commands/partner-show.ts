import { type Command, integer, table } from '#app/command.ts'
import { keyToJson } from '#app/commands/api-key.ts'
import { waitingText } from '#app/commands/approval.ts'
import { partnerText, partnerToJson } from '#app/commands/partner.ts'
import { noPartner } from '#app/commands/partner-words.ts'
import { Refused } from '#app/refused.ts'
import { UsageError } from '#app/usage-error.ts'
import { formatWon, wonToJson } from '#base/money.ts'
import { listWaiting } from '#modules/approvals/store.ts'
import { findPartner, listKeys } from '#modules/partners/store.ts'
import { listUsageDays } from '#modules/usage/store.ts'

const MOST_DAYS = 90

export const partnerShow: Command = {
  usage: 'partner show CODE [--days N, 7 unless told]',
  summary: 'show a partner: terms, debt, keys, usage of the last days, pending changes',
  positionals: ['code'],
  options: { days: { type: 'string' } },
  async run({ runtime, args, options }) {
    const { database } = runtime
    const days = integer(options, 'days') ?? 7
    if (days < 1 || days > MOST_DAYS) throw new UsageError(`--days is 1 to ${MOST_DAYS}`)
    const partner = await findPartner(database.db, args.code!)
    if (!partner) throw new Refused(noPartner({ partner: args.code! }))
    const keys = (await listKeys(database.db, partner.id)).map(keyToJson)
    const usage = await listUsageDays(database, partner.id, days)
    const waiting = (await listWaiting(database.db, ['credit_limit', 'payment', 'payment_reversal'])).filter(
      ({ subject }) => subject === partner.code,
    )
    const left = partner.creditLimit - partner.owed
    const won = (amount: bigint) => formatWon(amount)
    const keyRows = keys.map((key) => [key.id, key.lastUsedAt ?? 'never', endOf(key), key.label])
    const usageRows = usage.map(({ day, issued, used }) => [day, won(issued), won(used)])
    return {
      json: {
        ...partnerToJson(partner),
        creditLeft: wonToJson(left),
        keys,
        usage: usage.map(({ day, issued, used }) => ({
          day,
          issued: wonToJson(issued),
          used: wonToJson(used),
        })),
        waiting: waiting.map(({ id, payload, maker }) => ({ id, ...payload, askedBy: maker })),
      },
      text: [
        partnerText(partner),
        `credit: owes ${won(partner.owed)} of ${won(partner.creditLimit)}, ${won(left)} left`,
        table(['key', 'last used', 'ends', 'label'], keyRows),
        usageRows.length > 0
          ? table(['day', 'issued', 'used'], usageRows)
          : `nothing was issued or used in ${days} days`,
        ...waiting.map((request) => waitingText('partner', request)),
      ].join('\n'),
    }
  },
}

function endOf({ revokedAt, expiresAt }: ReturnType<typeof keyToJson>): string {
  if (revokedAt !== null) return `revoked ${revokedAt}`
  return expiresAt ?? 'never'
}
