import { createHash } from 'node:crypto'
import type { Database, Db, Tx } from '#base/db/db.ts'
import { newId } from '#base/ids.ts'
import { type Refusal, refused, withOutcome } from '#flows/kit/outcome.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { findHouseAccount, postTransfers } from '#modules/ledger/store.ts'
import { lockPartner } from '#modules/partners/store.ts'
import { statementNumber, toText } from '#modules/settlement/rules.ts'
import { findStatement, insertSent, insertStatement } from '#modules/settlement/store.ts'
import type { Statement, StatementData } from '#modules/settlement/types.ts'
import {
  completeStatement,
  type DraftRefusal,
  prepareStatement,
  type StatementCommand,
} from './draft-statement.ts'

interface Acting {
  actor: string
}

// already: this period was closed before, and nothing was done.
type CloseOutcome = { kind: 'closed' | 'already'; statement: Statement } | DraftRefusal

// Freezes a statement: its data, their hash over that of the statement before, and the transfers of its commission, in one
// transaction under the partner's lock. Payments take the same lock.
export async function closeStatement(
  database: Database,
  { actor, ...command }: StatementCommand & Acting,
): Promise<CloseOutcome> {
  const prepared = await prepareStatement(database, command)
  if (prepared.kind === 'refused') return orKnown(database.db, command, prepared)
  return withOutcome<CloseOutcome>(database, async (tx) => {
    await lockPartner(tx, command.code)
    const draft = await completeStatement(tx, prepared)
    if (draft.kind === 'refused') return orKnown(tx, command, draft)
    const { data, partner, previous } = draft
    const id = newId()
    const text = toText(data)
    const previousHash = previous?.hash ?? null
    const hash = hashOf(previousHash, text)
    await insertStatement(tx, {
      id,
      partnerId: partner.id,
      number: data.number,
      period: command.period,
      due: data.cards.due,
      dueCommission: data.commission.due,
      data: text,
      closedBy: actor,
      previousHash,
      hash,
    })
    await postCommission(tx, id, data)
    await insertAuditEntry(tx, {
      actor,
      action: 'statement.close',
      subject: partner.code,
      details: { number: data.number, due: data.due.toString(), hash: hash.toString('hex') },
    })
    return { kind: 'closed', statement: (await findStatement(tx, data.number))! }
  })
}

function hashOf(previous: Buffer | null, text: string): Buffer {
  return createHash('sha256')
    .update(previous ?? Buffer.alloc(0))
    .update(text)
    .digest()
}

// Closed again, a period gets its statement.
async function orKnown(
  db: Db,
  { code, period }: StatementCommand,
  refusal: DraftRefusal,
): Promise<CloseOutcome> {
  const known = await findStatement(db, statementNumber(code, period))
  const isSame = known?.period.from === period.from && known.period.to === period.to
  return isSame ? { kind: 'already', statement: known } : refusal
}

// Won of a negative commission go back.
async function postCommission(tx: Tx, groupId: string, { commission }: StatementData): Promise<void> {
  const owed = await findHouseAccount(tx, 'commissions_owed', 'KRW')
  const revenue = await findHouseAccount(tx, 'commissions', 'KRW')
  const tax = await findHouseAccount(tx, 'commission_vat', 'KRW')
  const size = (won: bigint) => (won < 0n ? -won : won)
  const isCharged = commission.supply > 0n
  const leg = (other: bigint, won: bigint) => ({
    groupId,
    cardId: null,
    amount: size(won),
    ...(isCharged ? { debit: owed, credit: other } : { debit: other, credit: owed }),
  })
  const legs = [leg(revenue, commission.supply), leg(tax, commission.vat)].filter(({ amount }) => amount > 0n)
  if (legs.length > 0) await postTransfers(tx, isCharged ? 'commission' : 'commission_back', legs)
}

type SendOutcome =
  | { kind: 'sent' | 'already'; statement: Statement }
  | Refusal<'statement_not_found', { number: string }>
  | Refusal<'way_invalid'>

// Records that the partner was given the statement, and how.
export function sendStatement(
  database: Database,
  { number, way, actor }: Acting & { number: string; way: string },
): Promise<SendOutcome> {
  return withOutcome<SendOutcome>(database, async (tx) => {
    const found = await findStatement(tx, number)
    if (!found) return refused('statement_not_found', { number })
    if (way.trim().length < 1 || way.length > 200) return refused('way_invalid')
    // Of two at once the second finds the first.
    await lockPartner(tx, found.partner)
    const before = (await findStatement(tx, number))!
    if (before.sentAt) return { kind: 'already', statement: before }
    await insertSent(tx, before.id, actor, way.trim())
    await insertAuditEntry(tx, {
      actor,
      action: 'statement.send',
      subject: before.partner,
      details: { number, reason: way.trim() },
    })
    return { kind: 'sent', statement: (await findStatement(tx, number))! }
  })
}
