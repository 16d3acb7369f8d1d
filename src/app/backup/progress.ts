const PLAIN_MS = 5_000
const TERMINAL_MS = 200

/** Progress on standard error: one line that changes on a terminal, a line every few seconds elsewhere. */
export function showProgress(what: string): { on(done: number, total: number): void; end(): void } {
  const terminal = process.stderr.isTTY === true
  const began = performance.now()
  let shownAt = terminal ? 0 : began
  let shown = false
  return {
    on(done, total) {
      const now = performance.now()
      if (now - shownAt < (terminal ? TERMINAL_MS : PLAIN_MS)) return
      shownAt = now
      shown = true
      const percent = total === 0 ? 100 : Math.min(100, Math.floor((100 * done) / total))
      const rate = done / 1e6 / ((now - began) / 1000)
      const line = `${what}: ${percent}%, ${megabytes(done)} of ${megabytes(total)}, ${rate.toFixed(0)} MB/s`
      process.stderr.write(terminal ? `\r${line.padEnd(78)}` : `${line}\n`)
    },
    end() {
      if (terminal && shown) process.stderr.write('\n')
    },
  }
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`
}
