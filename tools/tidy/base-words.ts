import { RULES_AT } from './imports.ts'
import { isTest, lineAt, readSource } from './source.ts'

// What the service is about. `statement` is left out: to base it is what a database is told.
const NOUNS = new Set(
  `account alimtalk card consent customer deposit delivery giftcard gift gold holding ledger member metal order partner passkey
   payout pin point price pricing purchase purchased quote recipient redeem redeemed redemption refund settlement signup silver
   trade trading transfer user voucher webhook withdrawal`.split(/\s+/),
)
const KNOWN: Record<string, readonly string[]> = {
  // The quotation mark.
  'src/base/text/json.ts': ['quote'],
  // The allow-list of what may be logged is one for all, so that a new field is a decision.
  'src/base/log.ts': ['partner'],
  // A user of the database.
  'src/base/db/address.ts': ['user'],
  // A user of the operating system.
  'src/base/origin.ts': ['user'],
}
// What a computer means by such a word, wherever it stands.
const TERMS = /\border by\b|code_?point|tcp_user_timeout/gi
const WORD = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g

// Base serves any service: neither its names nor its texts may say what this one sells. Comments may, as examples.
export function checkBaseWords(path: string, text: string): string[] {
  if (!path.startsWith('src/base/') || isTest(path)) return []
  const breaches = new Map<number, string>()
  for (const match of withoutComments(text).replace(TERMS, blank).matchAll(WORD)) {
    const noun = nounIn(match[0].toLowerCase())
    const line = lineAt(text, match.index)
    if (noun === undefined || KNOWN[path]?.includes(noun) || breaches.has(line)) continue
    breaches.set(
      line,
      `${path}:${line} ${noun}: base has no business nouns; this belongs to a module or flow ${RULES_AT}`,
    )
  }
  return [...breaches.values()]
}

const blank = (term: string) => ' '.repeat(term.length)

function nounIn(word: string): string | undefined {
  return [word, word.replace(/s$/, ''), word.replace(/ies$/, 'y')].find((form) => NOUNS.has(form))
}

function withoutComments(text: string): string {
  const { comments } = readSource(text)
  return text.replace(/./g, (char, at: number) => (comments[at] === ' ' ? char : ' '))
}
