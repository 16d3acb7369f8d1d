import { assert } from '#base/assert.ts'
import type { Vault } from '#base/crypto/vault.ts'
import type { Tx } from '#base/db/db.ts'
import { newId } from '#base/ids.ts'
import type { WorkQueue } from '#base/queues/work-queue.ts'
import type { Guard, Limited } from '#flows/guesses/guard-guesses.ts'
import { confirmReplay } from '#flows/kit/confirm-replay.ts'
import { type VaultDeps, withVault } from '#flows/kit/with-vault.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { newCheckCode, newStatementNumber, parseCheck } from '#modules/statements/check-code.ts'
import {
  countRecent,
  findEarlierRequest,
  findNumbered,
  findPrinted,
  insertStatement,
} from '#modules/statements/store.ts'
import type { IssuedStatement, StatementFigures } from '#modules/statements/types.ts'

interface IssueCommand {
  holderId: string
  accountId: string
  // The caller's: the same again is the same statement.
  requestId: string
  name: string
  maskedName: string
  // Whether the paper has the whole name. That needs an identity that was just verified.
  isFullName: boolean
  figures: StatementFigures
}

type IssueOutcome =
  | { kind: 'issued' | 'again'; statement: IssuedStatement }
  | { kind: 'refused'; reason: 'conflict' | 'too_many' }

export interface Statements {
  issue(command: IssueCommand): Promise<IssueOutcome>
  // The member's own, by its number.
  find(holderId: string, number: string): Promise<IssuedStatement | undefined>
  // For every person who has the paper.
  check(
    typed: Typed,
  ): Promise<{ kind: 'genuine'; statement: IssuedStatement } | { kind: 'unknown' } | Limited>
}

interface Typed {
  number: string
  code: string
  address: string | undefined
}

type Deps = VaultDeps & { guard: Guard; queue: WorkQueue }

const UNKNOWN = { kind: 'unknown' } as const
// Some 60 kB each at most, kept for five years. Two at once may pass it by one.
const A_DAY = 20
const NUMBER_TRIES = 3

// An issued statement is frozen: later movements and corrections do not change it.
export function createStatements({ guard, queue, ...deps }: Deps): Statements {
  return {
    issue: (command) => withVault(deps, (tx, vault) => issue(tx, vault, command)),
    find: (holderId, number) => findNumbered(deps.database.db, deps.keys.vault(), { holderId, number }),
    check: ({ address, ...typed }) =>
      guard.attempt(
        'statement',
        { account: undefined, address },
        async () => {
          const parsed = parseCheck(typed)
          if (!parsed) return UNKNOWN
          const find = () => findPrinted(deps.database.db, deps.keys.vault(), parsed)
          const statement = await queue('statement', find)
          return statement ? { kind: 'genuine', statement } : UNKNOWN
        },
        ({ kind }) => kind === 'unknown',
      ),
  }
}

// Killed before the commit, nothing was issued; after it, the same request gets the same statement.
async function issue(tx: Tx, vault: Vault, command: IssueCommand): Promise<IssueOutcome> {
  const { holderId, accountId, requestId, name, maskedName, isFullName, figures } = command
  const before = await findEarlierRequest(tx, vault, command)
  if (before) return again(tx, before, command)
  if ((await countRecent(tx, holderId)) >= A_DAY) return { kind: 'refused', reason: 'too_many' }
  for (let tries = 1; tries <= NUMBER_TRIES; tries += 1) {
    const number = newStatementNumber()
    const said = {
      code: newCheckCode(),
      name: isFullName ? name : maskedName,
      maskedName,
      isFullName,
      figures,
    }
    const id = newId<'statement'>()
    const statement = await insertStatement(tx, vault, {
      id,
      holderId,
      requestId,
      statement: { number, ...said },
    })
    if (statement) {
      const details = { number, fullName: isFullName, from: figures.from, to: figures.to }
      await insertAuditEntry(tx, { actor: 'member', action: 'statement.issue', subject: accountId, details })
      return { kind: 'issued', statement }
    }
    // The same request, at the same moment; or a number that was drawn before.
    const other = await findEarlierRequest(tx, vault, command)
    if (other) return again(tx, other, command)
  }
  assert(false, 'twelve random digits are not drawn twice three times')
}

async function again(
  tx: Tx,
  statement: IssuedStatement,
  { isFullName, figures: { from, to } }: IssueCommand,
): Promise<IssueOutcome> {
  const { figures } = statement
  const isSame = statement.isFullName === isFullName && figures.from === from && figures.to === to
  if (!isSame) return { kind: 'refused', reason: 'conflict' }
  await confirmReplay(tx)
  return { kind: 'again', statement }
}
