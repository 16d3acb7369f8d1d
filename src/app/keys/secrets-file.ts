import { readFileSync } from 'node:fs'
import { BadKeyRing, type KeyRingFile, parseKeyRing } from '#base/crypto/key-ring.ts'
import { Explained } from '#base/explained.ts'

export interface SecretsFile {
  databasePassword: string
  // Absent where KEY_RING_FILE gives one.
  keyRing?: KeyRingFile
}

export class LostSecrets extends Explained {}

// Only ever written whole, so that anything else was done to it from outside: a full disk under a copy, an editor.
export function readSecrets(path: string): SecretsFile {
  const text = readFileSync(path, 'utf8')
  const why = text.trim() === '' ? 'is empty' : whyDamaged(text)
  if (why === undefined) return JSON.parse(text)
  throw new LostSecrets(
    `${path} ${why}. It holds the password of the database and the keys of its cards: restore it from a backup. ` +
      'Nothing was touched, and it is never made anew beside a database',
  )
}

function whyDamaged(text: string): string | undefined {
  let value: Partial<SecretsFile> | null
  try {
    value = JSON.parse(text)
  } catch {
    return 'is cut off or was changed: it is not JSON'
  }
  if (typeof value?.databasePassword !== 'string' || !/^[^\r\n]+$/.test(value.databasePassword)) {
    return 'has no database password'
  }
  try {
    if (value.keyRing !== undefined) parseKeyRing(JSON.stringify(value.keyRing))
  } catch (error) {
    if (error instanceof BadKeyRing) return `has no usable key ring (${error.message})`
    throw error
  }
  return undefined
}
