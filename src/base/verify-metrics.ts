import { Gauge, type Registry } from '@prometheus-io/client'

// What the last run of `verify` found.
export interface Verified {
  // Null before the first run.
  ok: boolean | null
  brokenChecks: number
  ageSeconds: number
}

// Before the first run there is no result, only an age.
export function addVerificationGauges(
  registers: Registry[],
  read: () => Promise<Verified | undefined>,
): void {
  const add = (name: string, help: string, figureOf: (verified: Verified) => number | null) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const verified = await read().catch(() => undefined)
        const figure = verified ? figureOf(verified) : null
        if (figure === null) this.remove()
        else this.set(figure)
      },
    })
  add('ingot_verify_ok', '1 if the last run of verify found every invariant to hold', ({ ok }) =>
    ok === null ? null : Number(ok),
  )
  add('ingot_verify_broken_checks', 'Invariants that the last run of verify found broken', (verified) =>
    verified.ok === null ? null : verified.brokenChecks,
  )
  add(
    'ingot_verify_age_seconds',
    'Time since the last run of verify, or since the installation began if there was none',
    ({ ageSeconds }) => ageSeconds,
  )
}
