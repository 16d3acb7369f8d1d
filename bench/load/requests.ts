// What the connections send. Plain data, as it crosses from the benchmark to the generator's process.
export type Plan =
  // Connection i buys with key i, and from the start again when there are fewer keys than connections.
  | { kind: 'buy'; keys: readonly string[]; firstPhone: number; idempotent?: boolean }
  | { kind: 'get'; key?: string; paths: readonly string[] }

export type NextRequest = () => Buffer

// Korean mobile numbers 010-2000-0000 to 010-4999-9999: all of them valid, and enough for any run.
const FIRST_PHONE = 20_000_000
const LAST_PHONE = 49_999_999

export function requestsOf(plan: Plan): (connection: number) => NextRequest {
  return plan.kind === 'buy' ? purchases(plan) : gets(plan)
}

function purchases(plan: Extract<Plan, { kind: 'buy' }>): (connection: number) => NextRequest {
  let phone = FIRST_PHONE + plan.firstPhone
  return (connection) => {
    const body = '{"phoneNumber":"010########","amount":50000}'
    const request = Buffer.from(
      'POST /v2/partner/metal/giftcard/buy HTTP/1.1\r\nHost: bench\r\n' +
        `Authorization: Bearer ${plan.keys[connection % plan.keys.length]}\r\n` +
        (plan.idempotent ? 'Idempotency-Key: order-########\r\n' : '') +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    const places = [request.indexOf('########'), request.lastIndexOf('########')]
    return () => {
      if (phone > LAST_PHONE) throw new Error('out of phone numbers')
      // Written into the one buffer of this connection: its last request has been answered by now.
      for (const place of places) request.write(String(phone), place, 'latin1')
      phone += 1
      return request
    }
  }
}

function gets(plan: Extract<Plan, { kind: 'get' }>): (connection: number) => NextRequest {
  const authorization = plan.key === undefined ? '' : `Authorization: Bearer ${plan.key}\r\n`
  const requests = plan.paths.map((path) =>
    Buffer.from(`GET ${path} HTTP/1.1\r\nHost: bench\r\n${authorization}\r\n`),
  )
  let next = 0
  return () => () => {
    next = (next + 1) % requests.length
    return requests[next]!
  }
}
