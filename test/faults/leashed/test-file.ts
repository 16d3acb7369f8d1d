import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { install } from '#test/installed-folder.ts'
import { POSTGRES_VARIABLE } from '#test/postgres.ts'
import { startServer, temporaryFolder } from '#test/process.ts'

// A test file like others, which leash.test.ts runs in its own process. It starts a server with its PostgreSQL, prints
// their process ids, and then hangs or fails.
test('a server with its own PostgreSQL', async () => {
  const folder = temporaryFolder()
  const dataDir = join(folder.path, 'data')
  install(dataDir)
  const { child } = await startServer({ DATA_DIR: dataDir, LOG_LEVEL: 'warn' })
  const { home } = JSON.parse(readFileSync(join(dataDir, 'embedded-postgres.json'), 'utf8'))
  const postmaster = readFileSync(join(dataDir, home, 'data/postmaster.pid'), 'utf8').split('\n')[0]
  const started = { file: process.pid, server: child.pid, postgres: Number(postmaster) }
  // The socket of the PostgreSQL that all files share.
  const { host } = JSON.parse(process.env[POSTGRES_VARIABLE]!)
  // In one step: the test looks for the file while it is written.
  const report = process.env.LEASHED_REPORT!
  writeFileSync(`${report}.part`, JSON.stringify({ started, folder: folder.path, socket: host }))
  renameSync(`${report}.part`, report)
  if (process.env.LEASHED_END === 'fails') throw new Error('on purpose')
  await new Promise((resolve) => setTimeout(resolve, 3_600_000))
})
