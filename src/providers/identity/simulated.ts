import { createMemory, type Memory } from '#base/memory.ts'
import { isWellFormed } from './details.ts'
import { ciOf, isTheirs, personaByMdn } from './personas.ts'
import type {
  Applicant,
  ConfirmOutcome,
  IdentityProvider,
  IdentityWatch,
  StartOutcome,
  VerifiedPerson,
} from './port.ts'

// What arrives on every phone of the sandbox.
export const SIMULATED_CODE = '000000'
const MAX_WRONG = 5

interface Begun {
  // Undefined for a persona.
  applicant?: Applicant | undefined
  wrong: number
}

interface Options {
  watch: IdentityWatch
  // The service's, if it has several processes: another one may be asked to confirm.
  memory?: Memory | undefined
}

// The sandbox's provider calls no carrier. A persona follows from the number, so every installation gives the same
// answer. Any other person is who they say, as long as the service runs on.
export function createSimulatedIdentity({ watch, memory = createMemory() }: Options): IdentityProvider {
  const measured = async <T>(call: string, made: Promise<T>): Promise<T> => {
    const outcome = await made
    watch.onRequest({ provider: 'simulated', call, outcome: 'status_200', ms: 0 })
    return outcome
  }
  const start = async (id: string, applicant: Applicant): Promise<StartOutcome> => {
    const persona = personaByMdn(applicant.mdn)
    if (persona) return { kind: isTheirs(persona, applicant) ? persona.starts : 'refused' }
    if (!isWellFormed(applicant)) return { kind: 'refused' }
    await memory.write(id, { applicant, wrong: 0 } satisfies Begun)
    return { kind: 'sent' }
  }
  const confirm = async (id: string, code: string, mdn: string): Promise<ConfirmOutcome> => {
    const { applicant, wrong } = ((await memory.read(id)) as Begun | undefined) ?? { wrong: 0 }
    const person = personOf(mdn, applicant)
    if (wrong >= MAX_WRONG || !person) return { kind: 'failed' }
    if (code === SIMULATED_CODE) return { kind: 'verified', person }
    await memory.write(id, { applicant, wrong: wrong + 1 } satisfies Begun)
    return { kind: 'wrong_code' }
  }
  return {
    name: 'simulated',
    start: (id, applicant) => measured('start', start(id, applicant)),
    resend: () => measured('resend', Promise.resolve<StartOutcome>({ kind: 'sent' })),
    confirm: (id, code, { mdn }) => measured('confirm', confirm(id, code, mdn)),
    close: async () => {},
  }
}

// Undefined: no verification of theirs can have begun.
function personOf(mdn: string, applicant: Applicant | undefined): VerifiedPerson | undefined {
  const persona = personaByMdn(mdn)
  if (persona) {
    const { ci, name, birthday, gender, isForeigner, starts } = persona
    return starts === 'sent' ? { ci, name, birthday, gender, isForeigner, mdn } : undefined
  }
  if (applicant?.mdn !== mdn) return undefined
  const { name, birthday, gender } = applicant
  return { ci: ciOf(`number ${mdn}`), name: name.trim(), birthday, gender, isForeigner: false, mdn }
}
