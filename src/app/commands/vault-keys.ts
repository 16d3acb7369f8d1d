import type { Command } from '#app/command.ts'
import { rotateKeys } from '#flows/installation/rotate-keys.ts'

const SHOWN_MS = 1_000

export const keysRotate: Command = {
  usage: 'keys rotate',
  summary: "change the keys that protect people's data, while the service runs",
  positionals: [],
  options: {},
  async run({ runtime, actor }) {
    let shownAt = 0
    const rotated = await rotateKeys({
      database: runtime.database,
      keys: runtime.keys,
      ring: runtime.keyRing,
      actor,
      onProgress(what, done) {
        if (performance.now() - shownAt < SHOWN_MS) return
        shownAt = performance.now()
        process.stderr.write(`${what}: ${done.toLocaleString('en-US')}\n`)
      },
    })
    const { encryption, index, rows } = rotated
    return {
      json: rotated,
      text:
        `everything is now under ${encryption} and ${index}; this run moved ${rows.toLocaleString('en-US')} rows. ` +
        'Copy the key ring to where you keep it safe: older copies cannot open this data.',
    }
  },
}
