import type { Vault } from '#base/crypto/vault.ts'
import type { ChainWalk } from '#flows/audit/walk-chain.ts'
import { type AnchorPlace, isSigned, type KnownAnchor } from '#modules/audit/anchors.ts'
import type { Finding } from '#modules/audit/findings.ts'
import type { Anchor } from '#modules/audit/types.ts'
import type { Restoration } from '#modules/restorations/types.ts'

// What is known of the chain outside the database. `anchors`: undefined if there is no file.
export interface Outside {
  place: AnchorPlace
  anchors: readonly Anchor[] | undefined
}

interface Known {
  // What the database says of the files.
  places: readonly KnownAnchor[]
  // Those whose signature is right: a row that someone planted explains nothing.
  restorations: readonly Restoration[]
}

export interface AnchorVerdict {
  findings: Finding[]
  // Anchors of a time that a restore has undone.
  explained: number
  // How far the chain is as it was anchored.
  goodTo: bigint
}

export function judgeAnchors(
  vault: Pick<Vault, 'fingerprint'>,
  outside: Outside,
  { head, hashes }: Pick<ChainWalk, 'head' | 'hashes'>,
  { places, restorations }: Known,
  // Only this one, between two whole verifications.
  only?: Anchor | undefined,
): AnchorVerdict {
  const findings: Finding[] = []
  const lost = judgeFile(outside, places, restorations)
  if (lost) findings.push(lost)
  const all = outside.anchors ?? []
  const forged = all.find((anchor) => !isSigned(vault, anchor))
  if (forged)
    findings.push({ kind: 'anchor_forged', position: String(forged.position), at: String(forged.at) })
  const signed = only ? [only] : all.filter((anchor) => isSigned(vault, anchor))
  const isGood = (anchor: Anchor) => hashes.get(anchor.position)?.equals(anchor.hash) ?? false
  const goodTo = signed.filter(isGood).reduce((most, { position }) => (position > most ? position : most), 0n)
  const wrong = signed.filter((anchor) => !isGood(anchor))
  const open = wrong
    .filter(({ at }) => !restorations.some((one) => isUndone(one, at)))
    .sort((a, b) => (a.position < b.position ? -1 : 1))
  const [first] = open
  if (first) {
    const goodBefore = signed
      .filter((anchor) => isGood(anchor) && anchor.position < first.position)
      .reduce((most, { position }) => (position > most ? position : most), 0n)
    findings.push({
      kind: first.position > head.position ? 'chain_cut_off' : 'chain_rewritten',
      position: String(first.position),
      goodTo: String(first.position > head.position ? head.position : goodBefore),
      at: String(first.at),
    })
  }
  return { findings, explained: wrong.length - open.length, goodTo }
}

// Anchored between the moment that a restore went back to and the restore itself.
function isUndone({ certainUntil, recordedAt }: Restoration, at: Temporal.Instant): boolean {
  return Temporal.Instant.compare(at, certainUntil) > 0 && Temporal.Instant.compare(at, recordedAt) <= 0
}

// The database remembers where this folder's file begins and ends. A folder that it does not know has no file yet: it is new,
// or was copied or moved. A restore explains a file that is not there.
function judgeFile(
  { place, anchors }: Outside,
  places: readonly KnownAnchor[],
  restorations: readonly Restoration[],
): Finding | undefined {
  const known = places.find(({ host, folder }) => host === place.host && folder === place.folder)
  if (!known) return undefined
  const positions = (anchors ?? []).map(({ position }) => position)
  const isWhole = positions.includes(known.firstPosition) && positions.includes(known.position)
  if (isWhole) return undefined
  if (restorations.some(({ recordedAt }) => Temporal.Instant.compare(known.anchoredAt, recordedAt) <= 0))
    return undefined
  return { kind: 'anchors_missing', position: String(known.position), at: String(known.anchoredAt) }
}
