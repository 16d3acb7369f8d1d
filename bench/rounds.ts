import type { CpuSeconds, Meter } from './cpu.ts'

// What one measurement gave in one round.
export interface Sample {
  perSecond: number
  p50?: number
  p99?: number
  errors: number
  // All that were made, those before the count began included: CPU time is shared among them.
  requests?: number
  // What the load's own process used, in seconds, and how long it ran.
  load?: { cpuSeconds: number; seconds: number }
  // CPU time per request, in µs.
  cpu?: CpuSeconds
}

export interface Measurement {
  name: string
  // Of the installation that it asks, where there are two.
  meter?: Meter
  run(seconds: number): Promise<Sample>
}

export interface Measured {
  name: string
  samples: Sample[]
}

export interface Rounds {
  rounds: number
  roundSeconds: number
}

// All of them once, then all of them again, backwards. A slow machine, filling tables and a cold start then touch each
// alike. Results are in the order of the measurements.
export async function measureInTurn(
  measurements: readonly Measurement[],
  { rounds, roundSeconds }: Rounds,
  meter: Meter,
  onProgress: (text: string) => void,
): Promise<Measured[]> {
  const measured = measurements.map(({ name }): Measured => ({ name, samples: [] }))
  for (let round = 1; round <= rounds; round += 1) {
    const order = [...measurements.entries()]
    for (const [i, measurement] of round % 2 === 1 ? order : order.toReversed()) {
      onProgress(`round ${round} of ${rounds}: ${measurement.name}`)
      measured[i]!.samples.push(await runMetered(measurement, roundSeconds, measurement.meter ?? meter))
    }
  }
  return measured
}

export async function runMetered(measurement: Measurement, seconds: number, meter: Meter): Promise<Sample> {
  const used = meter.start()
  const sample = await measurement.run(seconds)
  const { requests } = sample
  const cpu = used()
  if (cpu === undefined || requests === undefined || requests === 0) return sample
  const each = (cpuSeconds: number | undefined) =>
    cpuSeconds === undefined ? undefined : (cpuSeconds * 1e6) / requests
  return { ...sample, cpu: { service: each(cpu.service), postgres: each(cpu.postgres) } }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

export type Figure = 'perSecond' | 'p50' | 'p99'

export function roundsOf(measured: Measured, of: Figure): number[] {
  return measured.samples.map((sample) => sample[of] ?? Number.NaN)
}

export function typical(measured: Measured, of: Figure): number {
  return median(roundsOf(measured, of))
}

// Round by round, as the two of one round had the same machine.
export function ratios(a: Measured, b: Measured, of: 'perSecond' | 'p50'): number[] {
  return a.samples.map((sample, round) => sample[of]! / b.samples[round]![of]!)
}

export function fastest(measured: readonly Measured[]): Measured {
  return measured.toSorted((a, b) => typical(b, 'perSecond') - typical(a, 'perSecond'))[0]!
}
