import type { Vault } from '#base/crypto/vault.ts'
import type { Database } from '#base/db/db.ts'
import type { Outside } from '#flows/audit/judge-anchors.ts'
import { APPROVAL_CHECKS } from '#flows/books/checks/approvals.ts'
import { CLOSED_DAY_CHECKS } from '#flows/books/checks/closed-days.ts'
import { CLOSED_MONTH_CHECKS } from '#flows/books/checks/closed-months.ts'
import { readDeclaredGuards } from '#flows/books/checks/declared-guards.ts'
import { guardChecks, RELEASE_CHECKS } from '#flows/books/checks/guards.ts'
import { PAYMENT_CHECKS } from '#flows/books/checks/payments.ts'
import { REFUND_CHECKS } from '#flows/books/checks/refunds.ts'
import { RIGHTS_CHECKS } from '#flows/books/checks/rights.ts'
import { findForeignPayouts, findForgedCards } from '#flows/books/checks/sealed-cards.ts'
import { STOP_CHECKS } from '#flows/books/checks/stops.ts'
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
import type { Checkpoint } from '#flows/books/since/checkpoint.ts'
import { freshChecks } from '#flows/books/since/fresh-checks.ts'
import { LEDGER_CHECKS } from '#modules/ledger/checks.ts'

const { closed_day_is_of_its_transfers: _transfers, ...CLOSED_DAYS } = CLOSED_DAY_CHECKS
const { agreed_void_is_there: _cards, ...APPROVALS } = APPROVAL_CHECKS

// Of tables that do not grow with transfers, so they are judged as a whole.
const SMALL: Record<string, string> = {
  books_balance_per_asset: LEDGER_CHECKS.books_balance_per_asset,
  no_balance_below_its_floor: LEDGER_CHECKS.no_balance_below_its_floor,
  ...CLOSED_DAYS,
  ...CLOSED_MONTH_CHECKS,
  ...APPROVALS,
  payment_took_two_people: PAYMENT_CHECKS.payment_took_two_people,
  agreed_payment_is_there: PAYMENT_CHECKS.agreed_payment_is_there,
  refund_policy_was_released_or_agreed: REFUND_CHECKS.refund_policy_was_released_or_agreed,
  agreed_policy_is_there: REFUND_CHECKS.agreed_policy_is_there,
  ...RIGHTS_CHECKS,
  ...STOP_CHECKS,
  ...RELEASE_CHECKS,
}

interface SinceOptions {
  onCheck?: (check: string) => void
  outside?: Outside | undefined
}

// What has happened since the checkpoint, in one snapshot. Its time grows with the news and the accounts, not with the history.
// docs/books.md says what only a whole run finds.
export function verifySince(
  database: Database,
  vault: Vault,
  checkpoint: Checkpoint,
  { onCheck = () => {}, outside }: SinceOptions = {},
): Promise<CheckResult[]> {
  return database.withSnapshot(async (tx) => {
    const { definitions, unjudged } = await readDeclaredGuards(tx, vault)
    const fresh = freshChecks(checkpoint.head.throughId, checkpoint)
    const queries = { ...fresh, ...SMALL, ...guardChecks(definitions) }
    const results = await judgeQueries(tx, queries, { onCheck, unjudged })
    const add = async (check: string, look: () => Promise<CheckResult>) => {
      onCheck(check)
      results.push(unjudged.includes(check) ? unknown(check) : await look())
    }
    for (const [check, find] of [
      ['card_was_bought_from_the_service', () => findForgedCards(tx, vault, checkpoint.head.throughId)],
      ['payout_goes_where_the_member_said', () => findForeignPayouts(tx, vault)],
    ] as const)
      await add(check, async () => judged(check, await find()))
    await add(SEAL_CHECK, () => judgeSeals(tx, checkpoint.head))
    await add(AUDIT_CHECK, () => judgeLog(tx, vault, outside))
    return results
  })
}

const SHORT_SECONDS = 900 // a whole run of this length is made every night
const WHOLE_EVERY_DAYS = 7

// Every night a whole run, as long as that is short. Where it is long: once a week, and what is new on the other nights.
export function isWholeDue(checkpoint: Checkpoint | string, now: Temporal.Instant): boolean {
  if (typeof checkpoint === 'string' || checkpoint.wholeSeconds <= SHORT_SECONDS) return true
  return Temporal.Instant.from(checkpoint.wholeAt).until(now).total('days') >= WHOLE_EVERY_DAYS
}
