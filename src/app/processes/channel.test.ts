import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Channel, createChannel, type Handlers } from './channel.ts'

// Two ends with a line between them, which takes JSON as a process's does.
function connect(answer: Handlers['answer']) {
  const failures: unknown[] = []
  const heard: unknown[] = []
  const over = (other: () => Channel) => (message: unknown) =>
    queueMicrotask(() => other().receive(JSON.parse(JSON.stringify(message))))
  const near: Channel = createChannel(
    over(() => far),
    { answer: {}, hear: {}, onFailure: (what) => assert.fail(what) },
  )
  const far: Channel = createChannel(
    over(() => near),
    {
      answer,
      hear: { news: (news) => void heard.push(news) },
      onFailure: (what, error) => failures.push([what, (error as Error).message]),
    },
  )
  return { near, failures, heard }
}

test('a question is answered, now or later; an unknown one with nothing', async () => {
  const { near, heard } = connect({
    now: (number: number) => number + 1,
    later: async (number: number) => number + 2,
  })
  assert.deepEqual(
    await Promise.all([near.ask('later', 1), near.ask('now', 1), near.ask('never heard of')]),
    [3, 2, undefined],
  )
  near.tell('news', 'ready')
  await near.ask('now', 1)
  assert.deepEqual(heard, ['ready'])
})

// A rejection that nobody handles would end the process, and a supervisor's end is the service's.
test('an answer that fails is told to the one who asked, and ends neither process', async () => {
  const { near, failures } = connect({
    rejects: () => Promise.reject(new Error('no such file')),
    throws: () => {
      throw new Error('broken')
    },
    works: () => 'still here',
  })
  await assert.rejects(near.ask('rejects'), { message: 'rejects: the other process failed to answer' })
  await assert.rejects(near.ask('throws'), { message: 'throws: the other process failed to answer' })
  assert.deepEqual(failures, [
    ['rejects', 'no such file'],
    ['throws', 'broken'],
  ])
  assert.equal(await near.ask('works'), 'still here')
})
