import { RULES_AT } from './imports.ts'
import { isTest, lineAt, readSource } from './source.ts'

// What the service is about. Words that also mean something to a computer (account, order, quote, point, statement, user)
// are left out.
const NOUNS = new Set(
  `alimtalk card consent customer deposit delivery giftcard gift gold holding ledger member metal partner passkey
   payout pin price pricing purchase purchased recipient redeem redeemed redemption refund settlement signup silver
   trade trading transfer voucher webhook withdrawal`.split(/\s+/),
)
// The allow-list of what may be logged is one for all, so that a new field is a decision.
const KNOWN: Record<string, readonly string[]> = { 'src/base/log.ts': ['partner'] }
const WORD = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g

// Base serves any service: neither its names nor its texts may say what this one sells. Comments may, as examples.
export function checkBaseWords(path: string, text: string): string[] {
  if (!path.startsWith('src/base/') || isTest(path)) return []
  const breaches = new Map<number, string>()
  for (const match of withoutComments(text).matchAll(WORD)) {
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

function nounIn(word: string): string | undefined {
  return [word, word.replace(/s$/, ''), word.replace(/ies$/, 'y')].find((form) => NOUNS.has(form))
}

function withoutComments(text: string): string {
  const { comments } = readSource(text)
  return text.replace(/./g, (char, at: number) => (comments[at] === ' ' ? char : ' '))
}
