import { setTimeout as sleep } from 'node:timers/promises'

// The parts of V8's profile that are read here (Chrome DevTools protocol, Profiler domain).
export interface CpuProfile {
  nodes: ProfileNode[]
  samples: number[]
  // Microseconds before each sample.
  timeDeltas: number[]
}

export interface ProfileNode {
  id: number
  callFrame: { functionName: string; url: string; lineNumber: number; columnNumber: number }
  children?: number[]
}

const PATIENCE_MS = 10_000
const SAMPLE_US = 200 // five in a purchase's millisecond of batch: fine enough, and still cheap

// A process that was started with --inspect on this port: profiled while `work` runs.
export async function profileWhile(port: number, work: () => Promise<unknown>): Promise<CpuProfile> {
  const inspector = await connect(port)
  try {
    await inspector.ask('Profiler.enable')
    await inspector.ask('Profiler.setSamplingInterval', { interval: SAMPLE_US })
    await inspector.ask('Profiler.start')
    await work()
    const { profile } = (await inspector.ask('Profiler.stop')) as { profile: CpuProfile }
    return profile
  } finally {
    inspector.close()
  }
}

async function connect(port: number) {
  const socket = new WebSocket(await debuggerUrl(port))
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let asked = 0
  const { promise: opened, resolve, reject } = Promise.withResolvers<void>()
  socket.addEventListener('open', () => resolve())
  socket.addEventListener('error', () => reject(new Error('the inspector does not answer')))
  socket.addEventListener('close', () => {
    for (const { reject: fail } of waiting.values()) fail(new Error('the inspector is gone'))
  })
  socket.addEventListener('message', ({ data }) => {
    const { id, result, error } = JSON.parse(String(data))
    const answer = waiting.get(id)
    waiting.delete(id)
    if (error) answer?.reject(new Error(error.message))
    else answer?.resolve(result)
  })
  await opened
  return {
    ask(method: string, params: object = {}): Promise<unknown> {
      asked += 1
      const answer = Promise.withResolvers<unknown>()
      waiting.set(asked, answer)
      socket.send(JSON.stringify({ id: asked, method, params }))
      return answer.promise
    },
    close: () => socket.close(),
  }
}

async function debuggerUrl(port: number): Promise<string> {
  for (const began = performance.now(); ; await sleep(100)) {
    try {
      const answer = await fetch(`http://127.0.0.1:${port}/json/list`)
      const [target] = (await answer.json()) as { webSocketDebuggerUrl: string }[]
      if (target) return target.webSocketDebuggerUrl
    } catch (error) {
      if (performance.now() - began > PATIENCE_MS) throw error
    }
  }
}
