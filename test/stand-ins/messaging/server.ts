import { setTimeout as sleep } from 'node:timers/promises'
import type { RequestFault } from '#providers/messaging/magic-numbers.ts'
import { type Reply, type StandInRequest, serveHttp } from '#stand-ins/http.ts'
import { createFaults, type FaultOptions } from './faults.ts'
import { createPhones, type Phones, type Sent } from './phones.ts'
import { createReports, type ReportOptions, type Reports, type WriteReport } from './reports.ts'

// arrived: read, nothing done; recorded: on its way to the phone, not answered; answered: all said.
export type Stage = 'arrived' | 'recorded' | 'answered'

export interface StandInOptions {
  port?: number | undefined
  // By id, as approved: `#{NAME}` stands for a variable.
  templates: Readonly<Record<string, string>>
  reports?: ReportOptions | undefined
  faults?: FaultOptions | undefined
  slowMs?: number | undefined
  // From taking a message to its phone.
  deliveryMs?: number | undefined
  // A long run need not remember what it said.
  forgetTexts?: boolean | undefined
  onRequest?(stage: Stage, request: StandInRequest): void | Promise<void>
}

export interface StandIn {
  readonly url: string
  readonly port: number
  readonly phones: Phones
  // Requests to send, questions, and requests that went wrong.
  readonly counts: { sends: number; finds: number; faults: number }
  readonly reports: Reports
  // What happens to every request from now on.
  breakAll(fault: RequestFault | undefined): void
  // Whether questions are answered from now on.
  answerQuestions(answered: boolean): void
  close(): Promise<void>
}

// What a stand-in knows as the vendor: the messages it took, and what it does with a request.
export interface Vendor {
  phones: Phones
  counts: StandIn['counts']
  // Takes messages unless a fault says otherwise, then gives the answer.
  take(request: StandInRequest, taken: readonly Sent[], answer: () => Reply): Promise<Reply>
  isSettled(sent: Sent): boolean
}

type Handle = (request: StandInRequest, vendor: Vendor) => Promise<Reply>

export async function startStandIn(
  options: StandInOptions,
  handle: Handle,
  write: WriteReport,
): Promise<StandIn> {
  const phones = createPhones()
  const counts = { sends: 0, finds: 0, faults: 0 }
  const reports = createReports(options.reports, write)
  const chooseFault = createFaults(options.faults)
  let forced: RequestFault | undefined
  let isSilent = false
  const vendor: Vendor = {
    phones,
    counts,
    isSettled: (sent) => Date.now() >= sent.atMs + (options.deliveryMs ?? 0),
    async take(request, taken, answer) {
      const fault = forced ?? chooseFault(taken)
      if (fault) counts.faults++
      if (fault === 'error_500') return { status: 500, body: { errorCode: 'InternalError' } }
      if (fault === 'rate_limited') return { status: 429, body: { errorCode: 'TooManyRequests' } }
      if (fault === 'reset_before') return 'reset'
      for (const sent of taken) phones.add(options.forgetTexts ? { ...sent, text: '' } : sent)
      await options.onRequest?.('recorded', request)
      await reports.onTaken(taken)
      if (fault === 'accepted_then_500') return { status: 500, body: { errorCode: 'InternalError' } }
      if (fault === 'reset_after') return 'reset'
      if (fault === 'timeout_after') return 'hang'
      if (fault === 'slow') await sleep(options.slowMs ?? 200)
      return answer()
    },
  }
  const server = await serveHttp({
    port: options.port,
    handle: async (request) =>
      isSilent && request.method === 'GET' ? { status: 500, body: {} } : handle(request, vendor),
    onArrived: (request) => options.onRequest?.('arrived', request),
    onAnswered: (request) => options.onRequest?.('answered', request),
  })
  return {
    url: server.url,
    port: server.port,
    phones,
    counts,
    reports,
    breakAll(fault) {
      forced = fault
    },
    answerQuestions(answered) {
      isSilent = !answered
    },
    async close() {
      if (!server.isOpen()) return
      await reports.close()
      await server.close()
    },
  }
}
