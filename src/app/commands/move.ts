import { outsideOf } from '#app/audit/anchor-file.ts'
import { type Command, text } from '#app/command.ts'
import { moveTo } from '#app/move/move.ts'
import { undoMove } from '#app/move/undo.ts'
import type { Runtime } from '#app/runtime.ts'
import { UsageError } from '#app/usage-error.ts'
import { verifyRestored } from '#jobs/examine-restorations.ts'

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
    if (to === undefined) return undo(runtime, actor)
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

async function undo(runtime: Runtime, actor: string) {
  const { target, restoration } = await undoMove(runtime, actor)
  const json = { undone: true, target, wasMoved: restoration !== undefined }
  if (!restoration) {
    const rest = `What was copied to ${target} is not used any more: remove it`
    return { json, text: `this installation is open again. ${rest}` }
  }
  process.stderr.write('checking every invariant\n')
  // Broken books close nothing: the service says so, and is not ready. If this is interrupted, the worker does it.
  const outside = () => outsideOf(runtime.config.dataDir)
  const verified = await verifyRestored({ ...runtime, outside }, restoration)
  return {
    json: { ...json, verified },
    text:
      `this installation is open again, as after a restore. What has happened at ${target} since then is not here: never ` +
      'run both. Sessions have ended, and messages from before wait until the providers were asked. Start the service, and see ' +
      `\`ingot restored report\` (docs/after-a-restore.md)${verified ? '' : '. The books do not balance: see `ingot verify`'}`,
  }
}
