import type { Secret } from '#base/crypto/secret.ts'
import { createHttpCaller, type HttpCaller } from '#base/http/caller.ts'
import type { CircuitOptions } from '#base/http/circuit.ts'
import type { Answer, HttpRequest, Timeouts } from '#base/http/client.ts'
import { identityNumberOf, isWellFormed } from './details.ts'
import type { Applicant, ConfirmOutcome, IdentityProvider, IdentityWatch, StartOutcome } from './port.ts'
import { blamesUs, errorOf, type Result, readResult } from './portone-answers.ts'

export interface PortoneOptions {
  url: string
  apiSecret: Secret<'portone'>
  storeId: string
  channelKey: string
  watch: IdentityWatch
  // Open: calls keep failing, and no person is verified until the next try.
  onCircuit?: ((open: boolean) => void) | undefined
  timeouts?: Partial<Timeouts> | undefined
  circuit?: CircuitOptions | undefined
}

type Caller = HttpCaller<'start' | 'resend' | 'confirm' | 'result'>

const CODE = /^\d{6}$/
// What they answer is a page or two.
const MAX_ANSWER_BYTES = 256 * 1024

export function createPortone(options: PortoneOptions): IdentityProvider {
  const { url, timeouts, circuit, watch } = options
  const caller: Caller = createHttpCaller({
    url,
    timeouts,
    circuit,
    maxAnswerBytes: MAX_ANSWER_BYTES,
    // A refusal of the carrier comes as 502 PG_PROVIDER: an answer about one person, and no outage.
    statuses: { 502: 'answered' },
    isFailure: blamesUs,
    onRequest: (call, outcome, ms) => watch.onRequest({ provider: 'portone', call, outcome, ms }),
    onCircuit: (open) => options.onCircuit?.(open),
  })
  const request = createRequests(options)
  return {
    name: 'portone',
    async start(id, applicant) {
      if (!isWellFormed(applicant)) return { kind: 'refused' }
      return startOutcome(await caller.call('start', request.send(id, applicant)))
    },
    resend: async (id) => startOutcome(await caller.call('resend', request.resend(id))),
    async confirm(id, code, { mdn }) {
      if (!CODE.test(code)) return { kind: 'wrong_code' }
      const next = afterConfirm(await caller.call('confirm', request.confirm(id, code)))
      if (typeof next !== 'function') return next
      const asked = { id, mdn, channelKey: options.channelKey }
      return next(readResult(await caller.ask('result', request.result(id)), asked))
    },
    close: () => caller.close(),
  }
}

function createRequests({ apiSecret, storeId, channelKey }: PortoneOptions) {
  const pathOf = (id: string, rest = '') => `/identity-verifications/${encodeURIComponent(id)}${rest}`
  const inStore = `?storeId=${encodeURIComponent(storeId)}`
  const authorization = () => `PortOne ${apiSecret.reveal()}`
  const post = (path: string, body: object): HttpRequest => ({
    method: 'POST',
    path,
    headers: { authorization: authorization(), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return {
    send: (id: string, applicant: Applicant) => {
      const customer = {
        name: applicant.name.trim(),
        phoneNumber: applicant.mdn,
        identityNumber: identityNumberOf(applicant),
        ipAddress: applicant.address,
      }
      const { carrier: operator } = applicant
      return post(pathOf(id, '/send'), { storeId, channelKey, customer, operator, method: 'SMS' })
    },
    confirm: (id: string, otp: string) => post(pathOf(id, '/confirm'), { storeId, otp }),
    resend: (id: string): HttpRequest => ({
      method: 'POST',
      path: pathOf(id, `/resend${inStore}`),
      headers: { authorization: authorization() },
    }),
    result: (id: string): HttpRequest => ({
      method: 'GET',
      path: pathOf(id, inStore),
      headers: { authorization: authorization() },
    }),
  }
}

// Sent before, with the answer lost; or verified already, which the next code will find out.
const STARTED = ['IDENTITY_VERIFICATION_ALREADY_SENT', 'IDENTITY_VERIFICATION_ALREADY_VERIFIED']
const NOT_BEGUN = ['IDENTITY_VERIFICATION_NOT_FOUND', 'IDENTITY_VERIFICATION_NOT_SENT']
// The carrier's side does not take it, or its shape is wrong.
const NOT_TAKEN = ['PG_PROVIDER', 'INVALID_REQUEST']

function startOutcome(answer: Answer | undefined): StartOutcome {
  if (answer?.kind !== 'answered') return { kind: 'unavailable' }
  if (answer.status < 300) return { kind: 'sent' }
  const type = errorOf(answer) ?? ''
  if (STARTED.includes(type)) return { kind: 'sent' }
  return { kind: NOT_TAKEN.includes(type) || NOT_BEGUN.includes(type) ? 'refused' : 'unavailable' }
}

// The outcome, or how to read the result, which alone says whether a person is verified.
function afterConfirm(answer: Answer | undefined): ConfirmOutcome | ((result: Result) => ConfirmOutcome) {
  if (answer === undefined || answer.kind === 'not_sent') return { kind: 'unavailable' }
  const type = answer.kind === 'answered' ? (errorOf(answer) ?? '') : ''
  // Lost on its way, or answered by a proxy: the code may have been right, or may still arrive.
  if (answer.kind === 'in_doubt' || (answer.status >= 500 && !type))
    return unlessReady({ kind: 'unavailable' })
  if (answer.status < 300 || STARTED.includes(type)) return unlessReady({ kind: 'unavailable' })
  if (NOT_TAKEN.includes(type)) return unlessReady({ kind: 'wrong_code' })
  return { kind: NOT_BEGUN.includes(type) ? 'failed' : 'unavailable' }
}

function unlessReady(whenReady: ConfirmOutcome): (result: Result) => ConfirmOutcome {
  return (result) => {
    if (result.kind === 'verified') return result
    if (result.kind === 'failed' || result.kind === 'absent') return { kind: 'failed' }
    return result.kind === 'ready' ? whenReady : { kind: 'unavailable' }
  }
}
