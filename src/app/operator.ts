import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BadSetting, type Config } from '#app/settings/config.ts'
import { OPERATOR_FIELDS } from '#app/settings/operator.ts'
import { ROOT } from '#base/root.ts'
import { blocksOf, unknownPlaceholders } from '#modules/operator/rules.ts'
import type { LegalKind, LegalTexts, LegalVersion } from '#modules/operator/types.ts'

const OURS = fileURLToPath(new URL('contract/legal/', ROOT))
// The day in the name is the version that members agree to. A misspelt file must not be skipped in silence.
const FILE = /^(terms|privacy)\.(\d{4}-\d{2}-\d{2})\.(ko|en)\.md$/
const MISSING = 'is required in live mode: pages have to say who runs the service'
// Texts are kept in memory and sent whole. Larger ones are most likely another file.
const MOST_BYTES = 200_000

// Refuses to serve in live before everything that pages have to say is known.
export function requireOperator({ mode, operator }: Config): void {
  const [first, ...others] = operator.missing
  if (mode === 'sandbox' || first === undefined) return
  throw new BadSetting(
    first,
    MISSING,
    others.map((name) => ({ name, why: MISSING })),
  )
}

// The terms that the pages show: the operator's own, or ours with the operator's details.
export function readLegalTexts({ operator: { termsDir } }: Config): LegalTexts {
  try {
    return readFolder(termsDir ?? OURS)
  } catch (error) {
    const why = error instanceof BadText ? error.message : 'cannot be read'
    throw new BadSetting('OPERATOR_TERMS_DIR', why)
  }
}

class BadText extends Error {}

function readFolder(folder: string): LegalTexts {
  const names = readdirSync(folder).filter((name) => !name.startsWith('.'))
  for (const name of names) {
    if (!FILE.test(name)) {
      throw new BadText(
        `has ${name}: files are named terms or privacy, a day and a language: terms.2026-11-16.ko.md`,
      )
    }
  }
  const of = (kind: LegalKind) => versionsIn(folder, names, kind)
  return { terms: of('terms'), privacy: of('privacy') }
}

function versionsIn(folder: string, names: readonly string[], kind: LegalKind): LegalVersion[] {
  const days = new Set(names.flatMap((name) => (name.startsWith(`${kind}.`) ? FILE.exec(name)![2]! : [])))
  for (const day of days) {
    if (!names.includes(`${kind}.${day}.ko.md`)) throw new BadText(`has no ${kind}.${day}.ko.md`)
  }
  const versions = [...days].sort().map((version) => ({
    version,
    texts: {
      ko: readText(folder, `${kind}.${version}.ko.md`),
      en: names.includes(`${kind}.${version}.en.md`)
        ? readText(folder, `${kind}.${version}.en.md`)
        : undefined,
    },
  }))
  if (versions.length === 0) throw new BadText(`has no ${kind}`)
  if (versions.at(-1)?.texts.en === undefined)
    throw new BadText(`has no English ${kind} of the newest version`)
  return versions
}

function readText(folder: string, name: string): string {
  if (!isDay(FILE.exec(name)![2]!)) throw new BadText(`has ${name}: there is no such day`)
  const bytes = readFileSync(join(folder, name))
  const text = bytes.toString('utf8')
  if (bytes.length > MOST_BYTES) throw new BadText(`has ${name}: more than ${MOST_BYTES} bytes`)
  // Read leniently, a wrong byte becomes a replacement character in a text that people agree to.
  if (!Buffer.from(text).equals(bytes)) throw new BadText(`has ${name}: not UTF-8`)
  if (blocksOf(text)[0]?.kind !== 'title')
    throw new BadText(`has ${name}: it does not begin with "# " and a title`)
  const [unknown] = unknownPlaceholders(text, OPERATOR_FIELDS)
  if (unknown !== undefined) throw new BadText(`has ${name}: there is no {{${unknown}}}`)
  return text
}

function isDay(text: string): boolean {
  try {
    Temporal.PlainDate.from(text)
    return true
  } catch {
    return false
  }
}
