import { isUuid } from '#base/ids.ts'
import type { CancelRefusal, Card, CardIdentifier, RedeemRefusal, VoidRefusal } from './types.ts'

const NUMBER = /^[1-9]\d{0,15}$/

export function parseCardIdentifier(text: string): CardIdentifier | undefined {
  if (isUuid(text)) return { kind: 'uuid', uuid: text.toLowerCase() }
  if (NUMBER.test(text) && Number.isSafeInteger(Number(text))) return { kind: 'number', number: BigInt(text) }
  return undefined
}

// Only a card that gave no value yet can be cancelled.
export function refuseVoid(card: Pick<Card, 'status'> | undefined): VoidRefusal | undefined {
  if (!card) return 'not_found'
  return card.status === 'issued' ? undefined : card.status
}

// ISO dates compare as texts. The last day is included.
export function refuseCancel(
  { status }: Pick<Card, 'status'>,
  { today, lastDay }: { today: string; lastDay: string },
): CancelRefusal | undefined {
  if (status === 'used' || status === 'expired') return status
  return today > lastDay ? 'too_late' : undefined
}

// No reminders at night. A sandbox, whose clock jumps, does not wait for the morning.
export function isReminderTime({ hour, sandbox }: { hour: number; sandbox: boolean }): boolean {
  return sandbox || (hour >= 10 && hour < 20)
}

// Once; the same holder who asks again, since the first answer was lost, gets the same success. The reference model of
// the SQL function redeem_gift_cards.
export function decideRedeem(
  card: { status: Card['status']; usedBy: string | null; expiresOn: string; today: string } | undefined,
  holderId: string,
): 'redeem' | 'again' | RedeemRefusal {
  if (!card) return 'absent'
  if (card.status === 'used') return card.usedBy === holderId ? 'again' : 'used'
  if (card.status !== 'issued') return card.status
  return card.today > card.expiresOn ? 'expired' : 'redeem'
}
