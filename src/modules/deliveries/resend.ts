import { CHANNELS, type Channel, type ResendRefusal, type SendsOfCard } from './types.ts'

const GAP_SECONDS = 60 // since the last message: it may only be slow
const PER_DAY = 5 // a sixth message would not arrive either

// Which channels to send on again, or why not: the first that applies.
export function decideResend(
  facts: SendsOfCard & { status: string },
): { channels: Channel[]; ordinal: number } | { reason: ResendRefusal; retryAfterSeconds?: number } {
  if (facts.status !== 'issued' || facts.isPast) return { reason: 'not_valid' }
  const resends = facts.sends.filter(({ purpose }) => purpose === 'resend')
  // On its way, or unknown: another one might arrive as a second.
  const open = CHANNELS.filter(
    (channel) => !facts.sends.some((send) => send.channel === channel && send.isOpen),
  )
  if (open.length === 0) return { reason: 'on_its_way' }
  const youngest = Math.min(...facts.sends.map(({ ageSeconds }) => ageSeconds))
  if (youngest < GAP_SECONDS)
    return { reason: 'too_soon', retryAfterSeconds: Math.ceil(GAP_SECONDS - youngest) }
  const ages = [...new Set(resends.map(({ ordinal }) => ordinal))]
    .map((ordinal) => resends.find((send) => send.ordinal === ordinal)!.ageSeconds)
    .filter((age) => age < 86_400)
  if (ages.length >= PER_DAY) {
    return { reason: 'too_often', retryAfterSeconds: Math.ceil(86_400 - Math.max(...ages)) }
  }
  return { channels: open, ordinal: Math.max(0, ...resends.map(({ ordinal }) => ordinal)) + 1 }
}
