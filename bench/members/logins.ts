import { createPasswords } from '#modules/accounts/password.ts'
import type { PasswordJob } from '../baselines/argon2.ts'
import { startHelper } from '../children.ts'
import { posting, type Target } from '../requests.ts'
import type { Measurement, Sample } from '../rounds.ts'
import { type BenchMember, PASSWORD } from './people.ts'

const CONNECTIONS = 16 // far more than passwords are checked at once
const MEMBERS = 2_000 // more than log in: each has a queue of their own

// Log-ins, each of another member, and the same passwords checked by nothing but argon2.
export async function prepareLogins(
  target: Target,
  members: readonly BenchMember[],
): Promise<[logins: Measurement, argon2: Measurement]> {
  const stored = await createPasswords().hash(PASSWORD)
  const argon2 = startHelper<PasswordJob, Sample>(new URL('../baselines/argon2.ts', import.meta.url))
  return [
    posting(`log-ins, ${CONNECTIONS} connections`, target, {
      connections: CONNECTIONS,
      path: '/member/login',
      bodies: members.slice(0, MEMBERS).map(({ loginId }) => JSON.stringify({ loginId, password: PASSWORD })),
    }),
    {
      name: `argon2 alone, ${CONNECTIONS} at a time`,
      run: (seconds) => argon2.run({ stored, password: PASSWORD, atOnce: CONNECTIONS, seconds }),
    },
  ]
}
