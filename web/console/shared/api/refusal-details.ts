import type { Language } from '../../../kit/format.ts'

// What the service says of one field, in English. It names the field as the address does.
const KOREAN_DETAILS: readonly [said: RegExp, korean: string][] = [
  [/must be (?:one )?of (.+)$/, '다음 중에서 골라 주세요: $1'],
  [/must be won such as (\S+), (\S+) or (\S+)$/, '$1, $2, $3처럼 금액을 적어 주세요'],
  [/must be days such as (\S+), (\S+) or (\S+)$/, '$1, $2, $3처럼 날짜를 적어 주세요'],
  [/must be the code of a partner$/, '제휴사 코드를 적어 주세요'],
  [/must be a phone number$/, '전화번호를 적어 주세요'],
  [/must be a whole name$/, '이름 전체를 적어 주세요'],
  [/must be an id$/, 'ID를 적어 주세요'],
  [/must have (\d+) to (\d+) characters$/, '$1자에서 $2자까지 적어 주세요'],
  [/(\w+) needs the filter (\S+)$/, '$1 정렬은 $2 필터와 함께 써 주세요'],
  [/must be one that a page of this sort answered with$/, '목록을 처음부터 다시 열어 주세요'],
]

export function detailText(detail: string, language: Language): string {
  if (language === 'en') return detail
  const known = KOREAN_DETAILS.find(([said]) => said.test(detail))
  return known ? detail.replace(...known) : detail
}
