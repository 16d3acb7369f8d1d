import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, type TestPerson, verify } from '#test/member.ts'
import { SIGNUP, signupOf } from '#test/people.ts'
import { type Answer, BUY, call } from '#test/service.ts'
import type { Acknowledged, Act, Outcome } from './acts.ts'
import type { Service } from './service.ts'

export const PARTNER = 'prover'
// Longer than the service waits for a database that does not answer.
export const ANSWER_MS = 20_000
// Ours is 503. The others are a proxy's.
const AWAY = [502, 503, 504]
const USAGE = '/v2/partner/usage?startDate=2026-1-1&endDate=2026-12-31'
const LIMITED_MS = 200
const UNITS_PER_GRAM = 10_000

export interface Member {
  browser: Browser
  person: TestPerson
  loginId: string
}

// Refusals that the traffic provokes. Any other is a surprise, and so is every 500.
const EXPECTED: Record<Act['kind'], readonly string[]> = {
  buy: ['400'],
  signup: [],
  redeem: [],
  order: ['quote_expired', 'insufficient_balance', 'prices_stale'],
  withdraw: ['insufficient_balance', 'step_up_required', 'too_many_requests'],
}

// Sends an act and says what became of it. The traffic and the judge use the same client: a retry is the same request.
export class Client {
  readonly service: Service
  readonly members: readonly Member[]
  // Answers that the service must never give.
  readonly surprises: string[] = []
  // Refusals that this proof provokes besides.
  readonly #alsoRefused: readonly string[]
  readonly #key: string
  readonly #underWay = new Map<number, Promise<Outcome>>()
  #turn = 0

  constructor(
    service: Service,
    key: string,
    members: readonly Member[],
    alsoRefused: readonly string[] = [],
  ) {
    this.service = service
    this.#alsoRefused = alsoRefused
    this.#key = key
    this.members = members
  }

  // A member has one browser, and does one thing at a time: a new proof of identity changes the session's cookie, and what is under
  // way with the old one would be refused.
  send(act: Act): Promise<Outcome> {
    if (!('member' in act)) return this.#send(act)
    const sent = (this.#underWay.get(act.member) ?? Promise.resolve()).then(() => this.#send(act))
    this.#underWay.set(act.member, sent)
    return sent
  }

  async #send(act: Act): Promise<Outcome> {
    try {
      for (;;) {
        const answer = await this.#dispatch(act)
        if (answer.status !== 429 || isForLong(answer)) return this.#read(act, answer)
        await sleep(LIMITED_MS)
      }
    } catch (error) {
      // Where no one listens nothing was sent.
      const why = nameOf(error)
      return why === 'ECONNREFUSED' ? { kind: 'refused', code: 'not_sent' } : { kind: 'unknown', why }
    }
  }

  // As a proxy does: a server where no one listens is passed over.
  async #dispatch(act: Act): Promise<Answer> {
    this.#turn += 1
    const turn = this.#turn
    const { urls } = this.service
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#request(act, urls[(turn + tries) % urls.length]!)
      } catch (error) {
        if (nameOf(error) !== 'ECONNREFUSED' || tries >= urls.length) throw error
      }
    }
  }

  // Only for traffic: nothing moves.
  async quote(member: number, body: object): Promise<string | undefined> {
    const answer = await this.#as(member, this.#nextUrl())
      .post('/quotes', body)
      .catch(() => undefined)
    return answer?.status === 200 ? answer.body.quoteId : undefined
  }

  // Reads are answered, or the service is away: never by an error of its own.
  async look(giftId: string): Promise<void> {
    for (const path of [`${BUY}/${giftId}`, USAGE]) {
      const answer = await call(`${this.#nextUrl()}${path}`, {
        headers: { authorization: `Bearer ${this.#key}` },
        signal: AbortSignal.timeout(ANSWER_MS),
      }).catch(() => undefined)
      if (answer && ![200, ...AWAY].includes(answer.status))
        this.surprises.push(`read: ${answer.status} ${answer.text.slice(0, 200)}`)
    }
  }

  #as(member: number, url: string): Browser {
    const { browser } = this.members[member]!
    browser.url = url
    return browser
  }

  #nextUrl(): string {
    this.#turn += 1
    return this.service.urls[this.#turn % this.service.urls.length]!
  }

  #request(act: Act, url: string): Promise<Answer> {
    switch (act.kind) {
      case 'buy': {
        const { key, phoneNumber, amount } = act
        return this.#post(url + BUY, { phoneNumber, amount }, { 'idempotency-key': key })
      }
      case 'signup':
        return this.#post(url + SIGNUP, signupOf(PARTNER, act.person))
      case 'redeem':
        return this.#as(act.member, url).post('/cards/redeem', { pin: act.pin })
      case 'order':
        return this.#as(act.member, url).post('/orders', { quoteId: act.quoteId })
      case 'withdraw':
        return this.#withdraw(act, url)
    }
  }

  #post(url: string, body: object, headers: Record<string, string> = {}): Promise<Answer> {
    return call(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.#key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_MS),
    })
  }

  // As the page does: asked for identity, the member verifies it and asks again.
  async #withdraw(
    { member, requestId, amount }: Extract<Act, { kind: 'withdraw' }>,
    url: string,
  ): Promise<Answer> {
    const body = { requestId, amount, bank: '088', account: '110-123-456789' }
    const answer = await this.#as(member, url).post('/withdrawals', body)
    if (answer.body?.code !== 'step_up_required') return answer
    // Unverified, nothing has been asked for yet: the refusal stands.
    const verified = await verify(this.#as(member, url), 'step_up', this.members[member]!.person).catch(
      () => null,
    )
    return verified === null ? answer : this.#as(member, url).post('/withdrawals', body)
  }

  #read(act: Act, { status, text, body, headers }: Answer): Outcome {
    if (status === 200) return { kind: 'ok', ...readAnswer(act, body) }
    if (AWAY.includes(status)) {
      // A proxy's own answer has no such header; ours always has.
      if (status === 503 && body !== undefined && !headers.has('retry-after'))
        this.surprises.push(`${act.kind}: 503 without Retry-After`)
      return { kind: 'unknown', why: String(status) }
    }
    const code = body?.code ?? String(status)
    if (status >= 500 || ![...EXPECTED[act.kind], ...this.#alsoRefused].includes(code))
      this.surprises.push(`${act.kind}: ${status} ${text.slice(0, 200)}`)
    return status >= 500 ? { kind: 'unknown', why: code } : { kind: 'refused', code }
  }
}

// A limit for the day is a refusal, and no reason to ask again.
function isForLong({ headers }: Answer): boolean {
  return Number(headers.get('retry-after')) > 60
}

function nameOf(error: unknown): string {
  const { name, cause } = error as Error & { cause?: { code?: string } }
  return cause?.code ?? name
}

function readAnswer(act: Act, body: Answer['body']): Acknowledged {
  switch (act.kind) {
    case 'buy':
      return { id: body.data.giftId }
    case 'signup':
      return { id: body.userKey }
    // A repeated registration adds nothing, but it is the same act: its effect is counted once, by the judge.
    case 'redeem':
      return { id: act.giftId, moved: { KRW_POINT: body.amount } }
    case 'order': {
      const units = Math.round(Number(body.grams) * UNITS_PER_GRAM)
      const metal = body.metal === 'gold' ? 'XAU' : 'XAG'
      const moved =
        body.side === 'buy'
          ? { KRW_POINT: -body.fromPoints, KRW: -body.fromDeposit, [metal]: units }
          : { KRW: body.total, [metal]: -units }
      return { id: body.orderId, moved }
    }
    case 'withdraw':
      return { id: body.id, moved: { KRW: -body.amount } }
  }
}
