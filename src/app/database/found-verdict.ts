import type { Vault } from '#base/crypto/vault.ts'
import type { BoundedClient } from '#base/db/client.ts'
import { signVerdict } from '#flows/books/since/checkpoint.ts'

// The migration after which a verdict of `verify` counts only if it is signed.
const SIGNED = /_signed_verdicts$/

// In the transaction of that migration: what an earlier release found goes on counting.
export async function signFoundVerdict(
  client: BoundedClient,
  { name }: { name: string },
  signer: Pick<Vault, 'fingerprint'> | undefined,
): Promise<void> {
  if (!SIGNED.test(name) || !signer) return
  const { rows } = await client.query(
    `select to_json(finished_at) #>> '{}' as at, ok, checks, broken from verification`,
  )
  for (const { at, ...found } of rows) {
    const finishedAt = Temporal.Instant.from(at)
    await client.query('update verification set signature = $1', [
      signVerdict(signer, { ...found, finishedAt }),
    ])
  }
}
