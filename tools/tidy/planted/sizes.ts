import type { PlantedCheck } from '../planted-case.ts'
import { checkSizes } from '../sizes.ts'

const lines = (count: number) => '  x()\n'.repeat(count)

export const SIZES: PlantedCheck = [
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
]
