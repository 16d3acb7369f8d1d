import { createPasswords } from '#modules/accounts/password.ts'
import { answerJobs } from '../children.ts'

// A process that checks passwords and does nothing else, with the parameters and the concurrency of the service.
export interface PasswordJob {
  stored: string
  password: string
  // So many wait or are checked at any time, as with so many connections.
  atOnce: number
  seconds: number
}

answerJobs(async ({ stored, password, atOnce, seconds }: PasswordJob) => {
  const { verify } = createPasswords()
  const before = process.cpuUsage()
  const began = performance.now()
  let checked = 0
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (; performance.now() - began < seconds * 1000; checked += 1) {
        if (!(await verify(password, stored, {}))) throw new Error('the right password was refused')
      }
    }),
  )
  const took = (performance.now() - began) / 1000
  const { user, system } = process.cpuUsage(before)
  const load = { cpuSeconds: (user + system) / 1e6, seconds: took }
  return { perSecond: checked / took, errors: 0, requests: checked, load }
})
