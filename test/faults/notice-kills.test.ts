import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { passTime, type Rig, startRig } from '#test/killed-worker.ts'
import { addMember, Browser, logIn, type TestMember } from '#test/member.ts'
import { until } from '#test/patience.ts'
import type { ServerProcess } from '#test/process.ts'

// A worker killed while it sends a notice, as with the cards' messages: it reaches the phone once. Reports are not posted.
const rig: Rig = await startRig({ reports: false, nhn: false })
const solapi = rig.standIns[0]!
let worker: ServerProcess

function holdAt(stage: 'arrived' | 'recorded') {
  const opened = Promise.withResolvers<void>()
  let count = 0
  rig.onRequest = async (at, request) => {
    if (at !== stage || request.method !== 'POST') return
    count += 1
    await opened.promise
    throw new Error('dropped')
  }
  return {
    full: () => until(() => count > 0),
    drop() {
      rig.onRequest = () => {}
      opened.resolve()
    },
  }
}

interface Row {
  key: string
  status: string
  attempt: number
  claimed: boolean
}

async function noticeOf({ loginId }: TestMember): Promise<Row> {
  const { rows } = await rig.client.query<Row>(
    `select n.key || '.text.notice.0' as key, n.status, n.attempt, n.claimed_until is not null as claimed
       from notice n join member_account a on a.id = n.account_id where a.login_id = $1`,
    [loginId],
  )
  assert.equal(rows.length, 1)
  return rows[0]!
}

const STEPS: [stage: 'arrived' | 'recorded', attempts: number][] = [
  ['arrived', 2],
  ['recorded', 1],
]
for (const [stage, attempts] of STEPS) {
  test(`killed with the notice ${stage} at the provider: it comes once`, async () => {
    const member = await addMember(rig.service)
    worker = await rig.startWorker()
    const held = holdAt(stage)
    assert.equal((await logIn(new Browser(rig.service.url), member.loginId)).status, 200)
    await held.full()
    assert.equal(await worker.kill('SIGKILL'), 'SIGKILL')
    held.drop()
    const { key, status, claimed } = await noticeOf(member)
    assert.deepEqual([status, claimed], ['queued', true])
    worker = await rig.startWorker()
    await until(async () => {
      await passTime(rig)
      await sleep(250)
      return (await noticeOf(member)).status === 'delivered'
    })
    assert.equal((await noticeOf(member)).attempt, attempts)
    assert.equal(solapi.phones.byKey(key).length, 1)
    assert.equal(await worker.kill('SIGKILL'), 'SIGKILL')
  })
}
