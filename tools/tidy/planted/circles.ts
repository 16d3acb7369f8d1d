import { checkCircles } from '../circles.ts'
import type { PlantedCheck } from '../planted-case.ts'

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

export const CIRCLES: PlantedCheck = [
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
]
