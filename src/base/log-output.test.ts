import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'

const LOG = new URL('./log.ts', import.meta.url).href

// A program that writes lines to its standard output.
const start = (work: string) =>
  spawn(process.execPath, [
    '--input-type=module',
    '-e',
    `const { createLog } = await import('${LOG}')
     const rest = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
     ${work}`,
  ])

async function end(child: ReturnType<typeof start>) {
  let errors = ''
  child.stderr.on('data', (data) => {
    errors += data
  })
  const [code] = await once(child, 'close')
  return { code, errors }
}

test('log: lines of several processes on one pipe stay whole, and all arrive', async () => {
  const child = start(`
    const log = createLog('info', undefined, 'api 1')
    for (let count = 0; count < 500; count += 1) log.info('한 line', { count, reason: '골드'.repeat(count % 200) })
    await rest(200)
    log.info('last, with the end of the process')`)
  const chunks: string[] = []
  child.stdout.setEncoding('utf8').on('data', (chunk) => chunks.push(chunk))
  assert.deepEqual(await end(child), { code: 0, errors: '' })
  const events = chunks
    .join('')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.deepEqual(
    events.slice(0, -1).map(({ count }) => count),
    Array.from({ length: 500 }, (_, count) => count),
  )
  assert.equal(events.at(-1).event, 'last, with the end of the process')
})

test('log: the service goes on when the program that reads its log has ended', async () => {
  const child = start(`
    const log = createLog('info')
    for (let count = 0; count < 400; count += 1) { log.info('line', { count }); await rest(1) }
    process.stderr.write('went on')`)
  child.stdout.once('data', () => child.stdout.destroy())
  assert.deepEqual(await end(child), { code: 0, errors: 'went on' })
})
