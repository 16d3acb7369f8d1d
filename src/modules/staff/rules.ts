import { isCleanText } from '#base/text/text.ts'

// A day: time enough to hand a link over, not to forget it in a mailbox.
export const LINK_HOURS = 24

const MAX_NAME = 100
// What mail programs accept in practice. The address is a name here: no mail is sent.
const EMAIL = /^[a-z0-9][a-z0-9.!#$%&'*+/=?^_`{|}~-]{0,63}@[a-z0-9](?:[a-z0-9.-]{0,188}[a-z0-9])?$/

export function actorOf({ email }: { email: string }): string {
  return `staff:${email}`
}

// In lower case, so that one person is not two; undefined if it is no address.
export function parseEmail(text: string): string | undefined {
  const email = text.trim().toLowerCase()
  return EMAIL.test(email) && email.length <= 254 ? email : undefined
}

export function parseName(text: string): string | undefined {
  const name = text.normalize('NFC').trim()
  return name.length > 0 && name.length <= MAX_NAME && isCleanText(name) ? name : undefined
}
