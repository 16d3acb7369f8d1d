import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { open as openFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readSealed, SealedWriter } from './sealed-file.ts'
import { backupKey, CHUNK_BYTES, HEADER_BYTES } from './sealed-format.ts'

const folder = mkdtempSync(join(tmpdir(), 'sealed-'))
test.after(() => rmSync(folder, { recursive: true, force: true }))
const key = backupKey(randomBytes(32))
let serial = 0

async function seal(content: Buffer, name = 'name'): Promise<string> {
  serial += 1
  const path = join(folder, String(serial))
  const writer = await SealedWriter.create(path, key, name)
  // In odd pieces, as files come.
  for (let at = 0; at < content.length; at += 300_007) await writer.write(content.subarray(at, at + 300_007))
  assert.equal(await writer.finish(), readFileSync(path).length)
  return path
}

async function open(path: string, by = key, name = 'name'): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of readSealed(path, by, name)) hash.update(chunk)
  return hash.digest('hex')
}

const hashOf = (content: Buffer) => createHash('sha256').update(content).digest('hex')

test('what was sealed comes out, of any size', async () => {
  for (const size of [0, 1, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 3 * CHUNK_BYTES]) {
    for (const content of [randomBytes(size), Buffer.alloc(size)]) {
      assert.equal(await open(await seal(content)), hashOf(content))
    }
  }
  const zeros = await seal(Buffer.alloc(16 * CHUNK_BYTES))
  assert.ok(readFileSync(zeros).length < 10_000, 'what is empty takes little room')
})

test('every byte counts: one that is changed, missing or added is refused', async () => {
  const path = await seal(Buffer.from('a small file'))
  const whole = readFileSync(path)
  const refused = async (bytes: Buffer, words: RegExp) => {
    writeFileSync(path, bytes)
    await assert.rejects(open(path), words)
  }
  for (let at = 0; at < whole.length; at += 1) {
    const changed = Buffer.from(whole)
    changed[at]! ^= 1 << (at % 8)
    await refused(changed, /changed|cut off|another key/)
    await refused(whole.subarray(0, at), /changed|cut off/)
  }
  await refused(Buffer.concat([whole, Buffer.from([0])]), /cut off|changed|after its end/)
  await refused(Buffer.concat([whole, whole.subarray(HEADER_BYTES)]), /bytes after its end/)
})

test('chunks that are cut off, swapped, repeated or of another file are refused', async () => {
  const path = await seal(randomBytes(3 * CHUNK_BYTES))
  const whole = readFileSync(path)
  const parts: Buffer[] = []
  for (let at = HEADER_BYTES; at < whole.length; ) {
    const end = at + 4 + whole.readUInt32BE(at)
    parts.push(whole.subarray(at, end))
    at = end
  }
  const [a, b, c, last] = parts as [Buffer, Buffer, Buffer, Buffer]
  assert.equal(parts.length, 4)
  const header = whole.subarray(0, HEADER_BYTES)
  const other = readFileSync(await seal(randomBytes(3 * CHUNK_BYTES)))
  const cases: [Buffer[], RegExp][] = [
    [[a, b, c], /cut off/],
    [[a], /cut off/],
    [[], /cut off/],
    [[b, a, c, last], /changed/],
    [[a, a, b, c, last], /changed/],
    [[a, c, last], /changed/],
    [[a, b, c, last, last], /bytes after its end/],
    [[other.subarray(HEADER_BYTES, HEADER_BYTES + a.length), b, c, last], /changed/],
  ]
  for (const [kept, words] of cases) {
    writeFileSync(path, Buffer.concat([header, ...kept]))
    await assert.rejects(open(path), words)
  }
})

test('a wrong key is named; another name, a link and a missing file are refused', async () => {
  const path = await seal(Buffer.from('text'))
  await assert.rejects(open(path, backupKey(randomBytes(32))), /sealed with another key/)
  await assert.rejects(open(path, key, 'another name'), /changed/)
  symlinkSync(path, join(folder, 'link'))
  await assert.rejects(open(join(folder, 'link')), /no links/)
  await assert.rejects(open(folder), /no links/)
  await assert.rejects(open(join(folder, 'missing')), /missing is missing/)
})

test('a disk that is full at the first byte leaves no file open', async (t) => {
  const handle = await openFile(folder)
  const proto = Object.getPrototypeOf(handle)
  await handle.close()
  const open = readdirSync('/dev/fd').length
  t.mock.method(proto, 'writeFile', () =>
    Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' })),
  )
  await assert.rejects(SealedWriter.create(join(folder, 'full'), key, 'name'), /full/)
  assert.equal(
    readdirSync('/dev/fd').length,
    open,
    'Node ends a process that leaves one to the garbage collector',
  )
})
