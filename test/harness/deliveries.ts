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
    `with changed as (update delivery
        set attempt = 1, text_version = 2, status = $3, sent_at = service_now() - make_interval(secs => $4::int),
            settled_at = case when $3 in ('delivered', 'failed') then service_now() end,
            reason = case when $3 = 'failed' then 'rejected' end,
            retryable = case when $3 = 'failed' then false end
      where card_id = $1 and ($2::text is null or channel = $2)
      returning id, status, reason)
     insert into delivery_event (delivery_id, attempt, at, status, reason)
     select id, 1, service_now(), status, reason from changed`,
    [giftId, channel ?? null, status, secondsAgo],
  )
}

// Providers as a live installation has them, at an address where nobody is.
export const LIVE_MESSAGING = {
  PUBLIC_URL: 'https://gold.example',
  MESSAGING: 'solapi',
  SOLAPI_URL: 'http://127.0.0.1:9',
  SOLAPI_API_KEY: 'NCSAYU7YDBXYORXC',
  SOLAPI_API_SECRET: 'SECRET0SECRET1SECRET2SECRET3',
  SOLAPI_SENDER: '0212345678',
  SOLAPI_CHANNEL_ID: 'KA01PF0000000000',
  SOLAPI_WEBHOOK_SECRET: 'a-secret-for-reports',
  SUPPORT_CONTACT: '1544-0000',
}

// Who runs a live installation.
export const LIVE_OPERATOR = {
  OPERATOR_NAME: '금은상사 주식회사',
  OPERATOR_NAME_EN: 'Goldsmith Co., Ltd.',
  OPERATOR_REPRESENTATIVE: '이대표',
  OPERATOR_BUSINESS_NUMBER: '220-81-62517',
  OPERATOR_MAIL_ORDER_NUMBER: '제2026-서울종로-0001호',
  OPERATOR_ADDRESS: '서울특별시 종로구 돈화문로 1',
  OPERATOR_PHONE: '02-1234-5678',
  OPERATOR_EMAIL: 'help@gold.example',
  OPERATOR_PRIVACY_OFFICER: '박보호',
  OPERATOR_HOST: '서울클라우드',
  OPERATOR_CUSTODIAN: '한국금고 주식회사',
  OPERATOR_PROTECTION: '예치금 전액을 은행에 신탁해요.',
}

// And who verifies people.
export const LIVE_PROVIDERS = {
  ...LIVE_MESSAGING,
  ...LIVE_OPERATOR,
  IDENTITY: 'portone',
  PORTONE_URL: 'http://127.0.0.1:9',
  PORTONE_API_SECRET: 'portone-secret',
  PORTONE_STORE_ID: 'store-1',
  PORTONE_CHANNEL_KEY: 'channel-key-1',
  PRICES: 'goldapi',
  GOLDAPI_URL: 'http://127.0.0.1:9',
  GOLDAPI_TOKEN: 'goldapi-token',
}
