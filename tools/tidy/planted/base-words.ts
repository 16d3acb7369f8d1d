import { checkBaseWords } from '../base-words.ts'
import type { PlantedCheck } from '../planted-case.ts'

export const BASE_WORDS: PlantedCheck = [
  'words of base',
  checkBaseWords,
  [
    [
      'src/base/a.ts',
      'x()\nconst giftCards = 1',
      /a\.ts:2 gift: base has no business nouns.*Import rules\)$/,
    ],
    ['src/base/a.ts', "addCounter('ingot_purchases_total')", /purchase: base has no/],
    ['src/base/a.ts', 'interface PriceAge {}', /price/],
    ['src/base/a.ts', `\`select \${x} from delivery\``, /delivery/],
    ['src/base/a.ts', '// A card, for instance.\nconst discard = pinned(statement, text.codePointAt(0))', ''],
    ['src/base/a.ts', 'sql`select 1 order by id`', ''],
    ['src/base/a.ts', 'const orders = quoted', /order: base/],
    ['src/base/a.ts', 'interface PointsOfUser {}', /point: base/],
    ['src/base/origin.ts', "const by = 'user'", ''],
    ['src/base/a.ts', "const by = 'account'", /account/],
    ['src/base/log.ts', "const TEXTS = ['partner']", ''],
    ['src/base/log.ts', "const TEXTS = ['member']", /member/],
    ['src/base/a.test.ts', "const card = 'card'", ''],
    ['src/modules/cards/a.ts', "const card = 'card'", ''],
  ],
]
