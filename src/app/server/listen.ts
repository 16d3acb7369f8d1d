import type { AddressInfo } from 'node:net'
import { BadSetting, type Config } from '#app/settings/config.ts'
import type { Server } from '#edge/http/types.ts'
import { buildMetricsServer, buildServer, type Edge, type Limits } from '#edge/server.ts'

// The server, and the one for metrics if they have an address of their own.
export interface Servers {
  // The port it listens on.
  listen(): Promise<number>
  // Answers what is under way and takes no more. Metrics go last, so that the drain can be watched.
  close(): Promise<void>
}

type Place = { host: string; port: number }

export async function buildServers(
  edge: Edge,
  { host, port, roles, metricsAddress }: Config,
  limits: Limits | undefined,
): Promise<Servers> {
  const server = await buildServer(edge, roles, { metricsApart: metricsAddress !== undefined, limits })
  const metrics = metricsAddress && (await buildMetricsServer(edge, limits))
  return {
    async listen() {
      const own = { port: 'METRICS_ADDRESS', host: 'METRICS_ADDRESS' }
      // First, so that a bad setting is known before the service answers.
      if (metrics) await listenOn(metrics, metricsAddress, own)
      await listenOn(server, { host, port }, { port: 'PORT', host: 'HOST' })
      return (server.server.address() as AddressInfo).port
    },
    async close() {
      await server.close()
      await metrics?.close()
    },
  }
}

// A refusal of the machine names the setting.
async function listenOn(
  server: Server,
  { host, port }: Place,
  setting: { port: string; host: string },
): Promise<void> {
  try {
    await server.listen({ host, port })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE')
      throw new BadSetting(setting.port, `${port} is taken by another process (${code})`)
    if (code === 'EACCES') throw new BadSetting(setting.port, `${port} is not open to this account (${code})`)
    if (code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL') {
      throw new BadSetting(setting.host, `${host} is no address of this machine (${code})`)
    }
    throw error
  }
}
