import { resolve } from 'node:path'
import { anchorPath, anchorPlace, appendAnchor, outsideOf, readAnchors } from '#app/audit/anchor-file.ts'
import { anchorOnce } from '#app/audit/keep-sealed.ts'
import { type Command, type CommandContext, readReason, text } from '#app/command.ts'
import { entryJson, entryText } from '#app/commands/audit.ts'
import { orRefuse, Refused } from '#app/refused.ts'
import { UsageError } from '#app/usage-error.ts'
import { areWritesStopped } from '#base/db/errors.ts'
import { beginAnchors } from '#flows/audit/anchor-chain.ts'
import { type EraseRefusal, eraseEntry } from '#flows/audit/erase-private.ts'
import { type AuditVerdict, recordAuditJudgement, verifyAudit } from '#flows/audit/verify-audit.ts'
import { findingText } from '#modules/audit/findings.ts'
import { findEntry } from '#modules/audit/list.ts'

const SHOWN_MS = 2_000

export const auditVerify: Command = {
  usage:
    'audit verify [--anchor FILE]\n' +
    'Without --anchor the file of this DATA_DIR is used. FILE is such a file, or a log that has audit.anchor lines.',
  summary: 'check the chain of the audit log against itself and its anchors; exit 0 only if it is whole',
  positionals: [],
  options: { anchor: { type: 'string' } },
  async run({ runtime, options }) {
    const { database, keys, config } = runtime
    const file = text(options, 'anchor')
    const outside = file === undefined ? outsideOf(config.dataDir) : foreignAnchors(file)
    let shownAt = performance.now()
    const verdict = await verifyAudit(database, keys.vault(), {
      outside,
      onProgress(position) {
        if (performance.now() - shownAt < SHOWN_MS) return
        shownAt = performance.now()
        process.stderr.write(`position ${position.toLocaleString('en-US')}\n`)
      },
    })
    const { sealedTo, findings } = verdict
    // Anchors that were handed in are an auditor's question: the alarm is about this server's own.
    if (file === undefined)
      await recordAuditJudgement(database, String(sealedTo), findings[0] ?? null).catch(passStopped)
    return {
      json: toJson(verdict),
      text: toText(verdict, file ?? config.dataDir),
      failed: findings.length > 0,
    }
  },
}

// The place is none that the database knows, so nothing is said about a file that is missing there.
function foreignAnchors(file: string) {
  const anchors = readAnchors(resolve(file))
  if (!anchors) throw new Refused(`${file} is not there`)
  if (anchors.length === 0) throw new Refused(`${file} has no anchor: lines hold audit-anchor and five words`)
  return { place: { host: '', folder: '' }, anchors }
}

function passStopped(error: unknown): void {
  if (!areWritesStopped(error)) throw error
}

function toJson({ sealedTo, findings, anchors }: AuditVerdict) {
  return {
    ok: findings.length === 0,
    sealedTo: Number(sealedTo),
    findings,
    anchors: anchors && { ...anchors, goodTo: Number(anchors.goodTo) },
  }
}

function toText({ sealedTo, findings, anchors }: AuditVerdict, where: string): string {
  return [
    ...findings.map((finding, i) => `${i === 0 ? 'BROKEN' : 'also  '}  ${findingText(finding)}`),
    ...(findings.length === 0 ? [`ok      ${sealedTo} entries are as they were sealed`] : []),
    anchors
      ? `${findings.length === 0 ? 'ok    ' : 'note  '}  ${anchors.count} anchors; the chain is as anchored up to position ${anchors.goodTo}`
      : `note    no anchor in ${where}: only the database itself vouches for the chain. --anchor FILE takes a shipped log`,
    ...(anchors && anchors.explained > 0
      ? [
          `note    ${anchors.explained} anchors are of a time that a recorded restore has undone (ingot restored report)`,
        ]
      : []),
  ].join('\n')
}

export const auditAnchor: Command = {
  usage:
    'audit anchor [--begin --reason TEXT]\n' +
    'With --begin the file of this DATA_DIR begins anew: the one before was lost, and you know why.',
  summary: 'write the head of the audit chain to the file of anchors now',
  positionals: [],
  options: { begin: { type: 'boolean' }, reason: { type: 'string' } },
  async run(context) {
    const { database, keys, config } = context.runtime
    if (context.options.begin !== true) {
      const { line, finding } = await anchorOnce({ database, keys, config }, { entries: 1, minutes: 0 })
      const news = line === undefined ? 'nothing new is sealed: the last anchor stands' : line
      const says = finding ? `BROKEN  ${findingText(finding)}\n${news}` : news
      return {
        json: { line: line ?? null, finding: finding ?? null },
        text: says,
        failed: finding !== undefined,
      }
    }
    const { line } = orRefuse(
      await beginAnchors(
        {
          database,
          vault: keys.vault(),
          outside: { place: anchorPlace(config.dataDir), anchors: undefined },
          keep: (made) => appendAnchor(config.dataDir, made),
        },
        { reason: readReason(context), actor: context.actor },
      ),
      () => 'nothing is sealed yet: the worker does that',
    )
    return { json: { line }, text: `${anchorPath(config.dataDir)} begins here:\n${line}` }
  },
}

export const auditShow: Command = {
  usage: 'audit show NUMBER',
  summary: 'show one entry: who, when, from where, why, before and after',
  positionals: ['number'],
  options: {},
  async run(context) {
    const entry = await readEntry(context)
    return { json: entryJson(entry), text: entryText(entry) }
  },
}

async function readEntry({ runtime, args }: CommandContext) {
  if (!/^\d{1,18}$/.test(args.number!))
    throw new UsageError('NUMBER is the number of an entry: ingot audit list')
  const entry = await findEntry(runtime.database.db, BigInt(args.number!), runtime.keys.vault())
  if (!entry) throw new Refused(`there is no entry ${args.number}`)
  return entry
}

function eraseWords({ reason }: EraseRefusal): string {
  return reason === 'entry_not_found' ? 'there is no such entry' : 'nothing is left to erase in this entry'
}

export const auditErase: Command = {
  usage:
    'audit erase NUMBER [--reason TEXT]\n' +
    'Without --reason it shows what would be erased. The entry, its hash and its position stay.',
  summary: 'erase for good what a person typed into an entry, and where the act came from',
  positionals: ['number'],
  options: { reason: { type: 'string' } },
  async run(context) {
    const entry = await readEntry(context)
    if (context.options.reason === undefined) {
      const next = `nothing was changed. To erase reason and origin for good: ingot audit erase ${entry.id} --reason TEXT`
      return { json: { ...entryJson(entry), erased: false }, text: `${entryText(entry)}\n\n${next}` }
    }
    const command = { entry: entry.id, reason: readReason(context), actor: context.actor }
    orRefuse(await eraseEntry(context.runtime.database, command), eraseWords)
    return {
      json: { id: Number(entry.id), erased: true },
      text: `entry ${entry.id}: reason and origin are erased. A new entry says so`,
    }
  },
}
