import { sql } from 'kysely'
import type { Vault } from '#base/crypto/vault.ts'
import type { Database, Db } from '#base/db/db.ts'
import { judgeAnchors, type Outside } from '#flows/audit/judge-anchors.ts'
import { recordAuditJudgement } from '#flows/audit/verify-audit.ts'
import { type Refusal, refused } from '#flows/kit/outcome.ts'
import { anchorLine, isSigned, listKnownAnchors, recordAnchor } from '#modules/audit/anchors.ts'
import { readHead } from '#modules/audit/chain.ts'
import type { Finding } from '#modules/audit/findings.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import type { Anchor } from '#modules/audit/types.ts'
import { isRestorationSigned } from '#modules/restorations/rules.ts'
import { listRestorations } from '#modules/restorations/store.ts'

export interface AnchorDeps {
  database: Database
  vault: Pick<Vault, 'fingerprint'>
  outside: Outside
  // Puts a line where the database cannot reach it. Returns when it is there to stay.
  keep(line: string): void
}

// How much news makes an anchor due. Zero: any.
export interface AnchorPace {
  entries: number
  minutes: number
}

export interface Anchored {
  // Undefined: there was no news, or not enough.
  line: string | undefined
  // What the last anchor of this place found wrong.
  finding: Finding | undefined
}

// Compares the last anchor of this place with the chain, and adds one if it is due. The line is kept before the database hears
// of it: killed in between, the file is ahead, which is no harm.
export async function anchorChain(deps: AnchorDeps, pace: AnchorPace): Promise<Anchored> {
  const { database, vault, outside, keep } = deps
  const last = outside.anchors?.findLast((anchor) => isSigned(vault, anchor))
  const finding = await judgeLast(database.db, deps, last)
  const { now, head } = await readNow(database.db)
  if (finding) await recordAuditJudgement(database, String(head.position), finding)
  if (head.position === 0n || last?.hash.equals(head.hash)) return { line: undefined, finding }
  if (last && !isDue(pace, { position: head.position, at: now }, last)) return { line: undefined, finding }
  const line = anchorLine(vault, { ...head, at: now })
  keep(line)
  const beginsAnew = last === undefined && finding === undefined
  await database.withTransaction((tx) => recordAnchor(tx, outside.place, { ...head, at: now }, beginsAnew))
  return { line, finding }
}

function isDue(
  { entries, minutes }: AnchorPace,
  now: Pick<Anchor, 'position' | 'at'>,
  last: Pick<Anchor, 'position' | 'at'>,
): boolean {
  if (now.position - last.position >= BigInt(entries) || now.position < last.position) return true
  // Below zero: the machine's clock was ahead at the last anchor.
  const passed = last.at.until(now.at).total('minutes')
  return passed < 0 || passed >= minutes
}

async function readNow(db: Db) {
  const head = await readHead(db)
  const { rows } = await sql<{ now: Temporal.Instant }>`select clock_timestamp() as now`.execute(db)
  return { head, now: rows[0]!.now }
}

async function judgeLast(
  db: Db,
  { vault, outside }: AnchorDeps,
  last: Anchor | undefined,
): Promise<Finding | undefined> {
  const { rows } = await sql<{ hash: Buffer }>`
    select hash from audit_chain where position = ${last?.position ?? 0n}`.execute(db)
  const hashes = new Map(rows.map(({ hash }) => [last!.position, hash]))
  const restorations = (await listRestorations(db)).filter((one) => isRestorationSigned(vault, one))
  const known = { places: await listKnownAnchors(db), restorations }
  const { findings } = judgeAnchors(vault, outside, { head: await readHead(db), hashes }, known, last)
  return findings[0]
}

export type BeginRefusal = Refusal<'nothing_sealed'>

// A person says that the anchors of this folder begin here: the file before was lost, and that is known.
export async function beginAnchors(
  { database, vault, outside, keep }: AnchorDeps,
  { reason, actor }: { reason: string; actor: string },
): Promise<{ kind: 'done'; line: string } | BeginRefusal> {
  const { now, head } = await readNow(database.db)
  if (head.position === 0n) return refused('nothing_sealed')
  const line = anchorLine(vault, { ...head, at: now })
  keep(line)
  await database.withTransaction(async (tx) => {
    const before = (await listKnownAnchors(tx)).find(
      ({ host, folder }) => host === outside.place.host && folder === outside.place.folder,
    )
    await recordAnchor(tx, outside.place, { ...head, at: now }, true)
    await insertAuditEntry(tx, {
      actor,
      action: 'audit.begin_anchors',
      subject: 'audit',
      details: { ...outside.place, reason },
      before: { firstPosition: before ? String(before.firstPosition) : null },
      after: { firstPosition: String(head.position) },
    })
  })
  return { kind: 'done', line }
}
