import { anchorPlace, appendAnchor, setAnchorsAside } from '#app/audit/anchor-file.ts'
import { type Command, text } from '#app/command.ts'
import { moveTo } from '#app/move/move.ts'
import { undoMove } from '#app/move/undo.ts'
import type { Runtime } from '#app/runtime.ts'
import { UsageError } from '#app/usage-error.ts'
import { beginAnchors } from '#flows/audit/anchor-chain.ts'

const SHOWN_MS = 2_000

export const move: Command = {
  usage: `move --to TARGET
       ingot move --undo
TARGET is a postgresql:// address or a data folder. The password may come from PGPASSWORD or ~/.pgpass instead.`,
  summary: 'move this installation to another database, verified; --undo opens it here again',
  positionals: [],
  options: { to: { type: 'string' }, undo: { type: 'boolean' } },
  evenIfMoved: true,
  async run({ runtime, options, actor }) {
    const to = text(options, 'to')
    if ((to === undefined) === (options.undo !== true))
      throw new UsageError('move takes --to TARGET or --undo')
    if (to === undefined) {
      const { target, wasMoved } = await undoMove(runtime, actor)
      if (wasMoved) await beginAnchorsHere(runtime, actor)
      const rest = wasMoved
        ? `What has happened at ${target} since then is not here: never run both`
        : `What was copied to ${target} is not used any more: remove it`
      return { json: { undone: true, target }, text: `this installation is open again. ${rest}` }
    }
    // On standard error: `--json` on standard output stays one document.
    let shownAt = performance.now()
    const { target, left } = await moveTo(runtime, to, {
      actor,
      onStep: (step) => void process.stderr.write(`${step}\n`),
      onProgress(what, done, all) {
        if (performance.now() - shownAt < SHOWN_MS) return
        shownAt = performance.now()
        process.stderr.write(`${what}: ${Math.floor((100 * done) / all)}%\n`)
      },
    })
    const setting = /^postgres/.test(target) ? 'DATABASE_URL' : 'DATA_DIR'
    const others = left.length > 0 ? ` Not of this release, and not copied: ${left.join(', ')}.` : ''
    return {
      json: { moved: true, target, notCopied: left },
      text: `moved and verified. Set ${setting} to ${target} and start the service there; here it no longer serves.${others}`,
    }
  },
}

// The file may know entries that were made at the target and are not here: it would call them cut off. Killed in between,
// `audit anchor --begin` does the rest.
async function beginAnchorsHere({ database, keys, config }: Runtime, actor: string): Promise<void> {
  setAnchorsAside(config.dataDir)
  await beginAnchors(
    {
      database,
      vault: keys.vault(),
      outside: { place: anchorPlace(config.dataDir), anchors: undefined },
      keep: (line) => appendAnchor(config.dataDir, line),
    },
    { reason: 'a move was undone', actor },
  )
}
