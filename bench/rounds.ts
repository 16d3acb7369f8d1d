// What one measurement gave in one round.
export interface Sample {
  perSecond: number
  p50?: number
  p99?: number
  errors: number
}

export interface Measurement {
  name: string
  run(seconds: number): Promise<Sample>
}

export interface Measured {
  name: string
  samples: Sample[]
}

// All of them once, then all of them again, backwards: what slows the machine down for a while, fills the tables, or only
// warms up, then touches each alike. Results are in the order of the measurements.
export async function measureInTurn(
  measurements: readonly Measurement[],
  rounds: number,
  seconds: number,
  onProgress: (text: string) => void,
): Promise<Measured[]> {
  const measured = measurements.map(({ name }): Measured => ({ name, samples: [] }))
  for (let round = 1; round <= rounds; round += 1) {
    const order = [...measurements.entries()]
    for (const [i, { name, run }] of round % 2 === 1 ? order : order.toReversed()) {
      onProgress(`round ${round} of ${rounds}: ${name}`)
      measured[i]!.samples.push(await run(seconds))
    }
  }
  return measured
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

export function typical(measured: Measured, of: 'perSecond' | 'p50' | 'p99'): number {
  return median(measured.samples.map((sample) => sample[of] ?? Number.NaN))
}

// Round by round, as the two of one round had the same machine.
export function ratio(a: Measured, b: Measured, of: 'perSecond' | 'p50'): number {
  return median(a.samples.map((sample, round) => sample[of]! / b.samples[round]![of]!))
}

export function fastest(measured: readonly Measured[]): Measured {
  return measured.toSorted((a, b) => typical(b, 'perSecond') - typical(a, 'perSecond'))[0]!
}
