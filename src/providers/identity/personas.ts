import { createHash } from 'node:crypto'
import type { Applicant, StartOutcome, VerifiedPerson } from './port.ts'

// The people of the sandbox. The simulated provider, the stand-in of the real one and the demo data share them.

export interface Persona extends VerifiedPerson {
  carrier: Applicant['carrier']
  // Another phone in their name, to change to.
  newMdn?: string
  // What becomes of a verification that is started for them.
  starts: StartOutcome['kind']
  note: { ko: string; en: string }
}

// The same for the same text, for ever.
export function ciOf(text: string): string {
  return createHash('sha512').update(`ingot sandbox ${text}`).digest('base64')
}

// Known to two of the demo partners, and holding a little of everything.
export const DEMO_PERSONA = {
  ci: `${'aW5nb3QgZGVtbyBtZW1iZXIg'.repeat(4).slice(0, 86)}==`,
  name: '김데모',
  birthday: '19900131',
  gender: 'F',
  isForeigner: false,
  mdn: '01012345678',
  carrier: 'SKT',
  starts: 'sent',
  note: {
    ko: '데모 회원: 데모 제휴사 두 곳의 회원이고 자산이 조금씩 있어요.',
    en: 'The demo member: known to two demo partners, with a little of everything.',
  },
} as const satisfies Persona

export const PERSONAS: readonly Persona[] = [
  DEMO_PERSONA,
  {
    ci: ciOf('persona 1'),
    name: '김하나',
    birthday: '19920315',
    gender: 'F',
    isForeigner: false,
    mdn: '01000010001',
    carrier: 'SKT',
    starts: 'sent',
    newMdn: '01000020009',
    note: {
      ko: '성인 여성: 모두 잘 돼요. 010-0002-0009도 본인 번호예요.',
      en: 'An adult woman: everything works. 010-0002-0009 is hers too.',
    },
  },
  {
    ci: ciOf('persona 2'),
    name: '이두리',
    birthday: '19851102',
    gender: 'M',
    isForeigner: false,
    mdn: '01000010002',
    carrier: 'KT',
    starts: 'sent',
    note: { ko: '성인 남성: 모두 잘 돼요.', en: 'An adult man: everything works.' },
  },
  {
    ci: ciOf('persona 3'),
    name: '박어린',
    birthday: '20200505',
    gender: 'F',
    isForeigner: false,
    mdn: '01000010003',
    carrier: 'LGU',
    starts: 'sent',
    note: { ko: '만 14세 미만이에요.', en: 'Under 14 years of age.' },
  },
  {
    ci: ciOf('persona 4'),
    name: 'SMITH JOHN',
    birthday: '19880704',
    gender: 'M',
    isForeigner: true,
    mdn: '01000010004',
    carrier: 'KT_MVNO',
    starts: 'sent',
    note: { ko: '외국인이에요.', en: 'A foreigner.' },
  },
  {
    ci: ciOf('persona 5'),
    name: '최무음',
    birthday: '19790920',
    gender: 'M',
    isForeigner: false,
    mdn: '01000010005',
    carrier: 'SKT_MVNO',
    starts: 'unavailable',
    note: {
      ko: '인증번호가 오지 않아요: 인증 기관이 응답하지 않아요.',
      en: 'No code ever arrives: the provider does not answer.',
    },
  },
  {
    ci: ciOf('persona 6'),
    name: '정모름',
    birthday: '20010228',
    gender: 'F',
    isForeigner: false,
    mdn: '01000010006',
    carrier: 'LGU_MVNO',
    starts: 'refused',
    note: { ko: '통신사가 모르는 사람이에요.', en: 'Nobody the carrier knows.' },
  },
]

export function personaByMdn(mdn: string): Persona | undefined {
  return PERSONAS.find((persona) => persona.mdn === mdn || persona.newMdn === mdn)
}

// A carrier compares what was typed with what it knows.
export function isTheirs(
  persona: Persona,
  { name, birthday, gender }: Pick<Applicant, 'name' | 'birthday' | 'gender'>,
) {
  return persona.name === name.trim() && persona.birthday === birthday && persona.gender === gender
}
