import { addMember, newPerson, type TestMember, type TestPerson, userInfoOf } from './member.ts'
import { grantAssets } from './operator.ts'
import { until } from './patience.ts'
import { SIGNUP } from './people.ts'
import { call, type TestPartner, type TestService } from './service.ts'

export interface TestNotice {
  channel: string
  to: string
  body: string
  giftId: null
  sentAt: string
  status: string
}

// A member, signed in, with won to withdraw.
export async function addRichMember(
  service: TestService,
  partner: TestPartner,
  person: TestPerson = newPerson(),
  won = 1_000_000n,
): Promise<TestMember> {
  const { code } = partner.partner
  const signup = { traceNo: 't', partner: code, userInfo: userInfoOf(person) }
  const { userKey } = (await partner.post(SIGNUP, signup)).body
  const named = { partner: code, partnerKey: userKey }
  await grantAssets(service.database, { ...named, amounts: { KRW: won }, actor: 'test' })
  return addMember(service, person)
}

export async function noticesTo({ url }: Pick<TestService, 'url'>, mdn: string): Promise<TestNotice[]> {
  return (await call(`${url}/dev/inbox.json?kind=notice&to=${mdn}`)).body
}

// Once there are so many to the number, newest first, by what they say.
export function waitForNotices(
  service: Pick<TestService, 'url'>,
  mdn: string,
  count: number,
): Promise<TestNotice[]> {
  return until(async () => {
    const notices = await noticesTo(service, mdn)
    return notices.length >= count && notices
  })
}

export function stopCodeIn({ body }: Pick<TestNotice, 'body'>): string {
  return /\/stop#(\S+)/.exec(body)?.[1] ?? ''
}
