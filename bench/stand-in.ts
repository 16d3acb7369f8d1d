import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { TEMPLATES } from '#modules/deliveries/messages/templates.ts'
import { start, stop } from './children.ts'

// SOLAPI's stand-in as a process of its own: checks every message as they do, and posts a report on each.
const MAIN = fileURLToPath(new URL('../test/stand-ins/messaging/main.ts', import.meta.url))
const ACCOUNT = {
  apiKey: 'NCSBENCHMARK0000',
  apiSecret: 'a-secret-of-the-benchmark',
  channelId: 'KA01PFBENCH',
}
const SENDER = '0212345678'
const REPORT_SECRET = 'a-secret-for-reports'

export interface Carried {
  // Requests to send, and questions.
  sends: number
  finds: number
  messages: number
  // Messages that came to a phone more than once.
  doubled: number
}

export interface StandIn {
  // What a server needs to send through it.
  settings: Record<string, string>
  // Ends it and gives what it has done.
  stop(): Promise<Carried>
}

export async function startStandIn(serverPort: number): Promise<StandIn> {
  const options = {
    ...ACCOUNT,
    provider: 'solapi',
    senders: [SENDER],
    templates: Object.fromEntries(TEMPLATES.map(({ name, text }) => [name, text])),
    reports: { url: `http://127.0.0.1:${serverPort}/hooks/solapi`, secret: REPORT_SECRET },
    forgetTexts: true,
  }
  const child = start(process.execPath, [MAIN, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout! })
  const [port] = (await once(lines, 'line')) as [string]
  return {
    settings: {
      MESSAGING: 'solapi',
      SOLAPI_URL: `http://127.0.0.1:${port}`,
      SOLAPI_API_KEY: ACCOUNT.apiKey,
      SOLAPI_API_SECRET: ACCOUNT.apiSecret,
      SOLAPI_CHANNEL_ID: ACCOUNT.channelId,
      SOLAPI_SENDER: SENDER,
      SOLAPI_WEBHOOK_SECRET: REPORT_SECRET,
    },
    async stop() {
      const told = once(lines, 'line') as Promise<[string]>
      await stop(child)
      return JSON.parse((await told)[0]) as Carried
    },
  }
}
