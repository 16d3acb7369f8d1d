import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateKeyRing, parseKeyRing } from '#base/crypto/key-ring.ts'
import { createVault } from '#base/crypto/vault.ts'
import { anchorLine, isSigned, parseAnchors } from './anchors.ts'
import { findingText } from './findings.ts'
import { openPrivate, sealPrivate } from './private.ts'
import { CHAIN_START, type EntryText, hashEntry, linkEntries, splitPrivate } from './rules.ts'

const ring = () => parseKeyRing(JSON.stringify(generateKeyRing(true)))
const vaultOf = (from = ring()) =>
  createVault(from, {
    epoch: 1,
    encryption: from.encryption.current,
    index: from.index.current,
    nextIndex: null,
  })
const vault = vaultOf()

const ENTRY: EntryText = {
  id: 7n,
  at: 1_700_000_000_000_000n,
  actor: 'cli:kim',
  action: 'partner.set',
  subject: 'shop',
  details: '{"a": 1}',
  privateId: '01900000-0000-7000-8000-000000000000',
  privateHash: Buffer.alloc(32, 1),
}

test('every field of an entry is in its hash, and none can be moved into another', () => {
  const changes: Partial<EntryText>[] = [
    { id: 8n },
    { at: 1n },
    { actor: 'cli:lee' },
    { action: 'partner.add' },
    { subject: 'other' },
    { details: '{"a": 2}' },
    { privateId: null },
    { privateHash: null },
    { actor: 'cli:kimpartner', action: '.set' },
  ]
  const hashes = new Set([{}, ...changes].map((change) => hashEntry({ ...ENTRY, ...change }).toString('hex')))
  assert.equal(hashes.size, changes.length + 1)
})

test('a link follows from all links before it', () => {
  const entries = [1n, 2n, 3n].map((id) => ({ ...ENTRY, id }))
  const links = linkEntries(CHAIN_START, entries)
  assert.deepEqual(
    links.map(({ position }) => position),
    [1n, 2n, 3n],
  )
  const other = linkEntries(CHAIN_START, [{ ...entries[0]!, actor: 'me' }, ...entries.slice(1)])
  assert.ok(links.every(({ hash }, i) => !hash.equals(other[i]!.hash)))
  assert.deepEqual(linkEntries(links[0]!, entries.slice(1)), links.slice(1))
})

test('what was typed is split from the facts; none given and what is sealed elsewhere are facts', () => {
  assert.deepEqual(splitPrivate({ reason: 'x', note: 'y', won: 5 }), {
    facts: { won: 5 },
    words: { reason: 'x', note: 'y' },
  })
  for (const reason of [null, '(sealed)'])
    assert.deepEqual(splitPrivate({ reason }), { facts: { reason }, words: {} })
})

test('a private part opens for its own entry only, and its hash confirms no guess', () => {
  const [one, two] = [sealPrivate(vault, { reason: 'x' }), sealPrivate(vault, { reason: 'x' })]
  assert.deepEqual(openPrivate(vault, one), { reason: 'x' })
  assert.ok(!one.hash.equals(two.hash), 'the same words have another salt')
  assert.equal(openPrivate(vault, { ...one, sealed: two.sealed }), undefined)
  assert.equal(openPrivate(vault, { ...one, hash: two.hash }), undefined)
  assert.equal(openPrivate(vault, { ...one, hash: null }), undefined)
  assert.equal(openPrivate(vaultOf(), one), undefined)
})

test('anchors: from a file or a log, whole lines only, and signed with this ring', () => {
  const anchor = {
    position: 12n,
    hash: Buffer.alloc(32, 2),
    at: Temporal.Instant.from('2026-11-16T09:00:00Z'),
  }
  const line = anchorLine(vault, anchor)
  const found = parseAnchors(
    `${line}\n{"event":"audit.anchor","anchor":"${line}"}\n${line.slice(0, -1)}\nnoise`,
  )
  assert.equal(found.length, 2)
  for (const one of found) {
    assert.deepEqual(
      [one.position, one.hash, String(one.at)],
      [anchor.position, anchor.hash, String(anchor.at)],
    )
    assert.ok(isSigned(vault, one))
    assert.ok(!isSigned(vaultOf(), one))
    assert.ok(!isSigned(vault, { ...one, position: 13n }))
  }
})

test('a finding names its place', () => {
  assert.equal(
    findingText({ kind: 'entry_deleted', position: '5', entry: '9' }),
    'entry_deleted (position 5, entry 9): an entry is gone',
  )
})
