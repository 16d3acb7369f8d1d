import type pg from 'pg'
import { createPasswords } from '#modules/accounts/password.ts'
import type { Installation } from '../installation.ts'
import { PASSWORD } from '../members/people.ts'
import { openMarket } from '../members/quotes.ts'
import { addPartners, type BenchPartner } from '../partners.ts'
import { loadScale } from './load.ts'

interface Filling {
  connection: pg.ClientConfig
  partners: BenchPartner[]
  // Loads what is missing to these totals.
  fillTo(total: { cards: number; members: number }): Promise<void>
}

// Starts an installation that is filled in steps.
export async function startFilling(
  installation: Installation,
  codes: readonly string[],
  tell: (text: string) => void,
): Promise<Filling> {
  tell('first start')
  await installation.startServer()
  const connection = await installation.joinDatabase()
  const partners = await addPartners(installation, codes)
  await openMarket(connection)
  const passwordHash = await createPasswords().hash(PASSWORD)
  let loaded = { cards: 0, members: 0 }
  return {
    connection,
    partners,
    async fillTo(total) {
      const load = {
        partnerCodes: partners.map(({ code }) => code),
        firstCard: loaded.cards + 1,
        cards: total.cards - loaded.cards,
        firstMember: loaded.members + 1,
        members: total.members - loaded.members,
        passwordHash,
      }
      await loadScale(connection, load, tell)
      loaded = total
    },
  }
}
