import { type Command, table } from '#app/command.ts'
import { listAlarms } from '#flows/guesses/list-alarms.ts'
import { listGuesses } from '#modules/guesses/store.ts'

export const guardShow: Command = {
  usage: 'guard show',
  summary:
    'show how many PINs, passwords and identities were guessed in the last day, and which alarms are on',
  positionals: [],
  options: {},
  async run({ runtime: { database } }) {
    // From the database, so that the counts of every process are in them.
    const alarms = await listAlarms(database)
    const windows = (await listGuesses(database.db)).map((row) => ({
      kind: row.kind,
      from: row.bucket.toString(),
      failures: Number(row.failures),
      accounts: Number(row.accounts),
      addresses: Number(row.addresses),
    }))
    const on = alarms.filter(({ alarmed }) => alarmed).map(({ kind }) => kind)
    const rows = windows.map((w) => [w.from, w.kind, ...[w.failures, w.accounts, w.addresses].map(String)])
    return {
      json: { alarms: Object.fromEntries(alarms.map(({ kind, alarmed }) => [kind, alarmed])), windows },
      text: [
        `alarms: ${on.join(', ') || 'none'}`,
        table(['ten minutes from', 'kind', 'failures', 'accounts', 'addresses'], rows),
      ].join('\n'),
    }
  },
}
