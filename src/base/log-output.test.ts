import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'

const LOG = new URL('./log.ts', import.meta.url).href

// A program that writes lines to its standard output, in so many processes at once.
function start(work: string, times = 1) {
  const program = `const { createLog } = await import('${LOG}')
    const rest = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
    ${work}`
  const all = `${'"$0" --input-type=module -e "$1" & '.repeat(times)}wait`
  return spawn('sh', ['-c', all, process.execPath, program])
}

async function end(child: ReturnType<typeof start>) {
  let errors = ''
  child.stderr.on('data', (data) => {
    errors += data
  })
  const [code] = await once(child, 'close')
  return { code, errors }
}

test('log: lines of several processes on one pipe stay whole, and all arrive', async () => {
  const processes = 2
  const lines = 500
  const child = start(
    `const log = createLog('info', undefined, 'api')
     for (let count = 0; count < ${lines}; count += 1) {
       log.info('한 line', { count, reason: '골드'.repeat(count % 200) })
       if (count % 50 === 0) await rest(1)
     }
     await rest(200)
     log.info('last, with the end of the process', { count: ${lines} })`,
    processes,
  )
  const chunks: string[] = []
  child.stdout.setEncoding('utf8').on('data', (chunk) => chunks.push(chunk))
  assert.deepEqual(await end(child), { code: 0, errors: '' })
  assert.match(chunks.join(''), /^[ -~\n]+$/)
  const counts = chunks
    .join('')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).count)
  const expected = Array.from({ length: lines + 1 }, (_, count) => Array(processes).fill(count)).flat()
  assert.deepEqual(
    counts.toSorted((a, b) => a - b),
    expected,
  )
})

test('log: the service goes on when the program that reads its log has ended', async () => {
  const child = start(`
    const log = createLog('info')
    for (let count = 0; count < 400; count += 1) { log.info('line', { count }); await rest(1) }
    process.stderr.write('went on')`)
  child.stdout.once('data', () => child.stdout.destroy())
  assert.deepEqual(await end(child), { code: 0, errors: 'went on' })
})
