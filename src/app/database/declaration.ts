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

type Signer = { signer?: Pick<Vault, 'fingerprint'> }

// Or cannot be: its table is still to come, or there is no ring to sign with.
export async function isDeclared(
  client: BoundedClient,
  { version, definitions }: Declaration,
  { signer }: Signer,
): Promise<boolean> {
  const { rows } = await client.query(`select to_regclass('release_declaration') is not null as there`)
  if (!rows[0].there || !signer) return true
  const { rows: declared } = await client.query(
    'select from release_declaration where (schema_version, functions_version) = ($1, $2) and signature = $3',
    [...version, signDeclaration(signer, version, definitions)],
  )
  return declared.length > 0
}

export async function declare(client: BoundedClient, declaration: Declaration, stamp: Signer): Promise<void> {
  if (await isDeclared(client, declaration, stamp)) return
  const { version, definitions } = declaration
  await client.query(
    `insert into release_declaration (schema_version, functions_version, release, definitions, signature)
     values ($1, $2, $3, $4, $5)
     on conflict (schema_version, functions_version) do update set release = excluded.release,
        definitions = excluded.definitions, signature = excluded.signature, declared_at = excluded.declared_at`,
    [...version, VERSION, definitions, signDeclaration(stamp.signer!, version, definitions)],
  )
}
