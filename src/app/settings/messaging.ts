import { Secret } from '#base/crypto/secret.ts'
import { PROVIDERS, type ProviderName } from '#providers/messaging/port.ts'
import { type Mode, readUrl, required, type SettingSource } from './setting-source.ts'

// Who carries messages, and what they know us by. Read by config.ts.
export interface MessagingSettings {
  // In order: the first takes what it can, the others what it cannot.
  providers: readonly ProviderName[]
  solapi: SolapiSettings | undefined
  nhn: NhnSettings | undefined
  // The contact for recipients.
  contact: string | undefined
}

interface SolapiSettings {
  url: string
  apiKey: string
  apiSecret: Secret<'solapi'>
  sender: string
  channelId: string
  webhookSecret: Secret<'solapi-webhook'>
}

interface NhnSettings {
  alimtalk: { url: string; appKey: string; secretKey: Secret<'nhn'>; senderKey: string }
  text: { url: string; appKey: string; secretKey: Secret<'nhn'>; sender: string }
  webhookSecret: Secret<'nhn-webhook'>
}

export function readMessaging(source: SettingSource, mode: Mode): MessagingSettings {
  const providers = readProviders(source, mode)
  return {
    providers,
    solapi: providers.includes('solapi') ? readSolapi(source) : undefined,
    nhn: providers.includes('nhn') ? readNhn(source) : undefined,
    contact: source.get('SUPPORT_CONTACT'),
  }
}

function readProviders({ get, refuse }: SettingSource, mode: Mode): ProviderName[] {
  const text = get('MESSAGING') ?? (mode === 'sandbox' ? 'simulated' : '')
  const names = text.split(',').flatMap((part) => part.trim() || [])
  const known = names.map((name) => PROVIDERS.find((provider) => provider === name))
  if (known.includes(undefined)) refuse('MESSAGING', `is not a list of ${PROVIDERS.join(', ')}`)
  // The order is the order of fallback. A second mention would say two things.
  if (new Set(known).size < known.length) refuse('MESSAGING', 'names a provider twice')
  if (mode === 'live' && known.includes('simulated')) {
    refuse('MESSAGING', 'is simulated: in live mode messages have to arrive')
  }
  return known.filter((name) => name !== undefined)
}

const SENDER = /^0\d{7,10}$/
const SENDER_RULE = 'is not a Korean telephone number in digits'

function readSolapi(source: SettingSource): SolapiSettings {
  return {
    url: readUrl(source, 'SOLAPI_URL', 'https://api.solapi.com'),
    apiKey: required(source, 'MESSAGING', 'SOLAPI_API_KEY'),
    apiSecret: new Secret(required(source, 'MESSAGING', 'SOLAPI_API_SECRET')),
    sender: required(source, 'MESSAGING', 'SOLAPI_SENDER', SENDER, SENDER_RULE),
    channelId: required(source, 'MESSAGING', 'SOLAPI_CHANNEL_ID'),
    webhookSecret: new Secret(webhookSecret(source, 'SOLAPI_WEBHOOK_SECRET')),
  }
}

function readNhn(source: SettingSource): NhnSettings {
  return {
    alimtalk: {
      url: readUrl(source, 'NHN_ALIMTALK_URL', 'https://kakaotalk-bizmessage.api.nhncloudservice.com'),
      appKey: required(source, 'MESSAGING', 'NHN_ALIMTALK_APPKEY'),
      secretKey: new Secret(required(source, 'MESSAGING', 'NHN_ALIMTALK_SECRET_KEY')),
      senderKey: required(source, 'MESSAGING', 'NHN_SENDER_KEY'),
    },
    text: {
      url: readUrl(source, 'NHN_SMS_URL', 'https://sms.api.nhncloudservice.com'),
      appKey: required(source, 'MESSAGING', 'NHN_SMS_APPKEY'),
      secretKey: new Secret(required(source, 'MESSAGING', 'NHN_SMS_SECRET_KEY')),
      sender: required(source, 'MESSAGING', 'NHN_SENDER', SENDER, SENDER_RULE),
    },
    webhookSecret: new Secret(webhookSecret(source, 'NHN_WEBHOOK_SECRET')),
  }
}

// A caller that knows it can report that a message arrived.
function webhookSecret(source: SettingSource, name: string): string {
  return required(source, 'MESSAGING', name, /^\S{16,200}$/, 'has fewer than 16 characters')
}
