import { createEdge } from '#app/endpoints/edge.ts'
import type { Parts } from '#app/endpoints/shared.ts'
import type { Service } from '#app/processes/join-service.ts'
import type { Runtime } from '#app/runtime.ts'
import { createRateLimits } from '#base/queues/rate-limits.ts'
import type { Limits } from '#edge/server.ts'
import type { PasswordCost } from '#modules/accounts/password.ts'
import { buildServers, type Servers } from './listen.ts'

interface Options {
  limits?: Limits | undefined
  passwordCost?: PasswordCost | undefined
  service?: Service | undefined
}

export type OpenServers = typeof openServers

// What answers HTTP. A file of its own, because a worker that listens nowhere loads none of it.
export function openServers(
  runtime: Runtime,
  parts: Omit<Parts, 'readMetrics' | 'takeToken' | 'passwordCost'>,
  { limits, passwordCost, service }: Options,
): Promise<Servers> {
  const { registry, shared } = parts.metrics
  const edge = createEdge(runtime, {
    ...parts,
    passwordCost,
    takeToken: service?.takeToken ?? createRateLimits(),
    async readMetrics() {
      const [sum, once] = await Promise.all([service?.sumMetrics() ?? registry.metrics(), shared.metrics()])
      return { contentType: registry.contentType, text: `${sum}\n${once}` }
    },
  })
  return buildServers(edge, runtime.config, limits)
}
