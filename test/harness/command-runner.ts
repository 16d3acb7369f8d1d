import { main } from '#app/cli.ts'

// Runs one command after another in a process that has the code loaded already: see commands.ts.
export interface ToRun {
  argv: string[]
  environment: Record<string, string | undefined>
}

let stdout = ''
let stderr = ''
process.stdout.write = ((chunk: string | Uint8Array) => {
  stdout += String(chunk)
  return true
}) as typeof process.stdout.write
process.stderr.write = ((chunk: string | Uint8Array) => {
  stderr += String(chunk)
  return true
}) as typeof process.stderr.write

process.on('message', async ({ argv, environment }: ToRun) => {
  const code = await main(argv, environment)
  process.send?.({ code, stdout, stderr })
  stdout = ''
  stderr = ''
})
process.on('disconnect', () => process.exit())
