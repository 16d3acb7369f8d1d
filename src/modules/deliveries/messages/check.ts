import { eucKrBytes } from './bytes.ts'
import { fill } from './render.ts'
import type { Template } from './templates.ts'
import type { AlimtalkMessage, TextMessage } from './types.ts'

export const ALIMTALK_CHARACTERS = 1_000
export const TEXT_BYTES = 2_000
export const SUBJECT_BYTES = 40
// With these lengths every message keeps the limits above, for any sender name and amount.
export const REGISTER_URL_CHARACTERS = 120
export const CONTACT_CHARACTERS = 60

// Why no provider would take a message: the first that applies.
const UNSENDABLE = ['variables_differ', 'unencodable', 'too_long'] as const
export type Unsendable = (typeof UNSENDABLE)[number]

export function checkAlimtalk(template: Template, message: AlimtalkMessage): Unsendable | undefined {
  const { text, variables } = message
  const names = Object.keys(variables)
  const exact =
    names.length === template.variables.length && template.variables.every((name) => name in variables)
  if (!exact || Object.values(variables).some((value) => value === '' || value.includes('#{'))) {
    return 'variables_differ'
  }
  if (fill(template.text, variables) !== text) return 'variables_differ'
  return text.length > ALIMTALK_CHARACTERS ? 'too_long' : undefined
}

export function checkText({ subject, text }: TextMessage): Unsendable | undefined {
  const subjectBytes = eucKrBytes(subject)
  const textBytes = eucKrBytes(text)
  if (subjectBytes === undefined || textBytes === undefined) return 'unencodable'
  return subjectBytes > SUBJECT_BYTES || textBytes > TEXT_BYTES ? 'too_long' : undefined
}
