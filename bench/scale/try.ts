import { stopAll } from '../children.ts'
import { Installation } from '../installation.ts'
import { addPartners } from '../partners.ts'
import { createPasswords } from '#modules/accounts/password.ts'
import { loadScale, settle } from './load.ts'
const [cards, members] = process.argv.slice(2).map(Number)
const installation = new Installation(process.env.DBURL)
const tell = (t: string) => console.log(new Date().toISOString().slice(11, 19), t)
try {
  await installation.prepare()
  await installation.startServer()
  const connection = await installation.joinDatabase()
  console.log(JSON.stringify(connection))
  await addPartners(installation, ['first', 'second', 'third'])
  const passwordHash = await createPasswords().hash('correct horse 8')
  await loadScale(connection, { partnerCodes: ['first', 'second', 'third'], firstCard: 1, cards: cards!, firstMember: 1, members: members!, passwordHash }, tell)
  await settle(connection, tell)
  try { console.log(await installation.command('verify', '--skip-sealed')) } catch (e) { console.log(String(e)) }
  tell('verified')
  if (process.env.STAY) await new Promise((r) => process.once('SIGUSR2', r))
} catch (e) { console.log(e) }
await stopAll()
await installation.remove()
process.exit()
