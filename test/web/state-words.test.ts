import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CARDS } from '#flows/lists/list-cards.ts'
import { MEMBERS, USERS } from '#flows/lists/list-people.ts'
import { WITHDRAWALS } from '#flows/lists/list-trades.ts'
import { STATE_WORDS } from '../../web/console/shared/object/state-words.ts'

for (const { names, columns } of [CARDS, MEMBERS, USERS, WITHDRAWALS])
  test(`${names.en}: a state has the same word in the list and on its page`, () => {
    const status = columns.find(({ name }) => name === 'status' || name === 'account')
    const states = Object.entries(status?.choices ?? {})
    assert.ok(states.length > 2)
    for (const [state, { ko, en }] of states)
      assert.deepEqual([ko, en.toLowerCase()], [STATE_WORDS.ko[state], STATE_WORDS.en[state]], state)
  })
