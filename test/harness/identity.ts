import { Secret } from '#base/crypto/secret.ts'
import { PERSONAS, type Persona } from '#providers/identity/personas.ts'
import type { Applicant } from '#providers/identity/port.ts'
import { createPortone, type PortoneOptions } from '#providers/identity/portone.ts'
import { type PortoneStandInOptions, startPortoneStandIn } from '#stand-ins/identity/portone.ts'

export const PORTONE = {
  apiSecret: 'portone secret',
  storeId: 'store-1',
  channelKey: 'channel-key-1',
} as const

export function persona(name: string): Persona {
  return PERSONAS.find((one) => one.name === name)!
}

export function applicantOf({ name, birthday, gender, mdn, carrier }: Persona): Applicant {
  return { name, birthday, gender, mdn, carrier, address: '203.0.113.7' }
}

export async function startPortone(
  standInOptions: Partial<PortoneStandInOptions> = {},
  options: Partial<PortoneOptions> = {},
) {
  const standIn = await startPortoneStandIn({ ...PORTONE, ...standInOptions })
  const lines: string[] = []
  const provider = createPortone({
    ...PORTONE,
    url: standIn.url,
    apiSecret: new Secret(PORTONE.apiSecret),
    watch: { onRequest: ({ provider, call, outcome }) => lines.push(`${provider} ${call} ${outcome}`) },
    onCircuit: (open) => lines.push(open ? 'open' : 'closed'),
    timeouts: { answerMs: 5_000 },
    circuit: { failures: 1_000 },
    ...options,
  })
  const close = () => Promise.all([standIn.close(), provider.close()])
  return { standIn, provider, lines, [Symbol.asyncDispose]: async () => void (await close()) }
}
