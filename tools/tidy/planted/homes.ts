import { checkHomes } from '../homes.ts'
import type { PlantedCheck } from '../planted-case.ts'

export const HOMES: PlantedCheck = [
  'homes of rules',
  checkHomes,
  [
    ['db/functions/key_lock.sql', 'select 4857102::bigint', ''],
    [
      'db/functions/a.sql',
      'x\nperform pg_advisory_xact_lock_shared(4857102);',
      /a\.sql:2 4857102: .*key_lock\(\).*CONTRIBUTING\.md, Style\)$/,
    ],
    ['db/migrations/0001_a.sql', 'perform pg_advisory_xact_lock_shared(4857102);', ''],
    [
      'src/flows/books/a.ts',
      "text: `select won_per_gram from metal_price where metal = 'XAU'\n  order by at desc limit 1`",
      /newest_price\(\)/,
    ],
    ['src/flows/books/a.ts', 'sql`select from metal_price where at < $1`', ''],
    [
      'src/flows/books/a.ts',
      '(select * from trading_terms t where t.metal = $1 order by t.id desc limit 1)',
      /terms/,
    ],
    ['src/flows/books/a.ts', '(select max(p.at) from metal_price p where p.metal = $1)', /newest_price\(\)/],
    [
      'src/flows/books/a.ts',
      'select distinct on (metal) * from metal_price order by metal, at desc',
      /newest_price\(\)/,
    ],
    ['src/flows/books/a.ts', "db.selectFrom('metal_price').orderBy('at', 'desc')", /newest_price\(\)/],
    ['src/flows/books/a.ts', '(select max(id) from trading_terms where metal = $1)', /current_terms\(\)/],
    ['src/flows/books/a.ts', "sum(case when a.asset = 'KRW' then balance end)", /balances_of\(\)/],
    ['src/flows/books/a.ts', "max(balance) filter (where asset = 'KRW')", /balances_of\(\)/],
    ['src/flows/books/a.ts', 'case when u.confirmed then u.member_id else u.id end', /link_holder\(\)/],
    [
      'src/flows/books/a.ts',
      "case when u.status = 'active' and u.confirmed then u.member_id else u.id end",
      /link_holder\(\)/,
    ],
    ['src/flows/books/a.ts', 'case u.confirmed when true then u.member_id else u.id end', /link_holder\(\)/],
    ['src/flows/books/a.ts', 'case when a then b end, u.confirmed', ''],
    ['src/flows/sessions/a.ts', 'seen_at > now() - make_interval(mins => 30)', /liveSession\(\)/],
    ['src/flows/sessions/a.ts', "created_at > now() - '8 hours'::interval", /liveSession\(\)/],
    ['src/flows/sessions/a.ts', "now() - interval '5 minutes' - make_interval(mins => 5)", ''],
    ['src/flows/sessions/a.ts', "seen_at > now() - interval '30 minutes'", /liveSession\(\)/],
    ['src/edge/site/a.ts', "reply.header('retry-after', 1)", /retryAfterSeconds/],
    ['src/edge/site/a.ts', "reply.headers({ 'Retry-After': 1 })", /retryAfterSeconds/],
    ['src/edge/http/errors.ts', "reply.header('retry-after', 1)", ''],
    ['src/jobs/a.ts', "/^40/.test(error.code ?? '')", /isDeadlock/],
    ['src/jobs/a.ts', "if (code === '40001') again()", /isDeadlock/],
    ['src/flows/accounts/a.ts', "readonly code = '40001'", ''],
    ['src/jobs/a.ts', 'if (!isDeadlock(error)) throw error', /retryPatiently\(\)/],
    ['src/flows/books/a.ts', "if (outcome === 'stale_keys') retry()", /retryStaleKeys/],
    ['src/flows/books/a.ts', "while (outcome !== 'stale_keys') retry()", /retryStaleKeys/],
    ['src/flows/books/a.ts', "metrics.batchSeconds.startTimer({ batch: 'a' })", /createBatchedWrite/],
  ],
]
