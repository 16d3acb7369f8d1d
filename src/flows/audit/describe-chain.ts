import type { Db } from '#base/db/db.ts'
import { type KnownAnchor, listKnownAnchors, readJudgement } from '#modules/audit/anchors.ts'
import { type ChainState, readChainState } from '#modules/audit/chain.ts'
import type { Finding } from '#modules/audit/findings.ts'

export interface ChainDescription extends ChainState {
  // Newest first.
  anchors: KnownAnchor[]
  // The last verification, or an anchor that the worker found broken since.
  judged: { at: Temporal.Instant; sealedTo: bigint; finding: Finding | null } | null
}

export async function describeChain(db: Db): Promise<ChainDescription> {
  const state = await readChainState(db)
  const judgement = await readJudgement(db)
  return {
    ...state,
    anchors: await listKnownAnchors(db),
    judged: judgement
      ? {
          at: judgement.judgedAt,
          sealedTo: judgement.sealedTo,
          finding: judgement.finding === null ? null : (JSON.parse(judgement.finding) as Finding),
        }
      : null,
  }
}
