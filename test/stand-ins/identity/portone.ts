import { randomInt, randomUUID } from 'node:crypto'
import { isIP } from 'node:net'
import { recordOf, textOf } from '#base/text/untrusted-json.ts'
import { PERSONAS, type Persona } from '#providers/identity/personas.ts'
import { CARRIERS } from '#providers/identity/port.ts'
import { createFaulty } from '#stand-ins/faults.ts'
import { type Reply, type StandInRequest, serveHttp } from '#stand-ins/http.ts'

// PortOne v2's identity verifications as its OpenAPI document has them, with a carrier behind it that knows the personas.

export interface PortoneStandInOptions {
  port?: number | undefined
  apiSecret: string
  storeId: string
  channelKey: string
  // How long a code is good.
  codeMs?: number | undefined
  // What not every contract tells: `phoneNumber`, `isForeigner`.
  leavesOut?: readonly string[] | undefined
  // Has the last word on what is answered.
  distort?: ((body: Record<string, unknown>) => unknown) | undefined
}

interface Verification {
  id: string
  status: 'READY' | 'VERIFIED' | 'FAILED'
  persona: Persona
  customer: Record<string, unknown>
  code: string
  codes: number
  sentMs: number
  wrong: number
  at: string
}

const CODE_MS = 180_000
const MAX_WRONG = 5

const refused = (status: number, type: string, more = {}) => ({
  status,
  body: { type, message: '요청을 처리할 수 없습니다.', ...more },
})
const byCarrier = (pgCode: string, pgMessage: string) => refused(502, 'PG_PROVIDER', { pgCode, pgMessage })

export async function startPortoneStandIn(options: PortoneStandInOptions) {
  const verifications = new Map<string, Verification>()
  const requests: string[] = []
  const faulty = createFaulty()
  const answer = (request: StandInRequest): Reply => {
    const [, house, id = '', call = 'result'] = request.path.split('/').map(decodeURIComponent)
    requests.push(call)
    const wrong = checkCaller(options, request)
    if (wrong) return wrong
    if (house !== 'identity-verifications' || !id) return { status: 404, body: { error: 'Not Found' } }
    const known = verifications.get(id)
    const body = recordOf(request.body)
    if (request.method === 'GET' && call === 'result') {
      return known ? shown(options, known) : refused(404, 'IDENTITY_VERIFICATION_NOT_FOUND')
    }
    if (request.method !== 'POST') return { status: 405, body: {} }
    if (known?.status === 'VERIFIED') return refused(409, 'IDENTITY_VERIFICATION_ALREADY_VERIFIED')
    if (call === 'send') {
      if (known) return refused(409, 'IDENTITY_VERIFICATION_ALREADY_SENT')
      const begun = begin(options, id, body)
      if ('persona' in begun) verifications.set(id, begun)
      return 'persona' in begun ? { status: 200, body: {} } : begun
    }
    if (!known) return refused(404, 'IDENTITY_VERIFICATION_NOT_FOUND')
    if (call === 'resend') return resend(known)
    return call === 'confirm' ? confirm(options, known, body) : { status: 404, body: {} }
  }
  const server = await serveHttp({
    port: options.port,
    handle: (request) => faulty.handle(request, () => answer(request)),
  })
  return {
    ...server,
    requests,
    breakAll: faulty.breakAll,
    // What has arrived on the phone.
    codeOf: (id: string) => verifications.get(id)?.code,
    codesSent: (id: string) => verifications.get(id)?.codes ?? 0,
  }
}

function checkCaller(options: PortoneStandInOptions, { headers, query, body }: StandInRequest) {
  if (headers.authorization !== `PortOne ${options.apiSecret}`) return refused(401, 'UNAUTHORIZED')
  const store = query.get('storeId') ?? recordOf(body).storeId
  return store === undefined || store === options.storeId ? undefined : refused(403, 'FORBIDDEN')
}

function begin(
  options: PortoneStandInOptions,
  id: string,
  body: Record<string, unknown>,
): Verification | Exclude<Reply, string> {
  const customer = recordOf(body.customer)
  const { name, phoneNumber, identityNumber, ipAddress } = customer
  const invalid =
    typeof name !== 'string' ||
    !/^01\d{8,9}$/.test(textOf(phoneNumber) ?? '') ||
    !/^\d{6}[1-8]$/.test(textOf(identityNumber) ?? '') ||
    isIP(textOf(ipAddress) ?? '') === 0 ||
    !CARRIERS.some((carrier) => carrier === body.operator) ||
    body.method !== 'SMS'
  if (invalid) return refused(400, 'INVALID_REQUEST')
  if (body.channelKey !== options.channelKey) return refused(404, 'CHANNEL_NOT_FOUND')
  const persona = PERSONAS.find((one) => one.mdn === phoneNumber)
  if (persona?.starts === 'unavailable') return { status: 500, body: { type: 'INTERNAL_SERVER_ERROR' } }
  const known = persona?.starts === 'sent' && persona.name === name && persona.carrier === body.operator
  if (!known || !isNumberOf(persona, String(identityNumber))) return byCarrier('B102', '정보 불일치')
  const at = new Date().toISOString()
  return {
    id,
    status: 'READY',
    persona,
    customer,
    code: newCode(),
    codes: 1,
    sentMs: Date.now(),
    wrong: 0,
    at,
  }
}

// Odd for men and even for women; whether of a citizen or a foreigner the carrier finds out itself.
function isNumberOf({ birthday, gender }: Persona, identityNumber: string): boolean {
  const last = Number(identityNumber[6])
  const century = [1, 2, 5, 6].includes(last) ? '19' : '20'
  return `${century}${identityNumber.slice(0, 6)}` === birthday && (last % 2 === 1) === (gender === 'M')
}

function newCode(): string {
  return String(randomInt(1_000_000)).padStart(6, '0')
}

function resend(known: Verification): Reply {
  if (known.status === 'FAILED') return byCarrier('B131', '재전송 불가')
  Object.assign(known, { code: newCode(), codes: known.codes + 1, sentMs: Date.now() })
  return { status: 200, body: {} }
}

function confirm(
  options: PortoneStandInOptions,
  known: Verification,
  { otp }: Record<string, unknown>,
): Reply {
  if (typeof otp !== 'string') return refused(400, 'INVALID_REQUEST')
  const isLate = Date.now() > known.sentMs + (options.codeMs ?? CODE_MS)
  if (isLate || known.wrong >= MAX_WRONG) known.status = 'FAILED'
  if (known.status === 'FAILED') return byCarrier('B129', '인증 시간 또는 횟수 초과')
  if (otp !== known.code) {
    known.wrong++
    return byCarrier('B128', '인증번호 불일치')
  }
  known.status = 'VERIFIED'
  const { body } = shown(options, known)
  return { status: 200, body: { identityVerification: body } }
}

function shown(options: PortoneStandInOptions, { id, status, persona, customer, at }: Verification) {
  const common = {
    status,
    id,
    channel: {
      type: 'TEST',
      id: `channel-id-${options.channelKey}`,
      key: options.channelKey,
      name: '본인인증',
      pgProvider: 'DANAL',
      pgMerchantId: 'A010002002',
    },
    requestedCustomer: { name: customer.name, phoneNumber: customer.phoneNumber },
    requestedAt: at,
    updatedAt: at,
    statusChangedAt: at,
  }
  const more = {
    READY: {},
    FAILED: { failure: { reason: '인증 실패', pgCode: 'B129', pgMessage: '인증 시간 또는 횟수 초과' } },
    VERIFIED: {
      verifiedCustomer: verifiedCustomer(options, persona),
      verifiedAt: at,
      pgTxId: randomUUID(),
      pgRawResponse: '{}',
    },
  }[status]
  const body = { ...common, ...more }
  return { status: 200, body: options.distort ? options.distort(body) : body }
}

function verifiedCustomer({ leavesOut = [] }: PortoneStandInOptions, persona: Persona) {
  const { name, birthday, gender, isForeigner, ci, mdn, carrier } = persona
  const customer = {
    name,
    operator: carrier,
    phoneNumber: mdn,
    birthDate: `${birthday.slice(0, 4)}-${birthday.slice(4, 6)}-${birthday.slice(6)}`,
    gender: gender === 'F' ? 'FEMALE' : 'MALE',
    isForeigner,
    ci,
    di: `${ci.slice(0, 64)}`,
  }
  return Object.fromEntries(Object.entries(customer).filter(([name]) => !leavesOut.includes(name)))
}
