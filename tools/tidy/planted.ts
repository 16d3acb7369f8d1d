import { checkBanned } from './banned.ts'
import { checkCircles } from './circles.ts'
import { checkColours } from './colours.ts'
import { checkDocumentPaths } from './documents.ts'
import { checkImports } from './imports.ts'
import type { PlantedCheck } from './planted-case.ts'
import { PLANTED_WORDS } from './planted-words.ts'
import { checkDecisions, checkMachine, checkNpmrc, checkSqlHomes } from './repository.ts'
import { checkSizes } from './sizes.ts'
import { checkWrites } from './writes.ts'

const STORE = `import type { Database, Db, Tx } from '#base/db.ts'
export function findIt(db: Db) { return db }
export function saveIt(
  tx: Tx,
  what: string,
) { return [tx, what] }
export const writeIt = (database: Database) => database.writeOnce(IT, [])
export function createIt(database: Database) { return () => writeIt(database) }
`
const around = new Map([
  ['src/modules/cards/store.ts', STORE],
  ['src/base/pure.ts', "import { isIP } from 'node:net'\nimport { x } from '#base/assert.ts'"],
  ['src/base/assert.ts', ''],
  ['src/base/db.ts', "import pg from 'pg'"],
  ['src/base/near-db.ts', "import { open } from '#base/db.ts'"],
  ['src/base/listen.ts', "import { createServer } from 'node:net'"],
])
const RULES = 'src/modules/cards/rules.ts'

const AROUND_CIRCLES: readonly [path: string, text: string][] = [
  ['package.json', '{ "imports": { "#base/*": "./src/base/*", "#test/*": "./test/harness/*" } }'],
  ['src/base/b.ts', "import type { A } from './a.ts'\nimport { d } from '#base/d.ts'"],
  ['src/base/d.ts', ''],
  ['web/kit/b.tsx', "import { c } from './c.tsx'"],
  ['web/kit/c.tsx', "import { a } from './a.tsx'"],
  ['test/harness/b.ts', "import { a } from '#test/a.ts'"],
  ['bench/b.ts', "import './c.ts'"],
  ['bench/c.ts', "import './a.ts'"],
]

const lines = (count: number) => '  x()\n'.repeat(count)
// Put together here, so that the check does not find them in this file.
const SOMEONES_HOME = ['', 'home', 'someone', 'ingot'].join('/')
const SOMEONES_FOLDER = ['C:', 'Users', 'someone'].join('\\')

// Every check with what it must find and what it must leave alone.
export const PLANTED: readonly PlantedCheck[] = [
  ...PLANTED_WORDS,
  [
    'imports',
    (path, text) => checkImports(path, text, around),
    [
      ['src/main.ts', "import { a } from '#app/a.ts'", ''],
      ['src/app/a.ts', "import { a } from '#providers/messaging/port.ts'", ''],
      ['src/edge/a.ts', "import { a } from '#flows/a.ts'", ''],
      ['src/edge/a.ts', "import { a } from '#app/a.ts'", /a\.ts:1 #app\/a\.ts: edge may not import app/],
      ['src/edge/a.ts', "import { a } from '#jobs/a.ts'", /edge may not import jobs/],
      ['src/edge/a.ts', "\nimport { findIt } from '#modules/cards/store.ts'", ''],
      [
        'src/edge/a.ts',
        "\nimport { findIt, saveIt } from '#modules/cards/store.ts'",
        /:2 saveIt: the edge only reads/,
      ],
      ['src/edge/a.ts', "import { saveIt as s } from '#modules/cards/store.ts'", /saveIt/],
      ['src/edge/a.ts', "import { writeIt } from '#modules/cards/store.ts'", /writeIt/],
      ['src/edge/a.ts', "import { createIt } from '#modules/cards/store.ts'", /createIt/],
      ['src/edge/a.ts', "import * as store from '#modules/cards/store.ts'", /\*: the edge only reads/],
      ['src/edge/a.ts', "import { sql } from 'kysely'", /no SQL/],
      ['src/edge/member/a.ts', "import type { Port } from '#providers/identity/port.ts'", ''],
      [
        'src/edge/member/a.ts',
        "import { send } from '#providers/identity/port.ts'",
        /edge may not import providers/,
      ],
      ['src/edge/a.ts', "import type { Reader } from '#base/db.ts'", ''],
      ['src/edge/a.ts', "import type { Database, Reader } from '#base/db.ts'", /handed a Reader/],
      ['src/edge/a.ts', "import type { Tx } from '#base/db.ts'", /handed a Reader/],
      ['src/edge/server.ts', "import { a } from '#edge/site/a.ts'\nimport { b } from '#edge/http/b.ts'", ''],
      [
        'src/edge/site/shell/a.ts',
        "import { a } from '#edge/site/b.ts'\nimport { c } from '#edge/http/c.ts'",
        '',
      ],
      [
        'src/edge/member/a.ts',
        "import type { A } from '#edge/site/deps.ts'",
        /an audience of the edge never imports another's/,
      ],
      ['src/edge/http/a.ts', "import { a } from '#edge/partner/b.ts'", /never imports another's/],
      ['src/edge/hooks/a.ts', "import { a } from '#edge/server.ts'", /never imports another's/],
      ['src/edge/partner/v2/a.ts', "import type { A } from '#flows/gift-cards/a.ts'", ''],
      [
        'src/edge/partner/v2/a.ts',
        "import type { LogIn } from '#flows/sessions/log-in.ts'",
        /partner may not call flows\/sessions/,
      ],
      [
        'src/app/endpoints/partner.ts',
        "import { createLogIn } from '#flows/sessions/log-in.ts'",
        /partner may not call flows\/sessions/,
      ],
      ['src/app/endpoints/hooks.ts', "import { a } from '#edge/member/a.ts'", /never imports another's/],
      ['src/app/endpoints/shared.ts', "import { a } from '#flows/sessions/a.ts'", ''],
      ['src/edge/shop/a.ts', "import { a } from '#edge/http/a.ts'", /name the audience/],
      ['src/jobs/a.ts', "import { send } from '#providers/messaging/port.ts'", ''],
      ['src/jobs/a.ts', "import { a } from '#edge/a.ts'", /jobs may not import edge/],
      ['src/flows/accounts/a.ts', "import { a } from '#flows/sessions/b.ts'", ''],
      ['src/flows/accounts/a.ts', "import { a } from './b.ts'\nimport { c } from '#flows/kit/c.ts'", ''],
      [
        'src/flows/sessions/a.ts',
        "import { a } from '#flows/accounts/b.ts'",
        /flows\/sessions may not call flows\/accounts/,
      ],
      ['src/flows/kit/a.ts', "import { a } from '#flows/books/b.ts'", /flows\/kit may not call/],
      ['src/flows/shop/a.ts', "import { a } from './b.ts'", /name the capability/],
      [
        'src/flows/trading/a.ts',
        "import { decide } from '#modules/cards/model.ts'",
        /a reference model runs in tests only/,
      ],
      ['src/modules/cards/a.ts', "import { decide } from './model.ts'", /a reference model/],
      ['src/modules/cards/a.test.ts', "import { decide } from './model.ts'", ''],
      [
        'src/flows/a.ts',
        "import type { P } from '#providers/messaging/port.ts'",
        /flows may not import providers/,
      ],
      ['src/modules/cards/a.ts', "import { a } from '#base/a.ts'\nimport { b } from './b.ts'", ''],
      [
        'src/modules/cards/a.ts',
        "export { a } from '#modules/ledger/a.ts'",
        /modules never import a sibling/,
      ],
      ['src/modules/cards/a.ts', "import { a } from '#flows/a.ts'", /modules may not import flows/],
      ['src/base/a.ts', "import { a } from '#modules/cards/types.ts'", /base may not import modules/],
      ['src/base/db.ts', "import type { DB } from '#db/schema.gen.ts'", ''],
      ['src/flows/books/a.ts', "import type { DB } from '#db/schema.gen.ts'", /src never imports db/],
      ['src/base/gift-names.ts', '', /no business nouns/],
      ['src/shop/a.ts', '', /names no src\/shop/],
      ['src/edge/a.ts', "import { a } from '../flows/a.ts'", /stays in its folder/],
      ['src/edge/a.ts', "import { a } from './partner-v2/a.ts'", /stays in its folder/],
      ['src/app/a.ts', "import { a } from '../../test/harness/a.ts'", /stays in its folder/],
      [
        'src/app/a.ts',
        "const a = await import('#test/a.ts')",
        /never imports db, contract, test, tools or bench/,
      ],
      ['src/edge/a.ts', "import type { A } from '#contract/partner.gen.ts'", /never imports db, contract/],
      ['src/app/a.ts', 'const a = await import(name)', /computed/],
      ['src/app/a.ts', "import { env } from 'node:process'", /use the global/],
      ['src/app/a.ts', "// import '../a.ts'\nconst a = `import '../b.ts'`\nconst b = / from '..\\/c'/", ''],
      ['src/modules/cards/rules.test.ts', "import { start } from '#test/service.ts'", ''],
      ['test/api/a.test.ts', "import { a } from '../harness/a.ts'", ''],
      ['web/member/a.tsx', "import { a } from '#base/money.ts'", /the contract only/],
      [
        'web/member/a.tsx',
        "import { a } from '../../src/base/money.ts'",
        /web\/member may import web\/kit and contract only/,
      ],
      [
        'web/member/shared/api/a.ts',
        "import type { Session } from '../../../../contract/member.gen.ts'\nimport { b } from '../../../kit/b.ts'",
        '',
      ],
      ['web/kit/a.tsx', "import { Link } from '@tanstack/react-router'\nimport { b } from './b.ts'", ''],
      [
        'web/kit/a.tsx',
        "import type { Session } from '../../contract/member.gen.ts'",
        /no contract and no page/,
      ],
      ['web/kit/a.tsx', "import { callApi } from '../member/shared/a.ts'", /no contract and no page/],
      ['web/kit/a.tsx', "const a = () => import('../member/a.tsx')", /no contract and no page/],
      ['web/console/a.tsx', "import { Button } from '../kit/button.tsx'", ''],
      ['web/console/a.tsx', "import { a } from '../member/shared/a.ts'", /web\/console may import/],
      ['web/member/a.tsx', "import { a } from '../console/a.ts'", /web\/member may import/],
      ['web/portal/a.tsx', "import { Button } from '../kit/button.tsx'", /web\/portal: give it a place/],
      ['web/build.ts', "import { a } from './member/a.ts'", ''],
      ['client/a.ts', "import type { paths } from '../contract/types.ts'", ''],
      [RULES, "import { x } from '#base/pure.ts'\nimport type { T } from './types.ts'", ''],
      [RULES, "import { RE2JS } from 're2js'", ''],
      [RULES, "import { open } from '#base/db.ts'", /types\.ts and pure base/],
      [RULES, "import type { Near } from '#base/near-db.ts'", /types\.ts and pure base/],
      [RULES, "import { listen } from '#base/listen.ts'", /types\.ts and pure base/],
      [RULES, "import { find } from './store.ts'", /types\.ts and pure base/],
      [RULES, "import { readFileSync } from 'node:fs'", /types\.ts and pure base/],
    ],
  ],

  [
    'colours',
    checkColours,
    [
      ['src/edge/site/pages/colours.ts', "ink: ['#191f28']", ''],
      [
        'src/edge/site/dev/style.ts',
        'const a = `\n.a{color:#FEE500}`',
        /style\.ts:2 #FEE500: colours stand in.*CONTRIBUTING\.md, Style\)$/,
      ],
      ['src/edge/site/dev/style.ts', "const a = '.a{color:rgb(0 0 0 / 55%)}'", /rgb\(/],
      ['src/edge/site/dev/style.ts', 'const a = `.a{color:var(--ink)}&#039;&#39;`', ''],
      ['web/kit/a.tsx', '<div className="bg-[#fff]" />', /#fff/],
      ['web/kit/a.tsx', "const a = { color: 'oklch(60% 0.1 20)' }", /oklch\(/],
      ['web/kit/a.ts', 'class A {\n  #add() {} // as of #123\n}', ''],
      ['web/kit/a.ts', "import { a } from '#base/a.ts'\nlocation.hash = '#top'", ''],
      ['web/kit/style.css', '.a { color: hsl(0 0% 0%); }', /style\.css:1 hsl\(/],
      ['web/kit/style.css', '.a { color: color-mix(in srgb, var(--color-ink), transparent); }', ''],
      ['web/kit/colours.gen.css', '--color-ink: #191f28;', ''],
      ['web/public/b.svg', '<rect fill="#191f28"/>', /#191f28/],
      ['test/web/a.test.ts', "const a = '#191f28'", ''],
    ],
  ],

  [
    'circles',
    (path, text) => checkCircles(new Map([...AROUND_CIRCLES, [path, text]])),
    [
      [
        'src/base/a.ts',
        "import { x } from '#base/b.ts'",
        /b\.ts:1 imports itself by way of src\/base\/a\.ts, src\/base\/b\.ts: move.*Import rules\)$/,
      ],
      ['src/base/a.ts', "import type { X } from './b.ts'", /imports itself/],
      ['src/base/c.ts', "import { x } from '#base/b.ts'\nimport pg from 'pg'", ''],
      ['src/base/a.ts', "// import { x } from './b.ts'", ''],
      ['web/kit/a.tsx', "const b = () => import('./b.tsx')", /imports itself/],
      ['test/harness/a.ts', "export { b } from './b.ts'", /imports itself/],
      ['tools/a.ts', "import { a } from './a.ts'", /imports itself/],
      ['bench/a.ts', "import './b.ts'", /imports itself/],
    ],
  ],

  [
    'writes',
    checkWrites,
    [
      ['src/flows/a.ts', 'database.withTransaction(async (tx) => save(tx))', ''],
      [
        'src/edge/a.ts',
        'x()\ndeps.database.withTransaction(save)',
        /a\.ts:2 withTransaction: only flows and jobs/,
      ],
      ['src/edge/a.ts', 'const { writeOnce } = deps.database', /writeOnce/],
      ['src/edge/a.ts', "deps.database.db.deleteFrom('card')", /the edge only reads/],
      ['src/edge/a.ts', "deps.database.pool.query('delete')", /no SQL/],
      ['src/modules/cards/store.ts', STORE, ''],
      ['src/modules/cards/store.ts', 'db.withTransaction(save)', /withTransaction/],
      ['src/modules/cards/store.ts', 'db.transaction().execute(save)', /transaction/],
      [
        'src/modules/cards/store.ts',
        'export const a = (db: Db) => db.writeOnce(A, [])',
        /a calls writeOnce, so/,
      ],
      [
        'src/modules/cards/pin.ts',
        'const a = (database: Database) => database.writeOnce(A, [])',
        /only flows and jobs/,
      ],
      [
        'src/modules/cards/store.ts',
        "function a(db: Db) {\n  db.insertInto('a')\n}",
        /a writes, so it takes a Tx/,
      ],
      [
        'src/modules/cards/store.ts',
        'function a(db: Db) {\n  sql`update a set b = 1`\n}',
        /a writes, so it takes a Tx/,
      ],
    ],
  ],

  [
    'banned',
    checkBanned,
    [
      ['src/flows/a.ts', 'x()\nconst now = Date.now()', /a\.ts:2 Date\.now: use service_now/],
      ['src/flows/a.ts', 'const now = new Date()', /new Date/],
      ['src/flows/a.ts', `const a = \`\${Math.random()}\``, /Math\.random: use node:crypto/],
      ['src/flows/a.ts', "console.log('a')", /console: use log/],
      ['src/flows/a.ts', 'enum A { B }', /enum/],
      ['src/edge/a.ts', "Type.String({ format: 'uuid' })", /a\.ts:1 format: 'uuid': use uuid\(\)/],
      ['web/member/a.ts', "buy: '금 사기'", /a\.ts:1 사기: say 구매/],
      ['web/member/a.ts', "buy: '복사기'", ''],
      ['src/edge/a.ts', "x: '파트너가'", /a\.ts:1 파트너: say 제휴사/],
      ['src/flows/a.ts', 'export const enum A { B }', /enum/],
      [
        'src/flows/a.ts',
        "x()\nthrow new Refused('there is none')",
        /a\.ts:2 throw new Refused: use an outcome/,
      ],
      ['src/flows/a.ts', "throw new Error('there is none')", /throw new Error: use an outcome/],
      ['src/flows/a.ts', 'throw tooFar', /throw tooFar: use an outcome/],
      ['src/flows/a.ts', "throw new Unavailable('no price')\nthrow error\nthrow settled.error", ''],
      ['src/app/a.ts', "throw new Refused('there is none')", ''],
      ['src/flows/a.ts', "return refused('partner_not_found', { partner })", ''],
      ['src/flows/a.ts', "return refused('there is no partner')", /a reason is a snake_case code/],
      ['src/flows/a.ts', "return { kind: 'refused', reason: 'none left' }", /a reason is a snake_case code/],
      ['src/flows/a.ts', "import { formatWon } from '#base/money.ts'", /formatWon: use the amount/],
      ['src/app/config.ts', 'const a = process.env.A', /process\.env: use a setting/],
      ['src/app/config.ts', 'const { env } = process\n', /process/],
      ['src/main.ts', 'await main(process.argv.slice(2), process.env)', ''],
      ['src/main.ts', 'main(process.argv.slice(2), process.env); process.env.PORT', /process\.env/],
      ['src/flows/a.ts', "// Date.now() lies\nconst a = 'new Date()' + /console\\./", ''],
      ['src/flows/a.ts', '// TO' + 'DO: later', /finish it/],
      ['tools/a.ts', '/* a\n FIX' + 'ME */', /a\.ts:2 FIXME/],
      ['tools/a.ts', 'console.log(Date.now())', ''],
      ['test/a.test.ts', "test.skip('a', () => {})", /\.skip\(: use a test that runs/],
      ['src/base/a.test.ts', "test.only('a', () => {})", /\.only\(/],
      ['test/a.test.ts', "describe.todo('a')", /\.todo\(/],
      ['test/a.test.ts', "test('a', { skip: true }, () => {})", /skip: true/],
    ],
  ],

  [
    'functions',
    checkSqlHomes,
    [
      ['db/migrations/0036_a.sql', 'create function a() …', ''],
      ['db/migrations/0037_a.sql', 'create table a (b integer);', ''],
      [
        'db/migrations/0037_a.sql',
        'select;\ncreate function a() …',
        /create function: functions and views are/,
      ],
      ['db/migrations/0038_a.sql', 'create or replace view a as …', /create or replace view/],
      ['db/functions/a.sql', 'create or replace function a() …', ''],
    ],
  ],
  [
    'sizes',
    checkSizes,
    [
      ['src/base/a.ts', 'x()\n'.repeat(300), ''],
      ['src/base/a.ts', 'x()\n'.repeat(301), /301 lines: at most 300/],
      ['web/kit/a.tsx', 'x()\n'.repeat(301), /301 lines: at most 300/],
      ['db/functions/a.sql', `-- Why.\ncreate or replace function a() as $$\n${lines(68)}$$;\n`, ''],
      [
        'db/functions/a.sql',
        `-- Why.\ncreate or replace function a() as $$\n${lines(69)}$$;\n`,
        /a\.sql:2 a function of 71 lines/,
      ],
      ['src/base/a.ts', `export function a(): void {\n${lines(68)}}\n`, ''],
      ['src/base/a.ts', `export function a(): void {\n${lines(69)}}\n`, /a\.ts:1 a function of 71 lines/],
      [
        'src/base/a.ts',
        `\nfunction a(\n  b: B,\n): { c: C } {\n${lines(68)}}\n`,
        /a\.ts:2 a function of 72 lines/,
      ],
      [
        'src/base/a.ts',
        `class A {\n  async #a() {\n${'    x()\n'.repeat(70)}  }\n}\n`,
        /a\.ts:2 a function of 72 lines/,
      ],
      [
        'src/base/a.ts',
        `on('a', async () => {\n${lines(40)}  \`\n}\n\`\n${lines(40)}})\n`,
        /a function of 85 lines/,
      ],
    ],
  ],

  [
    'machine',
    checkMachine,
    [
      ['README.md', SOMEONES_HOME, /one machine/],
      ['a.ts', SOMEONES_FOLDER, /one machine/],
      ['.npmrc', 'registry=https://example.org', /registry=/],
      ['package-lock.json', '"resolved": "https://example.org/a.tgz"', /resolved/],
      ['README.md', 'https://example.org/home/page, ./work/x and PUBLIC_URL/root/x', ''],
    ],
  ],
  [
    'npmrc',
    (_path, text) => checkNpmrc(text),
    [['.npmrc', 'ignore-scripts=true\nloglevel=error\n', /omit-lockfile/]],
  ],
  [
    'decisions',
    (path, text) => checkDecisions(new Map([[path, text]])),
    [
      ['0001-why.md', 'Because.', ''],
      ['0002-why.md', 'Because.', /2 where 1 comes next/],
      ['why.md', 'Because.', /not named/],
      ['0001-why.md', 'Because.\n'.repeat(61), /61 lines/],
    ],
  ],
  [
    'documents',
    (path, text) =>
      checkDocumentPaths(path, text, ['src/edge/server.ts', 'docs/a.md', 'decisions/0001-why.md']),
    [
      ['a.md', 'in `src/edge/server.ts` and src/edge/, `server.ts`, decisions/0001, `src/FOLDER/x.ts`', ''],
      ['a.md', '\nin `src/edge/absent.ts`', /a\.md:2 src\/edge\/absent\.ts: there is no such file/],
      ['a.md', 'in `absent.ts`', /absent\.ts/],
      ['a.md', '(decisions/0002)', /decisions\/0002/],
      ['docs/b.md', '[a](a.md#top), [it](https://example.org/docs/b.md), PUBLIC_URL/src/x', ''],
      ['docs/b.md', '[a](../a.md)', /\.\.\/a\.md/],
      ['docs/b.md', '<img src="shots/a.png">', /shots\/a\.png/],
      ['a.ts', '// src/edge/absent.ts', ''],
    ],
  ],
]
