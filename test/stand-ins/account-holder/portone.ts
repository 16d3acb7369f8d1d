import { createFaulty } from '#stand-ins/faults.ts'
import { type Reply, type StandInRequest, serveHttp } from '#stand-ins/http.ts'

// PortOne v2's account holder look-up, with a bank behind it that knows the accounts it is given.

interface AccountHolderStandInOptions {
  apiSecret: string
  // By PortOne's name of the bank and the number: `SHINHAN 110123456789`. A reply instead of a name is answered as it is.
  accounts: Record<string, string | Exclude<Reply, string>>
}

export async function startAccountHolderStandIn({ apiSecret, accounts }: AccountHolderStandInOptions) {
  const requests: string[] = []
  const faulty = createFaulty()
  const answer = ({ method, path, headers }: StandInRequest): Reply => {
    const [, house, banks, bank = '', account = '', holder] = path.split('/').map(decodeURIComponent)
    requests.push(`${bank} ${account}`)
    if (headers.authorization !== `PortOne ${apiSecret}`) return refused(401, 'UNAUTHORIZED')
    if (method !== 'GET' || house !== 'platform' || banks !== 'bank-accounts' || holder !== 'holder')
      return { status: 404, body: {} }
    const known = accounts[`${bank} ${account}`]
    if (known === undefined) return refused(502, 'PLATFORM_EXTERNAL_API_FAILED')
    if (typeof known !== 'string') return known
    return { status: 200, body: { holderName: known, accountVerificationId: 'verification-1' } }
  }
  const server = await serveHttp({ handle: (request) => faulty.handle(request, () => answer(request)) })
  return { ...server, requests, accounts, breakAll: faulty.breakAll }
}

export const refused = (status: number, type: string) => ({
  status,
  body: { type, message: '요청을 처리할 수 없습니다.' },
})
