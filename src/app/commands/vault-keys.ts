import type { Command } from '#app/command.ts'
import { schemaVersion } from '#app/database/migration-files.ts'
import { orRefuse } from '#app/refused.ts'
import { type RotateRefusal, type RotateStep, rotateKeys } from '#flows/installation/rotate-keys.ts'

const SHOWN_MS = 1_000

// The worker logs the same sentences when it takes up a rotation whose process is gone.
export function rotationWords(refusal: RotateRefusal): string {
  switch (refusal.reason) {
    case 'rotation_running':
      return 'another process is rotating the keys'
    case 'rotation_begun':
      return 'another process has begun a rotation'
    case 'rotation_taken_over':
      return 'this rotation was taken over by another process'
    case 'newer_release':
      return (
        'a newer release serves this database and may seal what this one does not know: run `keys rotate` of the newer ' +
        'release. Its worker finishes a rotation that was begun'
      )
    case 'ring_of_another_rotation': {
      const { ring, underWay } = refusal
      return (
        `a rotation to ${underWay.encryption} and ${underWay.index} is under way, but this ring is at ${ring.encryption} and ` +
        `${ring.index}: go on with the ring it was begun with`
      )
    }
    case 'ring_outdated': {
      const { ring, inForce } = refusal
      return (
        `this ring is at ${ring.encryption} and ${ring.index}, which are older than what is in force ` +
        `(${inForce.encryption} and ${inForce.index}): make the newest keys of the ring its current ones`
      )
    }
    case 'ring_not_writable':
      return `${refusal.file} cannot be replaced (${refusal.code}): no key was changed`
    case 'keys_not_held':
      return (
        `${refusal.processes} serving process(es) do not hold the new keys. Bring the key ring to their machines and start ` +
        'again: nothing was changed but the ring'
      )
  }
}

function stepWords(step: RotateStep): string {
  return step === 'wait_for_processes'
    ? 'waiting for processes to read the new keys (one that died counts for 15 s)'
    : step.replaceAll('_', ' ')
}

export const keysRotate: Command = {
  usage: 'keys rotate',
  summary: "change the keys that protect people's data, while the service runs",
  positionals: [],
  options: {},
  async run({ runtime, actor }) {
    // On standard error and once a second: `--json` on standard output stays one document.
    let shownAt = 0
    const outcome = await rotateKeys({
      database: runtime.database,
      keys: runtime.keys,
      ring: runtime.keyRing,
      actor,
      schemaVersion: schemaVersion(),
      onProgress(step, count) {
        if (performance.now() - shownAt < SHOWN_MS) return
        shownAt = performance.now()
        process.stderr.write(`${stepWords(step)}: ${count.toLocaleString('en-US')}\n`)
      },
    })
    const { encryption, index, rows } = orRefuse(outcome, rotationWords)
    return {
      json: { encryption, index, rows },
      text:
        `everything is now under ${encryption} and ${index}; this run moved ${rows.toLocaleString('en-US')} rows. ` +
        'Copy the key ring to where you keep it safe: older copies cannot open this data.',
    }
  },
}
