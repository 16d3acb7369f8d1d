import { asAdmin, type TestDatabase } from './postgres.ts'

// A copy of a database as it is now, which can take its place later: a restore to an earlier time. Processes that use the
// database lose their connections each time, as they do in a real one.
export async function takeSnapshot({ connection: { database: name } }: Pick<TestDatabase, 'connection'>) {
  const copy = `${name}_then`
  await closed(name, () => asAdmin(`create database ${copy} template ${name} strategy file_copy`))
  return {
    putBack: () =>
      closed(name, async () => {
        await asAdmin(`drop database ${name} with (force)`)
        await asAdmin(`alter database ${copy} rename to ${name}`)
      }),
  }
}

// Nobody gets in meanwhile: a copy needs a database that no one uses.
async function closed(name: string, work: () => Promise<void>): Promise<void> {
  await asAdmin(`alter database ${name} allow_connections false`)
  try {
    await asAdmin(`select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '${name}'`)
    await work()
  } finally {
    await asAdmin(`alter database ${name} allow_connections true`)
  }
}
