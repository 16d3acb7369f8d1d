// Milliseconds of every request. A typed array: millions of them leave no work for the garbage collector.
export class Latencies {
  #values = new Float64Array(1 << 16)
  #count = 0

  get count(): number {
    return this.#count
  }

  add(milliseconds: number): void {
    if (this.#count === this.#values.length) {
      const larger = new Float64Array(this.#values.length * 2)
      larger.set(this.#values)
      this.#values = larger
    }
    this.#values[this.#count] = milliseconds
    this.#count += 1
  }

  // Shares between 0 and 1; the nearest of the measured values, none made up in between.
  percentiles(...shares: number[]): number[] {
    const sorted = this.#values.slice(0, this.#count).sort()
    return shares.map(
      (share) => sorted[Math.min(this.#count - 1, Math.floor(share * this.#count))] ?? Number.NaN,
    )
  }
}
