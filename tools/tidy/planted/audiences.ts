import { checkImports } from '../imports.ts'
import type { PlantedCheck } from '../planted-case.ts'

const FLOWS = new Map([
  ['src/app/endpoints/member.ts', "import { createRedeem } from '#flows/gift-cards/redeem.ts'"],
  ['src/app/endpoints/shared.ts', "import { createGoOn } from '#flows/sessions/go-on.ts'"],
  ['src/app/commands/card.ts', "import { voidCard } from '#flows/gift-cards/void-card.ts'"],
  ['src/app/commands/resend.ts', "import { createResendCard } from '#flows/gift-cards/resend-card.ts'"],
  ['src/app/demo.ts', "import { createBuy } from '#flows/gift-cards/buy.ts'"],
  ['src/jobs/daily.ts', "import { expire } from '#flows/gift-cards/expire.ts'"],
  ['src/edge/member/b.ts', "import { describe } from '#flows/holdings/describe.ts'"],
])

export const AUDIENCES: PlantedCheck = [
  'audiences',
  (path, text) => checkImports(path, text, FLOWS),
  [
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
    ['src/edge/partner/a.ts', "import type { Buy } from '#flows/gift-cards/buy.ts'", ''],
    ['src/edge/member/a.ts', "import type { Redeem } from '#flows/gift-cards/redeem.ts'", ''],
    [
      'src/edge/partner/a.ts',
      "import type { Redeem } from '#flows/gift-cards/redeem.ts'",
      /a flow of member, which partner may not share/,
    ],
    [
      'src/app/endpoints/partner.ts',
      "import { createRedeem } from '#flows/gift-cards/redeem.ts'",
      /a flow of member, which partner may not share/,
    ],
    [
      'src/app/endpoints/partner.ts',
      "import { other } from '#flows/gift-cards/void-card.ts'",
      /a flow of commands, which partner may not share/,
    ],
    ['src/edge/partner/a.ts', "import { expire } from '#flows/gift-cards/expire.ts'", /a flow of jobs/],
    ['src/edge/partner/a.ts', "import { describe } from '#flows/holdings/describe.ts'", /a flow of member/],
    [
      'src/app/endpoints/partner.ts',
      "import { createResendCard } from '#flows/gift-cards/resend-card.ts'",
      '',
    ],
    ['src/edge/partner/a.ts', "import type { Resend } from '#flows/gift-cards/resend-card.ts'", ''],
    ['src/edge/partner/a.ts', "import { resendAny } from '#flows/gift-cards/resend-card.ts'", /of commands/],
    ['src/edge/member/a.ts', "import type { Resend } from '#flows/gift-cards/resend-card.ts'", /of commands/],
    ['src/edge/site/a.ts', "import type { GoOn } from '#flows/sessions/go-on.ts'", ''],
    [
      'src/app/endpoints/shared.ts',
      "import { createRedeem } from '#flows/gift-cards/redeem.ts'",
      /shared may not call flows\/gift-cards/,
    ],
    ['src/app/endpoints/edge.ts', "import { a } from '#flows/sessions/a.ts'", /edge may not call/],
    ['src/app/endpoints/edge.ts', "import { a } from '#app/endpoints/member.ts'", ''],
    ['src/app/endpoints/partner.ts', "import { a } from '#app/endpoints/member.ts'", /its own endpoints/],
    ['src/app/endpoints/partner.ts', "import { a } from '#app/commands/card.ts'", /its own endpoints/],
    ['src/edge/partner/a.ts', "import { a } from '#modules/usage/store.ts'", ''],
    ['src/edge/partner/a.ts', "import { a } from '#modules/sessions/rules.ts'", ''],
    [
      'src/edge/partner/a.ts',
      "import { a } from '#modules/sessions/store.ts'",
      /may not read modules\/sessions/,
    ],
    [
      'src/app/endpoints/hooks.ts',
      "import { a } from '#modules/usage/store.ts'",
      /may not read modules\/usage/,
    ],
  ],
]
