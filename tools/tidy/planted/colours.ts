import { checkColours } from '../colours.ts'
import type { PlantedCheck } from '../planted-case.ts'

export const COLOURS: PlantedCheck = [
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
]
