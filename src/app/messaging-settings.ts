import { Secret } from '#base/secret.ts'
import { PROVIDERS, type ProviderName } from '#providers/messaging/port.ts'

// Who carries messages, and what they know us by. Read by config.ts.
export interface MessagingSettings {
  // In order: the first takes what it can, the others what it cannot.
  providers: readonly ProviderName[]
  solapi: SolapiSettings | undefined
  nhn: NhnSettings | undefined
  // Whom a recipient can ask.
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

interface Source {
  // The value of a setting; undefined when there is none.
  get(name: string): string | undefined
  refuse(name: string, why: string): never
}

export function readMessaging(source: Source, mode: 'sandbox' | 'live'): MessagingSettings {
  const providers = readProviders(source, mode)
  return {
    providers,
    solapi: providers.includes('solapi') ? readSolapi(source) : undefined,
    nhn: providers.includes('nhn') ? readNhn(source) : undefined,
    contact: source.get('SUPPORT_CONTACT'),
  }
}

function readProviders({ get, refuse }: Source, mode: 'sandbox' | 'live'): ProviderName[] {
  const text = get('MESSAGING') ?? (mode === 'sandbox' ? 'simulated' : '')
  const names = text.split(',').flatMap((part) => part.trim() || [])
  const known = names.map((name) => PROVIDERS.find((provider) => provider === name))
  if (known.includes(undefined)) refuse('MESSAGING', `is not a list of ${PROVIDERS.join(', ')}`)
  if (new Set(known).size < known.length) refuse('MESSAGING', 'names a provider twice')
  if (mode === 'live' && known.includes('simulated')) {
    refuse('MESSAGING', 'is simulated: in live mode messages have to arrive')
  }
  return known as ProviderName[]
}

const SENDER = /^0\d{7,10}$/
const SENDER_RULE = 'is not a Korean telephone number in digits'

function readSolapi(source: Source): SolapiSettings {
  return {
    url: readUrl(source, 'SOLAPI_URL', 'https://api.solapi.com'),
    apiKey: required(source, 'SOLAPI_API_KEY'),
    apiSecret: new Secret(required(source, 'SOLAPI_API_SECRET')),
    sender: required(source, 'SOLAPI_SENDER', SENDER, SENDER_RULE),
    channelId: required(source, 'SOLAPI_CHANNEL_ID'),
    webhookSecret: new Secret(webhookSecret(source, 'SOLAPI_WEBHOOK_SECRET')),
  }
}

function readNhn(source: Source): NhnSettings {
  return {
    alimtalk: {
      url: readUrl(source, 'NHN_ALIMTALK_URL', 'https://kakaotalk-bizmessage.api.nhncloudservice.com'),
      appKey: required(source, 'NHN_ALIMTALK_APPKEY'),
      secretKey: new Secret(required(source, 'NHN_ALIMTALK_SECRET_KEY')),
      senderKey: required(source, 'NHN_SENDER_KEY'),
    },
    text: {
      url: readUrl(source, 'NHN_SMS_URL', 'https://sms.api.nhncloudservice.com'),
      appKey: required(source, 'NHN_SMS_APPKEY'),
      secretKey: new Secret(required(source, 'NHN_SMS_SECRET_KEY')),
      sender: required(source, 'NHN_SENDER', SENDER, SENDER_RULE),
    },
    webhookSecret: new Secret(webhookSecret(source, 'NHN_WEBHOOK_SECRET')),
  }
}

function required(
  { get, refuse }: Source,
  name: string,
  shape = /^\S{1,200}$/,
  rule = 'is not one word',
): string {
  const value = get(name) ?? refuse(name, 'is required by MESSAGING')
  return shape.test(value) ? value : refuse(name, rule)
}

// Whoever knows it can tell us that a message arrived.
function webhookSecret(source: Source, name: string): string {
  return required(source, name, /^\S{16,200}$/, 'has fewer than 16 characters')
}

// Plain http only to this machine, where a stand-in may be: messages carry PINs.
function readUrl({ get, refuse }: Source, name: string, usual: string): string {
  const text = get(name) ?? usual
  const url = URL.parse(text)
  const local = url?.protocol === 'http:' && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname)
  if (!url || !(url.protocol === 'https:' || local))
    return refuse(name, 'is not an https address (plain http only to this machine)')
  return url.href.replace(/\/+$/, '')
}
