import { assert } from '#base/assert.ts'
import type { MessageText } from './text.ts'
import { MESSAGE_LANGUAGES, MESSAGE_PURPOSES, type MessageLanguage, type MessagePurpose } from './types.ts'
import { VERSION_1 } from './version-1.ts'
import { VERSION_2 } from './version-2.ts'

// Every figure is a variable, so that another refund policy needs no new approval.
const VARIABLES = [
  '보낸이',
  'PIN번호',
  '금액',
  '구매일',
  '유효기간',
  '등록주소',
  '등록링크',
  '취소일수',
  '환불년수',
  '기준금액',
  '소액환불률',
  '고액환불률',
  '포인트환불률',
  '문의처',
] as const
export type Variable = (typeof VARIABLES)[number]

type Texts = Partial<Record<MessagePurpose, Record<MessageLanguage, MessageText>>>

// Oldest first. Kakao approves a text word for word, so a changed text is a new version. The old one stays here for as
// long as an operator may have only that one registered. A released version never changes.
const VERSIONS: readonly Texts[] = [VERSION_1, VERSION_2]

export interface Template extends MessageText {
  name: string
  purpose: MessagePurpose
  language: MessageLanguage
  // From 1.
  version: number
  // The text that the operator registers with Kakao, word for word.
  text: string
  variables: readonly Variable[]
}

// By purpose and language, each with its newest version first.
export const TEMPLATES: readonly Template[] = MESSAGE_PURPOSES.flatMap((purpose) =>
  MESSAGE_LANGUAGES.flatMap((language) =>
    VERSIONS.flatMap((texts, i) => templateFrom(purpose, language, i + 1, texts) ?? []).reverse(),
  ),
)

function templateFrom(
  purpose: MessagePurpose,
  language: MessageLanguage,
  version: number,
  texts: Texts,
): Template | undefined {
  const words = texts[purpose]?.[language]
  if (!words) return undefined
  const text = `[${words.title}]\n\n${words.body}`
  const variables = VARIABLES.filter((name) => text.includes(`#{${name}}`))
  const name = `card_${purpose}_${language}${version === 1 ? '' : `_${version}`}`
  return { name, purpose, language, version, ...words, text, variables }
}

const BY_USE = Map.groupBy(TEMPLATES, ({ purpose, language }) => `${purpose} ${language}`)

// The newest first.
export function templatesOf(purpose: MessagePurpose, language: MessageLanguage): readonly Template[] {
  return BY_USE.get(`${purpose} ${language}`) ?? []
}

// The given version, or the newest if none is given or it is no longer here.
export function templateOf(
  purpose: MessagePurpose,
  language: MessageLanguage,
  version?: number | null,
): Template {
  const templates = templatesOf(purpose, language)
  const template = templates.find((one) => one.version === version) ?? templates[0]
  assert(template, 'every purpose has a text in every language')
  return template
}
