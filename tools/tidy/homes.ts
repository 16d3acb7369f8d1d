import { isTest, lineAt } from './source.ts'

interface Home {
  // What only its home may write.
  readonly pattern: RegExp
  readonly home: RegExp
  readonly instead: string
}

// Rules that have one home. Statements and functions in SQL are read too: a migration is what was, and stays.
const HOMES: readonly Home[] = [
  {
    pattern: /\b4_?857_?102\b/g,
    home: /^db\/functions\/key_lock\.sql$/,
    instead: 'key_lock() of db/functions',
  },
  {
    // write_orders looks for the price that an old quote was made with, which is another rule.
    pattern:
      /\bfrom\s+metal_price\b[^`;]*?\border\s+by\s[^`;]*?\bat\s+desc\b|\bmax\(\s*(?:\w+\.)?at\s*\)[^`;]*?\bfrom\s+metal_price\b|From\('metal_price\b/gi,
    home: /^db\/functions\/(?:newest_price|write_orders)\.sql$|^src\/modules\/pricing\/store\.ts$/,
    instead: 'newest_price() of db/functions',
  },
  {
    pattern:
      /\bfrom\s+trading_terms\b[^`;]*?\border\s+by\s[^`;]*?\bid\s+desc\b|\bmax\(\s*(?:\w+\.)?id\s*\)[^`;]*?\bfrom\s+trading_terms\b|From\('trading_terms\b/gi,
    // A guard depends on no other function (decisions/0056).
    home: /^db\/functions\/(?:current_terms|refuse_lone_terms)\.sql$/,
    instead: 'current_terms() of db/functions',
  },
  {
    pattern: /\b(?:filter\s*\(\s*where|\(\s*case\s+when|\(\s*case)\s+(?:\w+\.)?asset\b/gi,
    home: /^db\/functions\/balances_of\.sql$/,
    instead: 'balances_of() of db/functions',
  },
  {
    pattern: /\bcase\b(?:(?!\b(?:end|then)\b)[^`;])*\bconfirmed\b/gi,
    home: /^db\/functions\/link_holder\.sql$/,
    instead: 'link_holder() of db/functions',
  },
  {
    pattern:
      /'(?:30 min(?:ute)?s?|480 min(?:ute)?s?|1800 sec(?:ond)?s?|8 hours?|0?0:30(?::00)?|0?8:00:00|PT30M|PT8H)'|\bmake_interval\(\s*(?:mins\s*=>\s*(?:30|480)|hours\s*=>\s*8|secs\s*=>\s*(?:1_?800|28_?800))\b/gi,
    home: /^src\/modules\/sessions\/rules\.ts$/,
    instead: 'liveSession() of modules/sessions',
  },
  {
    pattern: /['"`]retry-after['"`]/gi,
    // The second one documents it.
    home: /^src\/edge\/http\/(?:errors|documented-headers)\.ts$/,
    instead: 'an ApiError with retryAfterSeconds',
  },
  {
    // Asked, not thrown: a flow may fail as a serialization does.
    pattern: /\/\^40|['"`]40P01['"`]|(?:[!=]==? ['"`]40001|startsWith\(['"`]40)['"`]/g,
    home: /^src\/base\/db\/errors\.ts$/,
    instead: 'isDeadlock() or retryDeadlocked()',
  },
  {
    pattern: /\bisDeadlock\b/g,
    home: /^src\/(?:base\/db\/errors|flows\/kit\/retries)\.ts$/,
    instead: 'retryDeadlocked() or retryPatiently() of flows/kit',
  },
  {
    pattern: /(?:[!=]==?|\bcase) ['"`]stale_keys['"`]|\bSTALE_TRIES\b/g,
    home: /^src\/(?:flows\/kit\/retries|modules\/(?:gift-cards|members)\/store)\.ts$/,
    instead: 'retryStaleKeys() of flows/kit',
  },
  {
    pattern: /\bbatchSeconds\.startTimer\b|\bbatchRerun\b(?!: )/g,
    home: /^src\/(?:flows\/kit\/batched-write|flows\/gift-cards\/buy-gift-cards)\.ts$/,
    instead: 'createBatchedWrite() of flows/kit',
  },
]

export function checkHomes(path: string, text: string): string[] {
  if (!/^(?:src\/.*\.tsx?|db\/functions\/.*\.sql)$/.test(path) || isTest(path)) return []
  return HOMES.filter(({ home }) => !home.test(path)).flatMap(({ pattern, instead }) =>
    [...text.matchAll(pattern)].map(
      (match) =>
        `${path}:${lineAt(text, match.index)} ${match[0].replace(/\s+/g, ' ').slice(0, 60)}: this rule has a home, use ${instead} (see CONTRIBUTING.md, Style)`,
    ),
  )
}
