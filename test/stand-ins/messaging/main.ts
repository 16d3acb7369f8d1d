// A stand-in as a process of its own: node main.ts '{"provider":"solapi", …}' prints its port and runs until killed.
import { type NhnStandInOptions, startNhnStandIn } from './nhn.ts'
import { type SolapiStandInOptions, startSolapiStandIn } from './solapi.ts'

type Settings = ({ provider: 'solapi' } & SolapiStandInOptions) | ({ provider: 'nhn' } & NhnStandInOptions)

const settings = JSON.parse(process.argv[2] ?? '{}') as Settings
const standIn = await (settings.provider === 'nhn' ? startNhnStandIn(settings) : startSolapiStandIn(settings))
process.stdout.write(`${standIn.port}\n`)
process.once('SIGTERM', async () => {
  const { all, doubled } = standIn.phones
  const told = { ...standIn.counts, messages: all.length, doubled: doubled.length }
  process.stdout.write(`${JSON.stringify(told)}\n`)
  await standIn.close()
})
