import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { PERMISSIONS } from '#modules/staff/permissions.ts'
import { EVENT_WORDS } from '../../web/console/shared/object/event-words.ts'

// Every action that the code writes into the audit log has words in both languages: the list of the log, its filter and timelines
// show them.
const SUBJECTS =
  'audit|backup|books|bullion|card|change|clock|delivery|holding|installation|key|keys|list|member|move|partner|price|refund_policy|regulator|staff|statement|template|trading|transfers|user|withdrawal'
const LITERAL = new RegExp(`'((?:${SUBJECTS})\\.[a-z_]+(?:\\.[a-z_]+)*)'`, 'g')

// They look like actions and are none.
const NONE = new Set<string>(PERMISSIONS)
// What templates in the code can become.
const BUILT: Record<string, readonly string[]> = {
  'change.$': ['change.approve', 'change.refuse'],
  'user.$': ['user.confirm', 'user.refuse'],
  'withdrawal.$': ['withdrawal.approve', 'withdrawal.pay', 'withdrawal.refuse'],
}

function actionsOf(text: string): string[] {
  const found = [...text.matchAll(LITERAL), ...text.matchAll(/\baction: '([a-z_.]+)'/g)].map(
    ([, action]) => action!,
  )
  const built = [...text.matchAll(/action: `([a-z_.]+\$)/g)].flatMap(([, start]) => {
    assert.ok(BUILT[start!], `say in BUILT what ${start} can become`)
    return BUILT[start!]!
  })
  return [...found, ...built].filter((action) => !NONE.has(action))
}

const files = globSync(['src/{app,flows,jobs}/**/*.ts', 'db/functions/*.sql']).filter(
  (file) => !file.endsWith('.test.ts') && !file.includes('/checks/'),
)
const actions = new Set(
  files.flatMap((file) => {
    const text = readFileSync(file, 'utf8')
    return /audit/i.test(text) || /action:/.test(text) ? actionsOf(text) : []
  }),
)

test('every action of the audit log has words in Korean and English', () => {
  assert.ok(actions.size > 80, 'there are actions to look at')
  for (const language of ['ko', 'en'] as const) {
    const missing = [...actions].filter((action) => !EVENT_WORDS[language][action]).sort()
    assert.deepEqual(missing, [], `web/console/shared/object/action-words.ts, ${language}`)
  }
})
