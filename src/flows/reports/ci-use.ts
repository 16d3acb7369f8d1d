import { type Answer, type Asking, BEFORE, type Column, type Names, SINCE } from '#flows/reports/report.ts'
import type { Days } from '#modules/prepaid/types.ts'

// Acts in which the CI of a person was compared with those that are kept, as far as they leave a record.
const USES = `
  select 'partner_signup' as use, p.code as partner, count(*)::int as count
    from signup_trace t join partner_user u on u.id = t.partner_user_id join partner p on p.id = u.partner_id
   where t.at >= ${SINCE} and t.at < ${BEFORE}
   group by p.code
  union all
  select e.action, null, count(*)::int from audit_entry e
   where e.action = any ($3::text[]) and e.at >= ${SINCE} and e.at < ${BEFORE}
   group by e.action
  union all
  select 'new_member', null, count(*)::int from member m where m.created_at >= ${SINCE} and m.created_at < ${BEFORE}
   order by 1, 2`

const PURPOSES: Record<string, Names> = {
  partner_signup: {
    ko: '제휴사의 가입 요청: 같은 사람인지 비교',
    en: 'Signup by a partner: is it a person we know',
  },
  'member.signup': { ko: '사이트 회원 가입', en: 'Sign-up on the site' },
  'member.verify': {
    ko: '본인 확인: 로그인한 회원과 같은 사람인지 비교',
    en: 'Identity proved again: is it the member who is logged in',
  },
  'member.recover': { ko: '계정 찾기', en: 'Account recovery' },
  'member.phone_login': { ko: '휴대폰 본인 확인 로그인', en: 'Log-in by identity' },
  new_member: { ko: '새로 보관한 연계정보', en: 'CIs that were stored for the first time' },
}

const ACTIONS = Object.keys(PURPOSES).filter((name) => name.startsWith('member.'))

const COLUMNS: readonly Column[] = [
  { name: 'use', kind: 'choice', names: { ko: '용도', en: 'Purpose' }, choices: PURPOSES },
  { name: 'partner', kind: 'text', names: { ko: '제휴사', en: 'Partner' } },
  { name: 'count', kind: 'count', names: { ko: '횟수', en: 'Times' } },
]

export async function readCiUse(asking: Asking, { from, to }: Days): Promise<Answer> {
  const rows = await asking.ask<{ use: string; partner: string | null; count: number }>(USES, [
    from,
    to,
    ACTIONS,
  ])
  return {
    columns: COLUMNS,
    rows: rows.map(({ use, partner, count }) => [use, partner, count]),
    notes: [
      {
        ko: '기록하지 않는 것: 끝내지 않았거나 거절된 본인 확인(한 시간 뒤 지움), 같은 추적 번호로 다시 온 가입 요청, 키 교체 때의 다시 계산.',
        en: 'Not recorded: verifications that were refused or not finished (erased after an hour), signups repeated under the same trace number, and the new hashes of a key rotation.',
      },
      {
        ko: '연계정보는 누구에게도 보여 주거나 보내지 않습니다. 본인이 받는 개인정보 파일에도 없습니다.',
        en: 'A CI is never shown or sent to anyone. Even a person’s own data file leaves it out.',
      },
    ],
  }
}
