import {
  chmodSync,
  chownSync,
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from '#app/settings/config.ts'
import { BadSetting } from '#app/settings/config.ts'
import {
  BadKeyRing,
  type KeyRing,
  type KeyRingFile,
  type KeyRingStore,
  parseKeyRing,
  type RingNotWritable,
  withNewKeys,
} from '#base/crypto/key-ring.ts'
import { withFileLock } from '#base/file-lock.ts'
import { readSecrets } from './secrets-file.ts'

// The ring is in the file of KEY_RING_FILE or, if this service made it up itself, among the secrets.
export function keyRingStore(config: Config, secretsPath: string): KeyRingStore {
  const given = config.keyRingFile
  const path = given ?? secretsPath
  const read = () => (given === undefined ? readGenerated(path) : readGiven(given, config.mode))
  return {
    read,
    renew: () =>
      withFileLock(join(config.dataDir, 'secrets.lock'), async () => {
        const text = readFileSync(path, 'utf8')
        const failed = replaceFile(path, `${JSON.stringify(renewed(text, given !== undefined), null, 2)}\n`)
        if (failed) return failed
        return { kind: 'renewed', ring: read() }
      }),
  }
}

function renewed(text: string, given: boolean): object {
  const file = JSON.parse(text)
  return given ? withNewKeys(file as KeyRingFile) : { ...file, keyRing: withNewKeys(file.keyRing) }
}

function readGenerated(path: string): KeyRing {
  const { keyRing } = readSecrets(path)
  if (keyRing === undefined) {
    throw new BadSetting('KEY_RING_FILE', 'is missing: this data was made with a key ring of its own')
  }
  return parseKeyRing(JSON.stringify(keyRing))
}

function readGiven(path: string, mode: Config['mode']): KeyRing {
  try {
    const ring = parseKeyRing(readFileSync(path, 'utf8'))
    // A group may read it: two people on accounts of their own need it (docs/operator-guide.md).
    if ((statSync(path).mode & 0o037) !== 0 && mode === 'live') {
      throw new BadKeyRing('others can read it: chmod 600, or 640 for a group of operators')
    }
    if (ring.generated && mode === 'live') throw new BadKeyRing('it was generated for a sandbox')
    return ring
  } catch (error) {
    if (error instanceof BadKeyRing) throw new BadSetting('KEY_RING_FILE', error.message)
    throw new BadSetting('KEY_RING_FILE', `cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

// Writes a new file, flushes it to disk and renames it into place, with the same owner. A crash leaves the old file or the
// new one, never half of it: a lost key loses every row that it sealed.
function replaceFile(path: string, content: string): RingNotWritable | undefined {
  const target = realpathSync(path)
  const temporary = `${target}.${process.pid}.tmp`
  try {
    const { uid, gid, mode } = statSync(target)
    const file = openSync(temporary, 'wx', 0o600)
    try {
      fchmodSync(file, 0o600)
      writeSync(file, content)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    const made = statSync(temporary)
    if (made.uid !== uid || made.gid !== gid) chownSync(temporary, uid, gid)
    // Its group, if that may read it, only once it is the right group.
    chmodSync(temporary, 0o600 | (mode & 0o040))
    renameSync(temporary, target)
    const folder = openSync(dirname(target), 'r')
    fsyncSync(folder)
    closeSync(folder)
    return undefined
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return { kind: 'refused', reason: 'ring_not_writable', file: path, code }
  } finally {
    rmSync(temporary, { force: true })
  }
}
