import type { Answer } from '#base/http/client.ts'
import { entryOf, recordOf, textOf } from '#base/text/untrusted-json.ts'
import { CI, isBirthday, MDN } from './details.ts'
import type { VerifiedPerson } from './port.ts'

// What PortOne says, without trusting its shape.

export type Result =
  | { kind: 'verified'; person: VerifiedPerson }
  | { kind: 'ready' }
  | { kind: 'failed' }
  | { kind: 'absent' }
  | { kind: 'unreadable' }

type Answered = Extract<Answer, { kind: 'answered' }>

// The `type` of an error; undefined if a proxy in between made the answer up.
export function errorOf({ status, body }: Answered): string | undefined {
  return status >= 400 ? textOf(recordOf(body).type) : undefined
}

// Whether the next person would be sent away as well: our key, our channel, our contract.
export function blamesUs(answer: Answered): boolean {
  const type = errorOf(answer)
  if (answer.status >= 400 && type === undefined) return true
  return type === 'CHANNEL_NOT_FOUND' || type === 'MAX_TRANSACTION_COUNT_REACHED'
}

export function readResult(answer: Answer, asked: { id: string; mdn: string; channelKey: string }): Result {
  if (answer.kind !== 'answered') return { kind: 'unreadable' }
  if (errorOf(answer) === 'IDENTITY_VERIFICATION_NOT_FOUND') return { kind: 'absent' }
  const body = recordOf(answer.body)
  if (answer.status >= 400 || body.id !== asked.id) return { kind: 'unreadable' }
  // A result of a channel that is not ours is not one of our verifications.
  const channelKey = recordOf(body.channel).key
  if (channelKey !== undefined && channelKey !== asked.channelKey) return { kind: 'unreadable' }
  if (body.status === 'READY') return { kind: 'ready' }
  if (body.status === 'FAILED') return { kind: 'failed' }
  if (body.status !== 'VERIFIED') return { kind: 'unreadable' }
  const person = readPerson(recordOf(body.verifiedCustomer), asked.mdn)
  return person ? { kind: 'verified', person } : { kind: 'unreadable' }
}

const GENDERS: Readonly<Record<string, 'F' | 'M'>> = { FEMALE: 'F', MALE: 'M' }
const BIRTH_DATE = /^\d{4}-\d\d-\d\d$/

function readPerson(customer: Record<string, unknown>, typedMdn: string): VerifiedPerson | undefined {
  const { ci, name, birthDate, isForeigner } = customer
  if (typeof ci !== 'string' || !CI.test(ci) || !isName(name)) return undefined
  if (typeof birthDate !== 'string' || !BIRTH_DATE.test(birthDate)) return undefined
  const birthday = birthDate.replaceAll('-', '')
  const gender = entryOf(GENDERS, textOf(customer.gender) ?? '')
  if (!isBirthday(birthday) || !gender) return undefined
  // Not every contract tells. Then they are no foreigner: the number we sent, and they know, is a citizen's.
  if (isForeigner !== undefined && typeof isForeigner !== 'boolean') return undefined
  const mdn = customer.phoneNumber === undefined ? typedMdn : digitsOf(customer.phoneNumber)
  if (!MDN.test(mdn)) return undefined
  return { ci, name, birthday, gender, isForeigner: isForeigner ?? false, mdn }
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && /^[^\p{Cc}]{1,100}$/u.test(value) && value.trim() === value
}

function digitsOf(value: unknown): string {
  return typeof value === 'string' && value.length <= 20 ? value.replaceAll('-', '') : ''
}
