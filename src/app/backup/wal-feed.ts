import {
  closeSync,
  existsSync,
  fchownSync,
  ftruncateSync,
  lchownSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClusterLocation } from '#app/embedded-postgres/cluster-location.ts'
import { segmentPath } from './backup-folder.ts'
import { DamagedBackup } from './error.ts'
import type { Manifest } from './manifest.ts'
import type { BackupKey } from './sealed-format.ts'
import { readSegment } from './wal-segment.ts'

const POLL_MS = 10
const CHUNK_BYTES = 1024 * 1024
const EMPTY = Buffer.alloc(CHUNK_BYTES)

// What PostgreSQL runs for each segment. It runs under PostgreSQL's account, which gets neither the key nor Node: it asks
// by a file and waits for another. If nobody answers for a minute, this process is gone, and PostgreSQL gives up (255).
const FETCH = `d=$(dirname "$0")
take() { mv "$d/have.$1" "$2" && : > "$d/took.$1" && rm -f "$d/want.$1" && exit 0; exit 255; }
n=0
while [ ! -e "$d/none.$1" ]; do
  if [ -e "$d/have.$1" ]; then take "$1" "$2"; fi
  if [ "$n" -eq 0 ]; then : > "$d/want.$1" || exit 255; fi
  n=$((n + 1))
  if [ "$n" -gt 3000 ]; then exit 255; fi
  sleep 0.02
done
rm -f "$d/none.$1"
exit 1
`

export interface WalFeed {
  /** For restore_command. */
  readonly command: string
  /** Rejects if a segment cannot be read. */
  readonly failed: Promise<never>
  close(): Promise<void>
}

/** Hands the segments of the archive to a recovering PostgreSQL, one by one: a day's log may not fit on the disk. */
export function openFeed(
  location: ClusterLocation,
  archive: { readonly dir: string; readonly manifest: Manifest; readonly key: BackupKey },
  /** The first `needed` were checked, and have to be there. A damaged one after them is the end of the log. */
  { segments, needed }: { readonly segments: readonly string[]; readonly needed: number },
  onSegment: (done: number) => void,
): WalFeed {
  const folder = feedFolder(location)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { mode: 0o700 })
  const fetch = openNew(join(folder, 'fetch'), location)
  writeSync(fetch, FETCH)
  closeSync(fetch)
  if (location.account) lchownSync(folder, location.account.uid, location.account.gid)
  const stopping = new AbortController()
  const served = new Feed(folder, location, archive, { segments, needed }, onSegment).run(stopping.signal)
  const failed = served.then(() => new Promise<never>(() => {}))
  failed.catch(() => {}) // the recovery waits for it too
  return {
    // PostgreSQL replaces %f and %p; a per cent sign of a path is written twice.
    command: `/bin/sh '${join(folder, 'fetch').replaceAll("'", `'\\''`).replaceAll('%', '%%')}' "%f" "%p"`,
    failed,
    async close() {
      stopping.abort()
      await served.catch(() => {})
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function feedFolder({ home }: ClusterLocation): string {
  return join(home, 'restore-feed')
}

// PostgreSQL's account owns the folder and may put a link there. Root follows none: the file is always a new one, and is
// given away by its handle.
function openNew(path: string, { account }: ClusterLocation): number {
  rmSync(path, { force: true })
  const file = openSync(path, 'wx', 0o600)
  if (account) fchownSync(file, account.uid, account.gid)
  return file
}

class Feed {
  readonly #folder: string
  readonly #location: ClusterLocation
  readonly #archive: Parameters<typeof openFeed>[1]
  readonly #segments: readonly string[]
  readonly #needed: number
  readonly #onSegment: (done: number) => void

  constructor(folder: string, ...[location, archive, log, onSegment]: Parameters<typeof openFeed>) {
    this.#folder = folder
    this.#location = location
    this.#archive = archive
    this.#segments = log.segments
    this.#needed = log.needed
    this.#onSegment = onSegment
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      for (const name of readdirSync(this.#folder)) {
        if (name.startsWith('want.')) await this.#answer(name.slice('want.'.length))
        if (name.startsWith('took.')) await this.#goOn(name.slice('took.'.length))
      }
      await sleep(POLL_MS, undefined, { signal }).catch(() => {})
    }
  }

  async #answer(segment: string): Promise<void> {
    rmSync(this.#path('want', segment), { force: true })
    if (this.#segments.includes(segment) && (await this.#prepare(segment))) return
    // What is in the base copy, or beyond the end of the archive: PostgreSQL looks into its own folder, or is at the end.
    closeSync(openNew(this.#path('none', segment), this.#location))
  }

  // The next one is ready before PostgreSQL asks.
  async #goOn(segment: string): Promise<void> {
    rmSync(this.#path('took', segment), { force: true })
    const done = this.#segments.indexOf(segment) + 1
    this.#onSegment(done)
    const next = this.#segments[done]
    if (next) await this.#prepare(next)
  }

  // False if it is damaged, and none of those that are needed.
  async #prepare(segment: string): Promise<boolean> {
    try {
      await this.#write(segment)
      return true
    } catch (error) {
      const isNeeded = this.#segments.indexOf(segment) < this.#needed
      if (isNeeded || !(error instanceof DamagedBackup)) throw error
      rmSync(this.#path('part', segment), { force: true })
      return false
    }
  }

  async #write(segment: string): Promise<void> {
    const { dir, manifest, key } = this.#archive
    const chain = manifest.chain!
    if (existsSync(this.#path('have', segment))) return
    const temporary = this.#path('part', segment)
    const file = openNew(temporary, this.#location)
    try {
      // What is empty stays a hole: most of a segment that was ended early.
      ftruncateSync(file, manifest.segmentBytes)
      let at = 0
      await readSegment(segmentPath(dir, chain, segment), chain, segment, key, (bytes) => {
        for (let from = 0; from < bytes.length; from += CHUNK_BYTES) {
          const part = bytes.subarray(from, from + CHUNK_BYTES)
          if (!EMPTY.subarray(0, part.length).equals(part)) writeSync(file, part, 0, part.length, at)
          at += part.length
        }
      })
    } finally {
      closeSync(file)
    }
    renameSync(temporary, this.#path('have', segment))
  }

  #path(kind: 'want' | 'took' | 'none' | 'have' | 'part', segment: string): string {
    return join(this.#folder, `${kind}.${segment}`)
  }
}
