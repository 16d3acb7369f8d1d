import type { VaultKeeper } from '#base/crypto/vault.ts'
import type { Database } from '#base/db/db.ts'
import { failureFields } from '#base/db/errors.ts'
import { type Log, stackOf } from '#base/log.ts'
import type { Outside } from '#flows/audit/judge-anchors.ts'
import { recordVerification, verifyBooks } from '#flows/books/verify-books.ts'
import { beginListings, recordPage, recordTrouble } from '#flows/restoration/record-listing.ts'
import { addExamination } from '#flows/restoration/record-restoration.ts'
import { recordVerified, releaseExamined } from '#flows/restoration/release-messages.ts'
import { maskMobile } from '#modules/gift-cards/phone.ts'
import { listListings } from '#modules/restorations/listings.ts'
import { listRestorations } from '#modules/restorations/store.ts'
import type { Listing, LostAttempt, Restoration } from '#modules/restorations/types.ts'
import type { ListedMessage, ListedPage, MessagingProvider } from '#providers/messaging/port.ts'

export interface ExaminationDeps {
  database: Database
  log: Log
  keys: VaultKeeper
  providers: readonly MessagingProvider[]
  outside(): Outside
}

const MARGIN_MS = 5 * 60_000 // between a provider's clock and ours
const WORK_MS = 30_000 // then others get their turn, and the next run goes on
const AGAIN_MS = 60_000
const LATER_MS = 600_000 // checking all invariants may take minutes

// What is left to do after a restore: check the invariants, and read the lists of all providers before messages from
// before are sent. Runs until both are done. Cut off anywhere, the next run goes on.
export async function examineRestorations(deps: ExaminationDeps): Promise<void> {
  const { database } = deps
  const open = (await listRestorations(database.db)).filter(({ releasedAt }) => releasedAt === null)
  let againMs: number | undefined
  for (const restoration of open) {
    const verified = restoration.verifiedAt !== null || (await verifyRestored(deps, restoration))
    const waitMs = await readLists(deps, restoration)
    // Broken books are an operator's to judge: until then nothing is sent.
    if (waitMs === 0 && verified) await releaseExamined(database, restoration.id)
    else againMs = Math.min(againMs ?? LATER_MS, verified ? waitMs : LATER_MS)
  }
  if (againMs === undefined) return
  const ms = againMs
  await database.withTransaction((tx) => addExamination(tx, ms))
}

// The same as `ingot verify`, and counted as such.
export async function verifyRestored(
  { database, keys, log, outside }: Omit<ExaminationDeps, 'providers'>,
  { id }: Restoration,
): Promise<boolean> {
  const signer = keys.vault()
  const began = performance.now()
  const results = await verifyBooks(database, signer, { outside: outside() })
  const seconds = (performance.now() - began) / 1_000
  await recordVerification(database, results, { signer, seconds })
  const broken = results.filter((result) => result.broken > 0)
  for (const { check, broken: count } of broken) log.error('books do not balance', { check, count })
  if (broken.length > 0) return false
  await recordVerified(database, id)
  return true
}

// Returns how long to wait before the next try; 0 if every list was read to its end.
export async function readLists(deps: ExaminationDeps, restoration: Restoration): Promise<number> {
  const { database, providers } = deps
  await beginListings(
    database,
    restoration.id,
    providers.map(({ name }) => name),
  )
  const waits = []
  for (const listing of await listListings(database.db, restoration.id)) {
    if (listing.finishedAt) continue
    const provider = providers.find(({ name }) => name === listing.provider)
    if (provider) waits.push(await readList(deps, restoration, provider, listing))
    else {
      await recordTrouble(database, restoration.id, listing.provider, 'not_in_settings')
      waits.push(AGAIN_MS)
    }
  }
  return Math.max(0, ...waits)
}

// A request of the lost time may still be on its way for as long as the provider's absences say nothing. So the list is
// read at once, for the report, and once more after that time. Only the second reading counts.
async function readList(
  deps: ExaminationDeps,
  restoration: Restoration,
  provider: MessagingProvider,
  first: Listing,
): Promise<number> {
  const { certainUntil, recordedAt, id } = restoration
  const countsFromMs = recordedAt.epochMilliseconds + provider.absentAfterMs
  const window = {
    from: certainUntil.subtract({ milliseconds: MARGIN_MS }),
    until: recordedAt.add({ milliseconds: provider.absentAfterMs + MARGIN_MS }),
  }
  const endMs = performance.now() + WORK_MS
  let listing = first
  while (performance.now() < endMs) {
    const begunMs = (listing.begunAt ?? Temporal.Now.instant()).epochMilliseconds
    const page = await readPage(deps, provider, window, listing.cursor)
    if (page.kind === 'unknown') {
      // A refused page may be one that the provider no longer knows: the list is read from its beginning.
      if (page.reason === 'answer_unreadable' && listing.cursor !== null)
        await recordPage(deps.database, id, listing, { messages: [], place: 'again' })
      await recordTrouble(deps.database, id, provider.name, page.reason)
      return AGAIN_MS
    }
    const counts = begunMs >= countsFromMs
    const place = page.next !== null ? { cursor: page.next } : counts ? 'finished' : 'again'
    const messages = page.messages.map((message) => toLost(provider.name, message))
    if (!(await recordPage(deps.database, id, listing, { messages, place }))) return AGAIN_MS
    if (place === 'finished') return 0
    if (place === 'again') return Math.max(100, countsFromMs - Temporal.Now.instant().epochMilliseconds + 100)
    listing = { ...listing, begunAt: Temporal.Instant.fromEpochMilliseconds(begunMs), ...place }
  }
  return 100
}

async function readPage(
  { log }: ExaminationDeps,
  provider: MessagingProvider,
  window: Parameters<MessagingProvider['list']>[0],
  cursor: string | null,
): Promise<ListedPage> {
  try {
    return await provider.list(window, cursor)
  } catch (error) {
    log.error('provider broke', { reason: provider.name, ...failureFields(error), stack: stackOf(error) })
    return { kind: 'unknown', reason: 'answer_unreadable' }
  }
}

function toLost(provider: string, { to, ...message }: ListedMessage): LostAttempt {
  const recipient = to && /^0\d{8,10}$/.test(to) ? maskMobile(`+82${to.slice(1)}`) : null
  return { ...message, provider, recipient }
}
