// A stand-in as a process of its own: node main.ts '{"provider":"solapi", …}' prints its port and runs until killed.
import { type NhnStandInOptions, startNhnStandIn } from './nhn.ts'
import { type SolapiStandInOptions, startSolapiStandIn } from './solapi.ts'

type Settings = ({ provider: 'solapi' } & SolapiStandInOptions) | ({ provider: 'nhn' } & NhnStandInOptions)

const settings = JSON.parse(process.argv[2] ?? '{}') as Settings
const standIn = await (settings.provider === 'nhn' ? startNhnStandIn(settings) : startSolapiStandIn(settings))
process.stdout.write(`${standIn.port}\n`)
process.once('SIGTERM', async () => {
  const { sends, finds } = standIn.counts
  process.stdout.write(`${JSON.stringify({ sends, finds, messages: standIn.phones.all.length })}\n`)
  await standIn.close()
})
