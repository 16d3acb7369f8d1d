import { statSync } from 'node:fs'
import { join } from 'node:path'
import { schemaVersion } from '#app/database/migration-files.ts'
import { keyRingStore } from '#app/keys/key-ring-file.ts'
import type { Config } from '#app/settings/config.ts'
import type { KeyRing } from '#base/crypto/key-ring.ts'
import { all, type Check, databaseCheck, type Finding, ok, type Reached, warning, wrong } from './types.ts'

// Whether keys, tables and release belong together.

interface RingFacts {
  why: string | undefined
  ring: Pick<KeyRing, 'fingerprint' | 'generated'> | undefined
  path: string
  days: number
  mode: number
  // What the database was made with; undefined if it cannot be asked, or has no tables yet.
  stamp: InstallationRow | undefined
  lost: readonly string[]
}

interface InstallationRow {
  mode: string
  keyRing: string
  encryption: string
  index: string
  nextIndex: string | null
  rotatingHours: number | null
}

export const keyRing: Check<RingFacts> = {
  name: 'key ring',
  needs: 'settings',
  async read({ config, reached }) {
    const secrets = join(config.dataDir, 'secrets.json')
    const path = config.keyRingFile ?? secrets
    const file = statSync(path, { throwIfNoEntry: false })
    const stamp = 'database' in reached ? await readInstallation(reached) : undefined
    const facts = {
      path,
      stamp,
      days: file ? Math.floor((Temporal.Now.instant().epochMilliseconds - file.mtimeMs) / 86_400_000) : 0,
      mode: file?.mode ?? 0,
      lost: [] as string[],
    }
    try {
      const ring = keyRingStore(config, secrets).read()
      const lost = [
        ...(stamp && !ring.encryption.byId.has(stamp.encryption) ? [stamp.encryption] : []),
        ...[stamp?.index, stamp?.nextIndex].filter(
          (id) => typeof id === 'string' && !ring.index.byId.has(id),
        ),
      ] as string[]
      return { ...facts, why: undefined, ring, lost }
    } catch (error) {
      return { ...facts, why: (error as Error).message, ring: undefined }
    }
  },
  judge: judgeRing,
}

const OLD_DAYS = 400
const ROTATION_HOURS = 24

function judgeRing({ why, ring, path, days, mode, stamp, lost }: RingFacts, config: Config): Finding[] {
  if (!ring) {
    if (!stamp && config.keyRingFile === undefined)
      return [ok('there is none yet: the first start of a sandbox makes one')]
    return [
      wrong(
        `the key ring cannot be used: ${why}`,
        'Put the file back from a copy. Without it no card and no person can be read.',
      ),
    ]
  }
  const copy = 'Set KEY_RING_FILE, or DATA_DIR, to the ring that this database was made with.'
  return all(
    [
      stamp !== undefined &&
        stamp.keyRing !== ring.fingerprint &&
        wrong(`${path} is not the key ring of this database`, copy),
      stamp?.keyRing === ring.fingerprint &&
        lost.length > 0 &&
        wrong(`${path} lacks ${lost.join(', ')}, which is in force`, 'Use the newest copy of the ring.'),
      (mode & 0o037) !== 0 &&
        (config.mode === 'live' ? wrong : warning)(
          `others can read ${path}`,
          `chmod 600 ${path}, or 640 for a group of operators.`,
        ),
      config.mode === 'live' &&
        days > OLD_DAYS &&
        warning(`the keys have not been changed for ${days} days`, 'Run: ingot keys rotate'),
      (stamp?.rotatingHours ?? 0) > ROTATION_HOURS &&
        warning(
          'a rotation of the keys was begun more than a day ago',
          'Run: ingot keys rotate. It finishes the rotation.',
        ),
    ],
    `${path} opens, ${days} days old, fingerprint ${ring.fingerprint.slice(0, 12)}${stamp ? ', and belongs to this database' : ''}`,
  )
}

async function readInstallation({ database }: Reached): Promise<InstallationRow | undefined> {
  const there = await database.read<{ there: boolean }>(HAS_TABLES, [])
  if (!there[0]!.there) return undefined
  const [row] = await database.read<InstallationRow & Record<string, unknown>>(
    {
      name: 'doctor_installation',
      text: `select mode, key_ring as "keyRing", encryption_key as encryption, index_key as index,
                    next_index_key as "nextIndex",
                    (extract(epoch from now() - rotating_since) / 3600)::float as "rotatingHours" from installation`,
    },
    [],
  )
  return row
}

export const HAS_TABLES = {
  name: 'doctor_has_tables',
  text: `select to_regclass('installation') is not null as there`,
}

interface SchemaFacts {
  version: number | null
  mode: string | null
}

export const schema = databaseCheck<SchemaFacts>({
  name: 'schema',
  async read(reached) {
    const installed = await readInstallation(reached)
    if (!installed) return { version: null, mode: null }
    const [row] = await reached.database.read<{ version: number }>(
      { name: 'doctor_schema', text: 'select max(version) as version from schema_migration' },
      [],
    )
    return { version: row!.version, mode: installed.mode }
  },
  judge({ version, mode }, config) {
    const known = schemaVersion()
    if (version === null) return [ok('the database is empty: the first start makes the tables')]
    return all(
      [
        mode !== config.mode &&
          wrong(
            `this database was made for ${mode}, and INGOT_MODE is ${config.mode}`,
            'Set the one or the other.',
          ),
        version < known &&
          warning(`the database has schema ${version}; this release brings ${known}`, 'Run: ingot migrate'),
        version > known &&
          warning(
            `the database has schema ${version} of a newer release; this one brings ${known}`,
            'Start the newer release (docs/upgrade.md).',
          ),
      ],
      `schema ${version}, made for ${mode}`,
    )
  },
})
