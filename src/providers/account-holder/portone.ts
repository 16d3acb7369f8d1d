import type { Secret } from '#base/crypto/secret.ts'
import { createHttpCaller } from '#base/http/caller.ts'
import type { CircuitOptions } from '#base/http/circuit.ts'
import type { Answer, Timeouts } from '#base/http/client.ts'
import { entryOf, recordOf, textOf } from '#base/text/untrusted-json.ts'
import {
  type AccountHolderProvider,
  type AccountHolderWatch,
  type HolderOutcome,
  isSameName,
} from './port.ts'

// PortOne v2, account holder look-up (예금주 조회). From the types of its server SDK 0.15:
//   GET /platform/bank-accounts/{bank}/{accountNumber}/holder    Authorization: PortOne <API secret>
//   `bank` is one of its names (below), `accountNumber` has no hyphens.
//   200 {"holderName", "accountVerificationId"}
//   Errors {"type", "message"?}: INVALID_REQUEST, PLATFORM_NOT_SUPPORTED_BANK; UNAUTHORIZED; FORBIDDEN,
//   PLATFORM_NOT_ENABLED (the contract lacks the platform product); PLATFORM_EXTERNAL_API_FAILED,
//   PLATFORM_EXTERNAL_API_TEMPORARILY_FAILED.
// Two things need a real contract to try. Are the statuses of the errors 400, 401, 403 and 502, as elsewhere in this
// API? Does an account that does not exist get PLATFORM_EXTERNAL_API_FAILED? Either way nothing is paid.
// `birthdate`, with which the bank compares a person and not only a name, is left out: its form is not documented.

export interface PortoneAccountOptions {
  url: string
  apiSecret: Secret<'portone'>
  watch: AccountHolderWatch
  // Open: it fails again and again, and no account is looked up until it is tried once more.
  onCircuit?: ((open: boolean) => void) | undefined
  timeouts?: Partial<Timeouts> | undefined
  circuit?: CircuitOptions | undefined
}

const BANKS: Readonly<Record<string, string>> = {
  '002': 'KDB',
  '003': 'IBK',
  '004': 'KOOKMIN',
  '007': 'SUHYUP',
  '011': 'NONGHYUP',
  '012': 'LOCAL_NONGHYUP',
  '020': 'WOORI',
  '023': 'STANDARD_CHARTERED',
  '027': 'CITI',
  '031': 'DAEGU',
  '032': 'BUSAN',
  '034': 'KWANGJU',
  '035': 'JEJU',
  '037': 'JEONBUK',
  '039': 'KYONGNAM',
  '045': 'KFCC',
  '048': 'SHINHYUP',
  '050': 'SAVINGS_BANK',
  '064': 'NFCF',
  '071': 'POST',
  '081': 'HANA',
  '088': 'SHINHAN',
  '089': 'K_BANK',
  '090': 'KAKAO',
  '092': 'TOSS',
}

const MAX_ANSWER_BYTES = 64 * 1024
// About this one account, and no outage.
const NOT_FOUND = ['INVALID_REQUEST', 'PLATFORM_NOT_SUPPORTED_BANK', 'PLATFORM_EXTERNAL_API_FAILED']

export function createPortoneAccountHolder(options: PortoneAccountOptions): AccountHolderProvider {
  const { url, timeouts, circuit, watch, apiSecret } = options
  const caller = createHttpCaller<'holder'>({
    url,
    timeouts,
    circuit,
    maxAnswerBytes: MAX_ANSWER_BYTES,
    // What the bank's side refuses comes as 502, with a type.
    statuses: { 502: 'answered' },
    isFailure: (answer) => answer.status >= 400 && !NOT_FOUND.includes(typeOf(answer)),
    onRequest: (call, outcome, ms) => watch.onRequest({ provider: 'portone', call, outcome, ms }),
    onCircuit: (open) => options.onCircuit?.(open),
  })
  return {
    name: 'portone',
    async check({ bank, account, holder }) {
      const name = entryOf(BANKS, bank)
      if (!name) return { kind: 'absent' }
      const answer = await caller.call('holder', {
        method: 'GET',
        path: `/platform/bank-accounts/${name}/${encodeURIComponent(account)}/holder`,
        headers: { authorization: `PortOne ${apiSecret.reveal()}` },
      })
      return readOutcome(answer, holder)
    },
    close: () => caller.close(),
  }
}

function readOutcome(answer: Answer | undefined, holder: string): HolderOutcome {
  if (answer?.kind !== 'answered') return { kind: 'unavailable' }
  if (answer.status >= 400) return { kind: NOT_FOUND.includes(typeOf(answer)) ? 'absent' : 'unavailable' }
  const { holderName: known } = recordOf(answer.body)
  if (typeof known !== 'string' || known === '') return { kind: 'unavailable' }
  return { kind: isSameName(known, holder) ? 'matches' : 'differs' }
}

function typeOf({ body }: Extract<Answer, { kind: 'answered' }>): string {
  return textOf(recordOf(body).type) ?? ''
}
