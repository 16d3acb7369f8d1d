import { VERSION } from '#app/version.ts'
import type { Vault } from '#base/crypto/vault.ts'
import type { BoundedClient } from '#base/db/client.ts'
import {
  type Definitions,
  type ReleaseVersion,
  signDeclaration,
} from '#flows/books/checks/declared-guards.ts'
import { type Migration, unjudgedChecks } from './migration-files.ts'

// What a release says of its guards, for `verify` of the release before (src/flows/books/checks/declared-guards.ts).
export interface Declaration {
  version: ReleaseVersion
  definitions: string
}

export function declarationOf(release: {
  migrations: readonly Migration[]
  functionsVersion: number
  definitions: Definitions
}): Declaration {
  const unjudged = Object.fromEntries(
    release.migrations
      .map((migration) => [migration.version, unjudgedChecks(migration)] as const)
      .filter(([, checks]) => checks.length > 0),
  )
  return {
    version: [release.migrations.at(-1)?.version ?? 0, release.functionsVersion],
    definitions: JSON.stringify({ ...release.definitions, unjudged }),
  }
}

// Nothing where the table is still to come, or the declaration is there.
export async function declare(
  client: BoundedClient,
  { version, definitions }: Declaration,
  { signer }: { signer?: Pick<Vault, 'fingerprint'> },
): Promise<void> {
  const { rows } = await client.query(`select to_regclass('release_declaration') is not null as there`)
  if (!rows[0].there || !signer) return
  const signature = signDeclaration(signer, version, definitions)
  const { rows: declared } = await client.query(
    'select from release_declaration where (schema_version, functions_version) = ($1, $2) and signature = $3',
    [...version, signature],
  )
  if (declared.length > 0) return
  await client.query(
    `insert into release_declaration (schema_version, functions_version, release, definitions, signature)
     values ($1, $2, $3, $4, $5)
     on conflict (schema_version, functions_version) do update set release = excluded.release,
        definitions = excluded.definitions, signature = excluded.signature, declared_at = excluded.declared_at`,
    [...version, VERSION, definitions, signature],
  )
}
