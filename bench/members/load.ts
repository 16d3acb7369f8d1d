import type pg from 'pg'
import type { Installation } from '../installation.ts'
import { addPartners } from '../partners.ts'
import { type BenchCard, loadCards } from './cards.ts'
import { type BenchMember, loadMembers } from './people.ts'
import { type BenchQuote, loadQuotes, openMarket } from './quotes.ts'

// So many that a session is seldom asked about twice in ten seconds: most of them have to be renewed, as those of people are.
const MEMBERS = 20_000

export interface Supplies {
  connection: pg.ClientConfig
  members: readonly BenchMember[]
  // Twice `count` of each.
  cards: readonly BenchCard[]
  quotes: readonly BenchQuote[]
  count: number
  // Whose turn it is.
  of(n: number): BenchMember
}

export async function loadSupplies(
  installation: Installation,
  count: number,
  tell: (text: string) => void,
): Promise<Supplies> {
  const { port } = installation
  const connection = await installation.joinDatabase()
  const vault = installation.vault()
  const figure = (value: number) => value.toLocaleString('en-US')
  tell('registering partners')
  const partners = await addPartners(installation, ['sold-1', 'sold-2', 'sold-3', 'sold-4'])
  tell(`loading ${figure(MEMBERS)} members, ${figure(2 * count)} cards and as many quotes`)
  await openMarket(connection)
  const members = await loadMembers(connection, vault, MEMBERS)
  const partnerCodes = partners.map(({ code }) => code)
  const cards = await loadCards(connection, vault, { partnerCodes, count: 2 * count })
  const quotes = await loadQuotes({ connection, port }, members, 2 * count)
  return { connection, members, cards, quotes, count, of: (n) => members[n % members.length]! }
}
