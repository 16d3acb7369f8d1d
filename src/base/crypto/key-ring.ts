import { createHash, randomBytes } from 'node:crypto'

// The secrets that protect people's data. Encryption keys and index keys rotate; a value carries the id of its key,
// in it or beside it. The number key never changes, so it names the ring.
export interface KeyRing {
  readonly fingerprint: string
  // True when this process made it up itself: fine for a sandbox, refused in live.
  readonly generated: boolean
  readonly encryption: Keys
  readonly index: Keys
  readonly numberKey: Buffer
}

export interface Keys {
  readonly current: string
  readonly byId: ReadonlyMap<string, Buffer>
}

interface KeysFile {
  current: string
  keys: Record<string, string>
}

export interface KeyRingFile {
  version: 1
  generated: boolean
  encryption: KeysFile
  index: KeysFile
  numberKey: string
}

// The ring's storage. It is read again when an unknown key appears.
export interface KeyRingStore {
  read(): KeyRing
  // Adds a new key of each kind, which becomes the ring's current one.
  renew(): Promise<{ kind: 'renewed'; ring: KeyRing } | RingNotWritable>
}

// The file that holds the ring cannot be replaced; it is as it was.
export interface RingNotWritable {
  kind: 'refused'
  reason: 'ring_not_writable'
  file: string
  // The system's: EACCES, EROFS.
  code: string | undefined
}

// The keys a ring holds, each with enough of its hash to tell it from another of the same id.
export function heldKeys(ring: Pick<KeyRing, 'encryption' | 'index'>): string[] {
  return [...namedKeys('encryption', ring.encryption), ...namedKeys('index', ring.index)]
}

// The two that a ring is at.
export function currentKeys({ encryption, index }: KeyRing): string[] {
  const only = ({ current, byId }: Keys): Keys => ({
    current,
    byId: new Map([[current, byId.get(current)!]]),
  })
  return heldKeys({ encryption: only(encryption), index: only(index) })
}

function namedKeys(kind: string, { byId }: Keys): string[] {
  return [...byId].map(
    ([id, key]) => `${kind} ${id} ${createHash('sha256').update(key).digest('hex').slice(0, 8)}`,
  )
}

export class BadKeyRing extends Error {}

export function generateKeyRing(generated: boolean): KeyRingFile {
  const key = () => randomBytes(32).toString('base64')
  return {
    version: 1,
    generated,
    encryption: { current: 'e1', keys: { e1: key() } },
    index: { current: 'i1', keys: { i1: key() } },
    numberKey: key(),
  }
}

// The old keys stay: they open what they sealed, and what a backup from before holds.
export function withNewKeys(file: KeyRingFile): KeyRingFile {
  return { ...file, encryption: withNewKey(file.encryption, 'e'), index: withNewKey(file.index, 'i') }
}

// An id that no other copy of the ring gives to a key of its own: `e2k7x9mq`, the second of its kind.
function withNewKey({ keys }: KeysFile, letter: string): KeysFile {
  const unique = randomBytes(8).readBigUInt64BE().toString(36).slice(-6).padStart(6, '0')
  const current = `${letter}${Object.keys(keys).length + 1}${unique}`
  return { current, keys: { ...keys, [current]: randomBytes(32).toString('base64') } }
}

export function parseKeyRing(text: string): KeyRing {
  let file: Partial<KeyRingFile> | null
  try {
    file = JSON.parse(text) as Partial<KeyRingFile> | null
  } catch {
    throw new BadKeyRing('it is not JSON')
  }
  if (typeof file !== 'object' || file === null) throw new BadKeyRing('it is not a JSON object')
  if (file.version !== 1) throw new BadKeyRing('it has a version this release does not know')
  const numberKey = parseKey('numberKey', file.numberKey)
  return {
    fingerprint: createHash('sha256').update('ingot key ring').update(numberKey).digest('hex').slice(0, 32),
    generated: file.generated !== false,
    encryption: parseKeys('encryption', file.encryption),
    index: parseKeys('index', file.index),
    numberKey,
  }
}

function parseKeys(name: string, file: KeysFile | undefined): Keys {
  if (typeof file?.current !== 'string' || typeof file.keys !== 'object' || file.keys === null) {
    throw new BadKeyRing(`"${name}" needs "current" and "keys"`)
  }
  const byId = new Map<string, Buffer>()
  for (const [id, key] of Object.entries(file.keys)) {
    if (!/^[a-z0-9]{1,15}$/.test(id)) throw new BadKeyRing(`"${name}" has a key id that is not a-z0-9`)
    byId.set(id, parseKey(`${name}.${id}`, key))
  }
  if (!byId.has(file.current)) throw new BadKeyRing(`"${name}.current" names no key of the ring`)
  return { current: file.current, byId }
}

function parseKey(name: string, text: unknown): Buffer {
  const key = typeof text === 'string' ? Buffer.from(text, 'base64') : Buffer.alloc(0)
  if (key.length !== 32) throw new BadKeyRing(`"${name}" is not 32 bytes in base64`)
  return key
}
