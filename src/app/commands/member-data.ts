import { writeFile } from 'node:fs/promises'
import { type Command, readReason, table, text } from '#app/command.ts'
import { memberWords } from '#app/commands/member-words.ts'
import { orRefuse } from '#app/refused.ts'
import { createWorkQueue } from '#base/queues/work-queue.ts'
import { eraseMember } from '#flows/members/erase-member.ts'
import { exportMember } from '#flows/members/export-member.ts'
import { retentionOf } from '#modules/retention/rules.ts'

export const memberExport: Command = {
  usage:
    'member export ID [--out FILE] --reason TEXT\nID is a login id, or the id of the member or the account. The file is JSON, unmasked. It goes into the audit log.',
  summary: 'everything about a member as one JSON file, for the person who asked for it',
  positionals: ['id'],
  options: { out: { type: 'string' }, reason: { type: 'string' } },
  async run(context) {
    const { runtime, args, options, actor } = context
    const out = text(options, 'out')
    const command = { member: args.id!, reason: readReason(context), actor }
    const outcome = await exportMember({ ...runtime, queue: createWorkQueue() }, command)
    const { file } = orRefuse(outcome, memberWords)
    if (out === undefined) return { json: JSON.parse(file.content), text: file.content.trimEnd() }
    // A file that is there already is never written over, and nobody else on the machine reads this one.
    await writeFile(out, file.content, { flag: 'wx', mode: 0o600 })
    return { json: { file: out }, text: `written to ${out}` }
  },
}

export const memberErase: Command = {
  usage:
    'member erase ID --reason TEXT\nOnly of a closed account: its member closes it first. What a law keeps is erased on its day.',
  summary: 'erase the data of a person who closed the account and asks for it',
  positionals: ['id'],
  options: { reason: { type: 'string' } },
  async run(context) {
    const { runtime, args, actor } = context
    const command = { member: args.id!, reason: readReason(context), actor }
    const { lines, accountId } = orRefuse(await eraseMember(runtime.database, command), memberWords)
    const rows = lines.map(({ kind, outcome, until }) => {
      const { what, kept, why } = retentionOf(kind)
      const when =
        outcome === 'erased' ? 'erased' : until === null ? `kept: ${kept.en}` : `kept until ${until}`
      return [what.en, when, outcome === 'erased' ? '' : why.en]
    })
    return { json: { accountId, lines }, text: table(['data', 'now', 'why'], rows) }
  },
}
