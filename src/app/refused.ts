import { Explained } from '#base/explained.ts'

// An operator's wish that was not granted, with the sentence that the terminal shows.
export class Refused extends Explained {
  override get machineWords() {
    return { code: 'refused' }
  }
}

type Refusal<Outcome> = Extract<Outcome, { kind: 'refused' }>

// The outcome of a flow that did what it was asked. A refusal ends the command with its words.
export function orRefuse<Outcome extends { kind: string }>(
  outcome: Outcome,
  words: (refusal: Refusal<Outcome>) => string,
): Exclude<Outcome, { kind: 'refused' }> {
  if (outcome.kind === 'refused') throw new Refused(words(outcome as Refusal<Outcome>))
  return outcome as Exclude<Outcome, { kind: 'refused' }>
}
