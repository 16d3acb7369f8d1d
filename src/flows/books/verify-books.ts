import { sql } from 'kysely'
import type { Vault } from '#base/crypto/vault.ts'
import type { Database, Db, Reader } from '#base/db/db.ts'
import type { Outside } from '#flows/audit/judge-anchors.ts'
import { recordAuditJudgement } from '#flows/audit/verify-audit.ts'
import { ADJUSTMENT_CHECKS } from '#flows/books/checks/adjustments.ts'
import { APPROVAL_CHECKS } from '#flows/books/checks/approvals.ts'
import { BULLION_CHECKS } from '#flows/books/checks/bullion.ts'
import { CARD_CHECKS } from '#flows/books/checks/cards.ts'
import { CLOSED_DAY_CHECKS } from '#flows/books/checks/closed-days.ts'
import { CLOSED_MONTH_CHECKS } from '#flows/books/checks/closed-months.ts'
import { readDeclaredGuards } from '#flows/books/checks/declared-guards.ts'
import { DELIVERY_CHECKS } from '#flows/books/checks/deliveries.ts'
import { FIGURE_CHECKS } from '#flows/books/checks/figures.ts'
import { FREEZE_CHECKS } from '#flows/books/checks/freezes.ts'
import { guardChecks, RELEASE_CHECKS } from '#flows/books/checks/guards.ts'
import { HOLDING_CHECKS } from '#flows/books/checks/holdings.ts'
import { KEY_CHECKS } from '#flows/books/checks/keys.ts'
import { NOTICE_CHECKS } from '#flows/books/checks/notices.ts'
import { PAYMENT_CHECKS } from '#flows/books/checks/payments.ts'
import { REFUND_CHECKS } from '#flows/books/checks/refunds.ts'
import { MEMBER_RIGHTS_CHECKS, RIGHTS_CHECKS } from '#flows/books/checks/rights.ts'
import { SAFEGUARD_CHECKS } from '#flows/books/checks/safeguards.ts'
import {
  findForeignKeys,
  findForeignPayouts,
  findForeignPins,
  findForgedCards,
} from '#flows/books/checks/sealed-cards.ts'
import { findForeignCis, findForeignDetails } from '#flows/books/checks/sealed-people.ts'
import { STATEMENT_CHECKS } from '#flows/books/checks/statements.ts'
import { STOP_CHECKS } from '#flows/books/checks/stops.ts'
import { TRADE_CHECKS } from '#flows/books/checks/trades.ts'
import { TRANSFER_CHECKS } from '#flows/books/checks/transfers.ts'
import {
  AUDIT_CHECK,
  type CheckResult,
  judged,
  judgeLog,
  judgeQueries,
  judgeSeals,
  SEAL_CHECK,
  unknown,
} from '#flows/books/judge.ts'
import {
  type Checkpoint,
  isGenuine,
  type StoredVerdict,
  signCheckpoint,
  signVerdict,
  VERDICT_COLUMNS,
} from '#flows/books/since/checkpoint.ts'
import { LEDGER_CHECKS } from '#modules/ledger/checks.ts'
import { MEMBER_CHECKS } from '#modules/members/checks.ts'

// Invariants that span modules are in flows/checks, one file a subject; the others are their module's own.
const CHECKS: Record<string, string> = {
  ...LEDGER_CHECKS,
  ...TRANSFER_CHECKS,
  ...CARD_CHECKS,
  ...BULLION_CHECKS,
  ...CLOSED_DAY_CHECKS,
  ...CLOSED_MONTH_CHECKS,
  ...DELIVERY_CHECKS,
  ...NOTICE_CHECKS,
  ...KEY_CHECKS,
  ...HOLDING_CHECKS,
  ...TRADE_CHECKS,
  ...APPROVAL_CHECKS,
  ...ADJUSTMENT_CHECKS,
  ...FREEZE_CHECKS,
  ...FIGURE_CHECKS,
  ...PAYMENT_CHECKS,
  ...REFUND_CHECKS,
  ...RIGHTS_CHECKS,
  ...MEMBER_RIGHTS_CHECKS,
  ...SAFEGUARD_CHECKS,
  ...STATEMENT_CHECKS,
  ...STOP_CHECKS,
  ...RELEASE_CHECKS,
  ...MEMBER_CHECKS,
}
const DECLARED_CHECK = 'newer_release_is_declared'
// Checks that a query cannot make without the keys.
const SEALED_CHECKS = {
  sealed_pin_is_its_cards: findForeignPins,
  kept_key_answers_for_its_purchase: findForeignKeys,
  card_was_bought_from_the_service: findForgedCards,
  payout_goes_where_the_member_said: findForeignPayouts,
  ci_is_its_members_own: findForeignCis,
  details_are_of_their_account: findForeignDetails,
} as const

interface VerifyOptions {
  onCheck?: (check: string) => void
  // The vault is then for the signature of a newer release only.
  skipSealed?: boolean
  // This check alone. No result: there is none of that name.
  only?: string | undefined
  // The anchors of the audit log. Undefined: the chain is compared with itself only.
  outside?: Outside | undefined
}

// Every check sees the same snapshot, so a purchase that commits during the run cannot look like a mistake. With the
// vault, sealed values are checked too. Each check reads its tables once, so that the time grows with the rows and no faster.
export function verifyBooks(
  database: Database,
  vault?: Vault,
  { onCheck = () => {}, skipSealed = false, only, outside }: VerifyOptions = {},
): Promise<CheckResult[]> {
  return database.withSnapshot(async (tx) => {
    const { definitions, unjudged, undeclared } = await readDeclaredGuards(tx, vault)
    const checks = [
      [DECLARED_CHECK, () => judged(DECLARED_CHECK, undeclared === undefined ? [] : [undeclared])],
      [SEAL_CHECK, () => judgeSeals(tx)],
      ...(vault && !skipSealed ? sealedChecks(tx, vault, outside) : []),
    ] satisfies Check[]
    const isWanted = ([name]: readonly [name: string, check: unknown]) => only === undefined || name === only
    const queries = Object.entries({ ...CHECKS, ...guardChecks(definitions) }).filter(isWanted)
    const results = await judgeQueries(tx, Object.fromEntries(queries), { onCheck, unjudged })
    for (const [name, run] of checks.filter(isWanted)) {
      onCheck(name)
      results.push(unjudged.includes(name) ? unknown(name) : await run())
    }
    return results
  })
}

type Check = [name: string, run: () => Promise<CheckResult> | CheckResult]

const sealedChecks = (tx: Db, vault: Vault, outside: Outside | undefined): Check[] => [
  ...Object.entries(SEALED_CHECKS).map(
    ([name, find]): Check => [name, async () => judged(name, await find(tx, vault))],
  ),
  [AUDIT_CHECK, () => judgeLog(tx, vault, outside)],
]

export interface Verification {
  // The result of the last run; null before the first.
  ok: boolean | null
  // False: it says that all is well, and was not signed with the key ring.
  isSigned: boolean
  brokenChecks: number
  // Since the last run, or since there are books to verify.
  ageSeconds: number
}

// What a run hands on to the next.
export interface Run {
  signer: Pick<Vault, 'fingerprint'>
  seconds: number
  // Undefined: it was a whole one.
  since?: Checkpoint | undefined
}

// Remembered in the database, so that every process tells of it, also after a restart. By real time: a sandbox's clock jumps. A
// good run moves the checkpoint.
export async function recordVerification(
  database: Database,
  results: readonly CheckResult[],
  run: Run,
): Promise<void> {
  const broken = results.filter((result) => result.broken > 0).length
  const checks = results.length
  const ok = broken === 0
  await database.withTransaction(async (tx) => {
    const { rows } = await sql<{ now: Temporal.Instant }>`select now()`.execute(tx)
    const finishedAt = rows[0]!.now
    const checkpoint = ok ? checkpointOf(results, finishedAt, run) : null
    const signature = signVerdict(run.signer, { finishedAt, ok, checks, broken })
    await sql`
      insert into verification as v (finished_at, ok, checks, broken, last_ok_at, signature, checkpoint)
      values (now(), ${ok}, ${checks}, ${broken}, case when ${ok} then now() end, ${signature}, ${checkpoint})
      on conflict (one) do update
         set finished_at = excluded.finished_at, ok = excluded.ok, checks = excluded.checks, broken = excluded.broken,
             last_ok_at = coalesce(excluded.last_ok_at, v.last_ok_at), signature = excluded.signature,
             checkpoint = coalesce(excluded.checkpoint, v.checkpoint)`.execute(tx)
  })
  const audit = results.find((result) => result.audit)?.audit
  if (audit) await recordAuditJudgement(database, audit.sealedTo, audit.finding)
}

function checkpointOf(
  results: readonly CheckResult[],
  finishedAt: Temporal.Instant,
  { signer, seconds, since }: Run,
): string | null {
  const reached = results.find((result) => result.reached)?.reached
  if (!reached) return null
  const at = finishedAt.toString()
  const { wholeAt, wholeSeconds } = since ?? { wholeAt: at, wholeSeconds: Math.round(seconds) }
  return signCheckpoint(signer, { ...reached, at, wholeAt, wholeSeconds })
}

const LAST_RUN = {
  name: 'read_verification',
  text: `select ${VERDICT_COLUMNS},
                extract(epoch from now() - coalesce(v.finished_at, i.created_at))::float8 as "ageSeconds"
           from installation i left join verification v on true`,
}

type LastRun = { ageSeconds: number } & (StoredVerdict | { [Column in keyof StoredVerdict]: null })

// A good result that was not signed is none. Without a signer it is believed: there is no key ring to ask.
export async function readVerification(
  database: Reader,
  signer: Pick<Vault, 'fingerprint'> | undefined,
): Promise<Verification | undefined> {
  const [row] = await database.read<LastRun>(LAST_RUN, [])
  if (!row) return undefined
  const { ageSeconds } = row
  if (row.ok === null) return { ok: null, isSigned: true, brokenChecks: 0, ageSeconds }
  const isSigned = signer === undefined || isGenuine(signer, row)
  return { ok: row.ok && isSigned, isSigned, brokenChecks: row.broken, ageSeconds }
}
