import type { Channel, Status } from '#modules/deliveries/types.ts'
import type { TestService } from './service.ts'

export interface Sent {
  channel?: Channel
  status?: Status
  // Before now, so that an order can be told.
  secondsAgo?: number
}

// As if the worker had sent a card's messages and heard of them.
export async function markSent(
  { database }: Pick<TestService, 'database'>,
  giftId: string,
  { channel, status = 'delivered', secondsAgo = 0 }: Sent = {},
): Promise<void> {
  await database.pool.query(
    `update delivery
        set attempt = 1, status = $3, sent_at = service_now() - make_interval(secs => $4::int),
            settled_at = case when $3 in ('delivered', 'failed') then service_now() end,
            reason = case when $3 = 'failed' then 'rejected' end,
            retryable = case when $3 = 'failed' then false end
      where card_id = $1 and ($2::text is null or channel = $2)`,
    [giftId, channel ?? null, status, secondsAgo],
  )
}
