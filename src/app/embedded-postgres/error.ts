import { Explained } from '#base/explained.ts'
/** Something an operator has to know or do; the message is a sentence for that person. */
export class EmbeddedPostgresError extends Explained {
  override readonly name = 'EmbeddedPostgresError'
}

export function errorCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null | undefined)?.code
  return typeof code === 'string' ? code : undefined
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || (errorCode(error) ?? error.name) : String(error)
}

/** Lets ours through and turns a system error into one of ours. */
export function asEmbeddedError(error: unknown): EmbeddedPostgresError {
  if (error instanceof EmbeddedPostgresError) return error
  return new EmbeddedPostgresError(`the bundled PostgreSQL failed: ${messageOf(error)}`, { cause: error })
}
