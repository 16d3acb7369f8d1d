import { refusals } from '#edge/http/error-answers.ts'
import { ApiError } from '#edge/http/errors.ts'
import { jsonBody } from '#edge/http/json-body.ts'
import type { Server } from '#edge/http/types.ts'
import type { ChainDescription } from '#flows/audit/describe-chain.ts'
import type { EraseRefusal } from '#flows/audit/erase-private.ts'
import type { RevealRefusal } from '#flows/audit/reveal-entry.ts'
import type { ListedEntry } from '#modules/audit/list.ts'
import type { ShownPrivate } from '#modules/audit/types.ts'
import { type ConsoleAccess, staffOf } from './access.ts'
import {
  ChainAnswer,
  chainJson,
  EntryAnswer,
  ErasedAnswer,
  entryJson,
  entryParams,
  PrivateAnswer,
  privateJson,
  ReasonBody,
} from './audit-schemas.ts'
import { STAFF_BODY, STAFF_ONLY } from './refusal-lists.ts'

const tags = ['Audit']

const SCHEMAS = {
  chain: {
    operationId: 'auditChain',
    summary: 'How far the audit log is sealed, anchored and verified',
    tags,
    response: { 200: ChainAnswer, ...refusals(...STAFF_ONLY) },
  },
  entry: {
    operationId: 'auditEntry',
    summary: 'One entry of the audit log',
    description: 'What a person typed and where the act came from stay sealed.',
    tags,
    params: entryParams,
    response: { 200: EntryAnswer, ...refusals('not_found', ...STAFF_ONLY) },
  },
  reveal: {
    operationId: 'revealAuditEntry',
    summary: 'Open what a person typed into an entry, and where the act came from',
    description: 'Goes into the audit log before it is shown.',
    tags,
    params: entryParams,
    body: ReasonBody,
    response: { 200: PrivateAnswer, ...refusals('not_found', ...STAFF_BODY) },
  },
  erase: {
    operationId: 'eraseAuditEntry',
    summary: 'Erase what a person typed into an entry, and where the act came from',
    description:
      'For good. The entry, its hash and its position stay, and an entry of its own says who erased it.',
    tags,
    params: entryParams,
    body: ReasonBody,
    response: {
      200: ErasedAnswer,
      ...refusals('not_found', 'conflict', 'proof_required', ...STAFF_BODY),
    },
  },
} as const

interface Act {
  entry: bigint
  reason: string
  actor: string
}

export interface AuditDeps {
  audit: {
    describe(): Promise<ChainDescription>
    find(id: bigint): Promise<ListedEntry | undefined>
    reveal(act: Act): Promise<{ kind: 'done'; private: ShownPrivate } | RevealRefusal>
    erase(act: Act): Promise<{ kind: 'done' } | EraseRefusal>
  }
}

// Opening the words takes a permission of its own: what a person typed may name someone.
export function registerAudit(scope: Server, { audit }: AuditDeps, access: ConsoleAccess): void {
  const read = access.may('audit.read', 'operator')
  scope.get('/audit/chain', { ...read, schema: SCHEMAS.chain }, async () => chainJson(await audit.describe()))
  scope.get('/audit/entries/:entryId', { ...read, schema: SCHEMAS.entry }, async (request) => {
    const entry = await audit.find(BigInt(request.params.entryId))
    if (!entry) throw new ApiError('not_found')
    return entryJson(entry)
  })
  const act = (request: { params: { entryId: string }; body: { reason: string } }, actor: string): Act => ({
    entry: BigInt(request.params.entryId),
    reason: request.body.reason,
    actor,
  })
  scope.post(
    '/audit/entries/:entryId/reveal',
    { ...access.may('audit.reveal', 'operator'), schema: SCHEMAS.reveal, ...jsonBody },
    async (request) => {
      // The flow writes its entry first. Whoever opens the words is in the log before seeing them.
      const outcome = await audit.reveal(act(request, staffOf(request).actor))
      if (outcome.kind === 'refused') throw new ApiError('not_found')
      return privateJson(outcome.private)
    },
  )
  scope.post(
    '/audit/entries/:entryId/erase',
    // Erased words cannot be brought back, so this takes a fresh proof.
    { ...access.mayWithProof('audit.erase', 'operator'), schema: SCHEMAS.erase, ...jsonBody },
    async (request) => {
      const outcome = await audit.erase(act(request, staffOf(request).actor))
      if (outcome.kind === 'done') return { erased: true }
      throw new ApiError(outcome.reason === 'entry_not_found' ? 'not_found' : 'conflict')
    },
  )
}
