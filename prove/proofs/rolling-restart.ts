import type { Proof } from '../proof.ts'
import { proveLocal } from '../trial.ts'

const SERVERS = 2

export const rollingRestart: Proof = {
  what: 'SIGTERM of one of two servers in turn, and its restart: no request fails',
  count: 10,
  run: (given) =>
    proveLocal(
      given,
      async (service, trial) => {
        for (const n of trial.rounds(given)) {
          await trial.untilActing()
          const i = n % SERVERS
          await service.down(i)
          await service.up(i)
          trial.fault(`server ${i + 1} restarted`)
        }
        await trial.untilActing()
        return []
      },
      { servers: SERVERS, mayFail: false, perSecond: 20 },
    ),
}
