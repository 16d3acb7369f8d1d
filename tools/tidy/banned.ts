import { isTest, lineAt, readSource } from './source.ts'

interface Ban {
  readonly pattern: RegExp
  readonly instead: string
  applies(path: string): boolean
}

const inSrc = (path: string) => path.startsWith('src/') && !isTest(path)
const inProve = (path: string) => path.startsWith('prove/')
const inFlows = (path: string) => path.startsWith('src/flows/') && !isTest(path)
const CLOCK = 'service_now() of the database, Temporal for dates, performance.now() for durations'

const BANS: readonly Ban[] = [
  { pattern: /\bDate\s*\.\s*now\b/g, instead: CLOCK, applies: inSrc },
  { pattern: /\bnew\s+Date\b/g, instead: CLOCK, applies: inSrc },
  { pattern: /\bMath\s*\.\s*random\b/g, instead: 'node:crypto', applies: inSrc },
  {
    pattern: /\bMath\s*\.\s*random\b|\brandom(?:Int|Bytes|UUID)\b/g,
    instead: 'Random of #test/random.ts: everything follows from the seed',
    applies: inProve,
  },
  {
    // The object of that name. `console` is also an audience.
    pattern: /(?<![.\w])console(?=\s*[.[])|(?<==\s*)console\b/g,
    instead: 'log, or process.stdout for a command’s result',
    applies: inSrc,
  },
  {
    pattern: /^\s*(?:export )?(?:declare )?(?:const )?enum\b/gm,
    instead: 'an `as const` tuple',
    applies: inSrc,
  },
  {
    pattern: /\bprocess\s*(?:\?\.|\.)\s*env\b|\bprocess\s*\[|=\s*process\s*$/gm,
    instead: 'a setting in app/config.ts',
    applies: inSrc,
  },
  // A refusal is an outcome. Thrown are: the database is away, a frozen member, a lost race, a caught error once more.
  {
    pattern:
      /\bthrow\s+(?!new (?:Unavailable|MemberFrozen|SignupRace|RotationReplaced|RolledBack)\b|(?:\w+\.)?error\b)(?:new\s+)?\w+/g,
    instead: 'an outcome with a reason (flows/kit/outcome.ts)',
    applies: inFlows,
  },
  { pattern: /\bformatWon\b/g, instead: 'the amount as a fact: who shows it words it', applies: inFlows },
  {
    pattern: /\.(?:skip|only|todo)\s*\(|\b(?:skip|only|todo): true\b/g,
    instead: 'a test that runs, or none',
    applies: isTest,
  },
]
// Only the command line hands the environment over, whole, to the file that reads it.
const HANDED_OVER = /\bmain\(process\.argv\.slice\(2\), process\.env\)/g
// JSON Schema's format takes `urn:uuid:…`, which PostgreSQL refuses.
const LOOSE_UUID = /\bformat:\s*(['"`])uuid\1/g
// A reason is a code that a script, a page and a command line decide by.
const SENTENCE = /\b(?:refused\(|reason: )(['"`])(?![a-z0-9_]+\1).*/g
// One word for each thing on the pages, in messages and in files; 사기 also means fraud.
const KOREAN: readonly [word: RegExp, instead: string][] = [
  [/(?<![가-힣])(?:사기|사러|매수)/g, '구매'],
  [/(?<![가-힣])(?:팔기|팔러|매도)/g, '판매'],
  [/(?<![가-힣])카드/g, '상품권'],
  [/(?:사용 ?|유효 )(?:기한|기간)/g, '유효기간'],
  [/(?<![가-힣])파트너/g, '제휴사'],
]
const speaksKorean = (path: string) =>
  /^(?:src|web)\//.test(path) && !isTest(path) && !path.endsWith('/korean-words.ts')
const UNFINISHED = /\b(?:TODO|FIXME|XXX)\b/g

export function checkBanned(path: string, text: string): string[] {
  const source = readSource(text)
  const code = path === 'src/main.js' ? source.code.replace(HANDED_OVER, blank) : source.code
  const breaches: string[] = []
  for (const { pattern, instead, applies } of BANS) {
    if (!applies(path)) continue
    for (const match of code.matchAll(pattern)) {
      const offset = match.index + match[0].search(/\S/)
      breaches.push(`${path}:${lineAt(code, offset)} ${match[0].trim()}: use ${instead}`)
    }
  }
  for (const match of inSrc(path) ? text.matchAll(LOOSE_UUID) : []) {
    breaches.push(`${path}:${lineAt(text, match.index)} ${match[0]}: use uuid() of edge/http/uuid.ts`)
  }
  for (const match of inFlows(path) ? text.matchAll(SENTENCE) : []) {
    breaches.push(`${path}:${lineAt(text, match.index)} ${match[0]}: a reason is a snake_case code`)
  }
  for (const [word, instead] of speaksKorean(path) ? KOREAN : []) {
    for (const match of text.matchAll(word)) {
      breaches.push(`${path}:${lineAt(text, match.index)} ${match[0]}: say ${instead}`)
    }
  }
  for (const match of source.comments.matchAll(UNFINISHED)) {
    breaches.push(`${path}:${lineAt(text, match.index)} ${match[0]}: finish it, or open an issue`)
  }
  return breaches
}

function blank(match: string): string {
  return match.replace(/./g, ' ')
}
