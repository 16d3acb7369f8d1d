import type { Reply, StandInRequest } from './http.ts'

// What may go wrong with a request: before anything is done, or after it, with the answer lost.
export const FAULTS = [
  'error_500',
  'reset_before',
  'accepted_then_500',
  'reset_after',
  'hang_after',
  'html',
  'gateway_502',
] as const
export type Fault = (typeof FAULTS)[number]

export interface Faulty {
  // What happens to every request from now on, or to those of one kind.
  breakAll(fault: Fault | undefined, only?: (request: StandInRequest) => boolean): void
  handle(request: StandInRequest, work: () => Reply): Reply
}

const ERROR: Reply = { status: 500, text: '{"type":"INTERNAL_SERVER_ERROR"}' }

export function createFaulty(): Faulty {
  let forced: Fault | undefined
  let isMeant: (request: StandInRequest) => boolean = () => true
  return {
    breakAll(fault, only = () => true) {
      forced = fault
      isMeant = only
    },
    handle(request, work) {
      if (!forced || !isMeant(request)) return work()
      if (forced === 'error_500') return ERROR
      if (forced === 'reset_before') return 'reset'
      work()
      if (forced === 'html') return { status: 200, text: '<html>be right back</html>' }
      if (forced === 'gateway_502') return { status: 502, text: '<html>Bad Gateway</html>' }
      if (forced === 'accepted_then_500') return ERROR
      return forced === 'reset_after' ? 'reset' : 'hang'
    },
  }
}
