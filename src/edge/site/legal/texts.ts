import type { Language } from '#edge/http/language.ts'
import type { Operator } from '#modules/operator/types.ts'

type Line = [name: string, value: string | undefined]

// The words of the legal pages.
export const TEXTS = {
  ko: {
    nav: '약관과 정책',
    terms: '이용약관',
    privacy: '개인정보 처리방침',
    protection: '자산 보관과 보호',
    about: (name: string) => `${name} 사업자 정보`,
    sample: '연습용 예시예요. 실제 사업자가 아니에요.',
    details: (operator: Operator): Line[] => [
      ['상호', operator.name],
      ['대표', operator.representative],
      ['사업자등록번호', operator.businessNumber],
      ['통신판매업 신고번호', operator.mailOrderNumber],
      ['전자금융업 등록번호', operator.financeNumber],
      ['주소', operator.address],
      ['전화', operator.phone],
      ['이메일', operator.email],
      ['개인정보 보호책임자', operator.privacyOfficer],
      ['호스팅 제공자', operator.host],
    ],
    from: (day: string) => `시행일 ${day}`,
    current: '지금 시행 중이에요',
    former: '지난 버전이에요. 지금은 시행하지 않아요.',
    coming: '시행 예정이에요.',
    toCurrent: '지금 시행 중인 버전 보기',
    versions: '모든 버전',
    menu: '메뉴',
    assets: '내 자산',
    holder: '금과 은은 누가 보관하나요',
    held: (custodian: string) =>
      `회원이 구매한 금과 은은 ${custodian}에서 보관해요. 회원마다 0.0001 g 단위로 장부에 기록하고, 장부는 지우거나 고칠 수 없어요.`,
    balances: '포인트와 예치금은 어떻게 보호하나요',
    noDeposit:
      '포인트와 예치금은 은행 예금이 아니에요. 예금자보호법에 따른 보호 대상이 아니에요. 금과 은의 가격은 내려갈 수 있어요.',
    own: '출금은 본인만 할 수 있어요',
    ownBody:
      '예치금은 회원 본인 명의 계좌로만 출금할 수 있고, 최근 10분 안에 본인 확인을 한 경우에만 신청할 수 있어요. 처음 쓰는 계좌로는 하루를 기다린 뒤에 보내고, 그동안 알림의 링크로 멈출 수 있어요.',
    ask: '문의',
  },
  en: {
    nav: 'Terms and policies',
    terms: 'Terms',
    privacy: 'Privacy policy',
    protection: 'Custody and protection',
    about: (name: string) => `About ${name}`,
    sample: 'A sample for the sandbox: this company does not exist.',
    details: (operator: Operator): Line[] => [
      ['Company', operator.name],
      ['Representative', operator.representative],
      ['Business registration', operator.businessNumber],
      ['Mail-order registration', operator.mailOrderNumber],
      ['Electronic finance registration', operator.financeNumber],
      ['Address', operator.address],
      ['Telephone', operator.phone],
      ['E-mail', operator.email],
      ['Privacy officer', operator.privacyOfficer],
      ['Hosting', operator.host],
    ],
    from: (day: string) => `In force from ${day}`,
    current: 'In force now',
    former: 'A former version, no longer in force.',
    coming: 'Not in force yet.',
    toCurrent: 'See the version in force',
    versions: 'All versions',
    menu: 'Menu',
    assets: 'My assets',
    holder: 'Who holds the gold and silver',
    held: (custodian: string) =>
      `The gold and silver that members buy are held by ${custodian}. Each member's share is on the books in units of 0.0001 g, and the books cannot be erased or changed.`,
    balances: 'How points and deposits are protected',
    noDeposit:
      'Points and deposits are not a bank account and are not covered by the Depositor Protection Act. Gold and silver can lose value.',
    own: 'Only you can withdraw',
    ownBody:
      'A deposit can be withdrawn to an account in your own name only, and only within ten minutes of verifying your identity. The first payout to a new account waits a day, in which the link in its message stops it.',
    ask: 'Questions',
  },
} as const satisfies Record<Language, unknown>
