import type { ProviderTimeouts } from '#app/ports/messaging.ts'
import { TEMPLATES } from '#modules/deliveries/messages/templates.ts'
import { type NhnStandInOptions, startNhnStandIn } from '#stand-ins/messaging/nhn.ts'
import type { StandIn } from '#stand-ins/messaging/server.ts'
import { type SolapiStandInOptions, startSolapiStandIn } from '#stand-ins/messaging/solapi.ts'
import { afterTest } from './at-end.ts'
import { LIVE_MESSAGING } from './deliveries.ts'
import { setMessageTemplate } from './operator.ts'
import { patiently, until } from './patience.ts'
import { freePort } from './process.ts'
import { BUY, type ServiceOptions, startService, type TestPartner, type TestService } from './service.ts'

const APPROVED = Object.fromEntries(TEMPLATES.map(({ name, text }) => [name, text]))
const REPORT_SECRET = LIVE_MESSAGING.SOLAPI_WEBHOOK_SECRET

export const NHN_MESSAGING = {
  NHN_ALIMTALK_APPKEY: 'kakao-app',
  NHN_ALIMTALK_SECRET_KEY: 'nhn-secret',
  NHN_SENDER_KEY: 'sender-key',
  NHN_SMS_APPKEY: 'sms-app',
  NHN_SMS_SECRET_KEY: 'nhn-secret',
  NHN_SENDER: '0212345678',
  NHN_WEBHOOK_SECRET: 'another-secret-for-reports',
}

export interface MessagedOptions {
  solapi?: Partial<SolapiStandInOptions>
  // False: there is no second provider.
  nhn?: Partial<NhnStandInOptions> | false
  // How reports are posted; false: not at all.
  reports?: Partial<NonNullable<SolapiStandInOptions['reports']>> | false
  providerTimeouts?: ProviderTimeouts
  service?: ServiceOptions
}

export interface Messaged {
  service: TestService
  solapi: StandIn
  nhn: StandIn | undefined
}

// Quick enough for a test: a second of silence means that a message was never taken. The circuit stays out of the way.
// An answer has longer than a busy machine takes for it. Otherwise a message that arrives is in doubt, or sent again.
const SHORT_TIMEOUTS: ProviderTimeouts = {
  timeouts: { connectMs: patiently(3_000), answerMs: patiently(3_000) },
  circuit: { failures: 1_000 },
  pollAfterMs: 1_000,
  absentAfterMs: 1_000,
  retryAfterMs: 1_000,
}

// The stand-ins, with our templates approved and reports posted to the given address.
export async function startStandIns(hooks: string, options: MessagedOptions) {
  const reportsTo = (path: string, secret: string) =>
    options.reports === false ? undefined : { url: `${hooks}${path}`, secret, ...options.reports }
  const solapi = await startSolapiStandIn({
    apiKey: LIVE_MESSAGING.SOLAPI_API_KEY,
    apiSecret: LIVE_MESSAGING.SOLAPI_API_SECRET,
    senders: [LIVE_MESSAGING.SOLAPI_SENDER],
    channelId: LIVE_MESSAGING.SOLAPI_CHANNEL_ID,
    templates: APPROVED,
    reports: reportsTo('/hooks/solapi', REPORT_SECRET),
    ...options.solapi,
  })
  afterTest(() => solapi.close())
  if (options.nhn === false) return { solapi, nhn: undefined }
  const nhn = await startNhnStandIn({
    alimtalkAppKey: NHN_MESSAGING.NHN_ALIMTALK_APPKEY,
    smsAppKey: NHN_MESSAGING.NHN_SMS_APPKEY,
    secretKey: NHN_MESSAGING.NHN_ALIMTALK_SECRET_KEY,
    senderKey: NHN_MESSAGING.NHN_SENDER_KEY,
    senders: [NHN_MESSAGING.NHN_SENDER],
    templates: APPROVED,
    reports: reportsTo('/hooks/nhn', NHN_MESSAGING.NHN_WEBHOOK_SECRET),
    ...options.nhn,
  })
  afterTest(() => nhn.close())
  return { solapi, nhn }
}

// How a process reaches them.
export function messagingSettings({ solapi, nhn }: { solapi: StandIn; nhn: StandIn | undefined }) {
  return {
    ...LIVE_MESSAGING,
    SOLAPI_URL: solapi.url,
    ...(nhn && {
      ...NHN_MESSAGING,
      MESSAGING: 'solapi,nhn',
      NHN_ALIMTALK_URL: nhn.url,
      NHN_SMS_URL: nhn.url,
    }),
  }
}

export async function approveTemplates({ database }: Pick<TestService, 'database'>): Promise<void> {
  for (const { name, purpose, language, version } of TEMPLATES) {
    for (const provider of ['solapi', 'nhn'] as const) {
      const use = { provider, purpose, language, version, partner: null, templateId: name, actor: 'test' }
      await setMessageTemplate(database, use)
    }
  }
}

// The service with its worker, and providers that speak as the real ones do.
export async function startMessaged(options: MessagedOptions = {}): Promise<Messaged> {
  const port = await freePort()
  const standIns = await startStandIns(`http://127.0.0.1:${port}`, options)
  const service = await startService({
    ...options.service,
    providerTimeouts: { ...SHORT_TIMEOUTS, ...options.providerTimeouts },
    environment: {
      PORT: String(port),
      INGOT_ROLES: 'api,worker',
      ...messagingSettings(standIns),
      ...options.service?.environment,
    },
  })
  await approveTemplates(service)
  return { service, ...standIns }
}

interface Delivery {
  channel: string
  purpose: string
  status: string
  reason: string | null
  retryable: boolean | null
  attempts: number
  settledAt: string | null
  events: { status: string; attempt: number; reason: string | null }[]
}

export async function deliveriesOf(partner: TestPartner, giftId: string): Promise<Delivery[]> {
  return (await partner.get(`${BUY}/${giftId}/deliveries`)).body.data.deliveries
}

// Until every message of the card is at its end.
export function settled(partner: TestPartner, giftId: string): Promise<Delivery[]> {
  return until(async () => {
    const deliveries = await deliveriesOf(partner, giftId)
    return deliveries.every(({ settledAt }) => settledAt !== null) && deliveries
  }, 'the messages come to their end')
}
