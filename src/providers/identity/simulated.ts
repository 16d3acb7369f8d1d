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
// A person who tries the sandbox begins a handful. Beyond this the oldest are forgotten.
const MAX_KEPT = 10_000

// The sandbox's provider calls no carrier. A persona follows from the number, so every process gives the same answer.
// Any other person is who they say, as long as the same process is asked.
export function createSimulatedIdentity(options: { watch: IdentityWatch }): IdentityProvider {
  const applicants = new Map<string, Applicant>()
  const wrong = new Map<string, number>()
  const measured = <T>(call: string, outcome: T): Promise<T> => {
    options.watch.onRequest({ provider: 'simulated', call, outcome: 'status_200', ms: 0 })
    return Promise.resolve(outcome)
  }
  const start = (id: string, applicant: Applicant): StartOutcome => {
    const persona = personaByMdn(applicant.mdn)
    if (persona) return { kind: isTheirs(persona, applicant) ? persona.starts : 'refused' }
    if (!isWellFormed(applicant)) return { kind: 'refused' }
    remember(applicants, id, applicant)
    return { kind: 'sent' }
  }
  const confirm = (id: string, code: string, mdn: string): ConfirmOutcome => {
    const attempts = wrong.get(id) ?? 0
    const person = personOf(mdn, applicants.get(id))
    if (attempts >= MAX_WRONG || !person) return { kind: 'failed' }
    if (code === SIMULATED_CODE) return { kind: 'verified', person }
    remember(wrong, id, attempts + 1)
    return { kind: 'wrong_code' }
  }
  return {
    name: 'simulated',
    start: (id, applicant) => measured('start', start(id, applicant)),
    resend: () => measured<StartOutcome>('resend', { kind: 'sent' }),
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

function remember<T>(known: Map<string, T>, id: string, value: T): void {
  known.set(id, value)
  if (known.size > MAX_KEPT) known.delete(known.keys().next().value!)
}
