import type { AgreedVersions, LegalKind, LegalTexts, LegalVersion, Operator } from './types.ts'

const WEIGHTS = [1, 3, 7, 1, 3, 7, 1, 3, 5]

// A business registration number: ten digits, the last of which follows from the others.
export function isBusinessNumber(text: string): boolean {
  const digits = [...text.replaceAll('-', '')].map(Number)
  if (!/^\d{3}-?\d{2}-?\d{5}$/.test(text)) return false
  const sum = WEIGHTS.reduce(
    (total, weight, i) => total + weight * digits[i]!,
    Math.floor((digits[8]! * 5) / 10),
  )
  return (10 - (sum % 10)) % 10 === digits[9]
}

// The newest that is in force; before the first day of the first one, that one.
export function versionInForce(versions: readonly LegalVersion[], today: string): LegalVersion {
  return versions.findLast(({ version }) => version <= today) ?? versions[0]!
}

export function versionsInForce(texts: LegalTexts, today: string): AgreedVersions {
  const of = (kind: LegalKind) => versionInForce(texts[kind], today).version
  return { terms: of('terms'), privacy: of('privacy') }
}

const PLACEHOLDER = /\{\{(\w+)\}\}/g

// Placeholders of a text that name nothing: {{name}} and the others are the operator's details.
export function unknownPlaceholders(text: string, known: readonly string[]): string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([, name]) => name!).filter((name) => !known.includes(name))
}

export function fill(text: string, operator: Operator): string {
  return text.replace(PLACEHOLDER, (_, name: keyof Operator) => operator[name] ?? '')
}

export type Block =
  | { kind: 'title' | 'heading' | 'paragraph'; text: string }
  | { kind: 'list'; items: string[] }

// The parts of a text: `# title`, `## heading`, lists of `- ` lines, and paragraphs between blank lines.
export function blocksOf(text: string): Block[] {
  return text
    .replaceAll('\r\n', '\n')
    .trim()
    .split(/\n{2,}/)
    .map((part): Block => {
      if (part.startsWith('# ')) return { kind: 'title', text: part.slice(2) }
      if (part.startsWith('## ')) return { kind: 'heading', text: part.slice(3) }
      if (part.startsWith('- ')) return { kind: 'list', items: part.slice(2).split(/\n- /) }
      return { kind: 'paragraph', text: part }
    })
}
