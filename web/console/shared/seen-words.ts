import { type Texts, useLanguage, useTexts } from '../../kit/language.tsx'

// From where a person acted, by the name of the fact.
const NAMES: Texts<Record<string, string>> = {
  ko: { by: '방법', address: '주소', session: '세션', host: '서버', account: '기계 계정', seen: '확인된 것' },
  en: {
    by: 'by',
    address: 'address',
    session: 'session',
    host: 'server',
    account: 'machine account',
    seen: 'seen',
  },
}

// The service keeps what was seen of a person in English words, separated by commas. Each is one of these.
const KOREAN: readonly [RegExp, string][] = [
  [/^nothing was seen but the name$/, '이름 말고는 확인된 것이 없음'],
  [/^a browser at (.+)$/, '브라우저 $1'],
  [/^uid unknown$/, 'uid 알 수 없음'],
  [/^no login$/, '로그인 기록 없음'],
  [/^login (\d+)$/, '로그인 uid $1'],
  [/^sudo by (\d+)$/, 'uid $1의 sudo'],
  [/^no terminal$/, '터미널 없음'],
  [/^at a terminal$/, '터미널에서'],
  [/^console$/, '콘솔'],
  [/^command line$/, '명령줄'],
]

// What was seen of a person who acted, in the reader's language. An unknown word stays as it is.
export function useSeenWords() {
  const { language } = useLanguage()
  const names = useTexts(NAMES)
  const inKorean = (part: string) => {
    // `$^` matches no word, so an unknown one stays as it is.
    const [from, to] = KOREAN.find(([pattern]) => pattern.test(part)) ?? [/$^/, '']
    return part.replace(from, to)
  }
  return {
    nameOf: (name: string) => names[name] ?? name,
    seenOf: (seen: string) => (language === 'ko' ? seen.split(', ').map(inKorean).join(', ') : seen),
  }
}
