import { Type } from '#edge/http/json-schema.ts'
import { choice, object } from '#edge/http/named-schemas.ts'
import { isMendable } from '#modules/deliveries/rules.ts'
import type { FailureFigures } from '#modules/figures/read.ts'

// Messages that came to a bad end, by what they have in common.
export const FAILURES = Type.Array(
  object('FailureFigure', {
    channel: choice('FailureChannel', ['alimtalk', 'text']),
    status: choice('FailureStatus', ['failed', 'unknown']),
    provider: Type.String({ description: 'Empty if none was chosen.' }),
    reason: Type.String(),
    messages: Type.Integer({ minimum: 0 }),
    mendable: Type.Boolean({ description: 'An operator can repair the cause.' }),
  }),
)

export function failureJson({ channel, status, provider, reason, messages }: FailureFigures) {
  return {
    channel: channel as 'alimtalk' | 'text',
    status,
    provider,
    reason,
    messages: Number(messages),
    mendable: isMendable(reason),
  }
}
