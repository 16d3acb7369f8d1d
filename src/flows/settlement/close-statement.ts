import { createHash } from 'node:crypto'
import type { Database, Db, Tx } from '#base/db/db.ts'
import { newId } from '#base/ids.ts'
import { type Refusal, refused, withOutcome } from '#flows/kit/outcome.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { findHouseAccount, lockBalances, postTransfers } from '#modules/ledger/store.ts'
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

// What is below zero goes back: supply and VAT each by its own sign.
async function postCommission(tx: Tx, groupId: string, { commission }: StatementData): Promise<void> {
  const owed = await findHouseAccount(tx, 'commissions_owed', 'KRW')
  const revenue = await findHouseAccount(tx, 'commissions', 'KRW')
  const tax = await findHouseAccount(tx, 'commission_vat', 'KRW')
  const parts = [
    { other: revenue, won: commission.supply },
    { other: tax, won: commission.vat },
  ]
  const legOf = (debit: bigint, credit: bigint, amount: bigint) => ({
    groupId,
    cardId: null,
    debit,
    credit,
    amount,
  })
  const charged = parts.filter(({ won }) => won > 0n).map(({ other, won }) => legOf(owed, other, won))
  const back = parts.filter(({ won }) => won < 0n).map(({ other, won }) => legOf(other, owed, -won))
  // All at once, in id order: two that are closed at the same time wait for each other, and never both.
  if (charged.length + back.length > 0) await lockBalances(tx, [owed, revenue, tax])
  if (charged.length > 0) await postTransfers(tx, 'commission', charged)
  if (back.length > 0) await postTransfers(tx, 'commission_back', back)
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
