// Migrations run beside purchases and beside the release before. What would stop either is refused, unless the file says why
// it does no harm: `-- allowed drop column: no release since 0041 reads it`.
const FIRST_TO_DECLARE = 40 // earlier ones were written before there were declarations

interface Danger {
  kind: string
  found: RegExp
  instead: string
  // It harms earlier releases only. One that no longer has to serve them may do it.
  forEarlier?: true
}

// The first group is the table, where only tables that the same file creates are harmless.
const DANGERS: readonly Danger[] = [
  {
    kind: 'add constraint',
    found:
      /\balter table (?:only )?(\w+)[^;]*?\badd (?:constraint \w+ )?(?:check|foreign key|unique|primary key|exclude)\b(?![^;]*\b(?:not valid|using index)\b)/g,
    instead:
      'add it NOT VALID, and VALIDATE CONSTRAINT in a migration outside a transaction; unique: USING INDEX of one that was ' +
      'built CONCURRENTLY',
  },
  {
    kind: 'create index',
    found: /\bcreate (?:unique )?index (?!concurrently\b)[^;]*?\bon (?:only )?(\w+)/g,
    instead: 'CREATE INDEX CONCURRENTLY, in a migration outside a transaction, after DROP INDEX IF EXISTS',
  },
  {
    kind: 'column type',
    found: /\balter table (?:only )?(\w+)[^;]*?\balter (?:column )?\w+ (?:set data )?type\b/g,
    instead: 'add a column, fill it in chunks, and change over in a later release',
  },
  {
    kind: 'set not null',
    found: /\balter table (?:only )?(\w+)[^;]*?\balter (?:column )?\w+ set not null\b/g,
    instead: 'add a CHECK (… IS NOT NULL) NOT VALID and validate it first',
  },
  {
    kind: 'add column',
    found:
      /\balter table (?:only )?(\w+)[^;]*?\badd column [^;,]*?(?:\bstored\b|\b(?:small|big)?serial\b|\b(?:clock_timestamp|random|gen_random_uuid|nextval)\b|\breferences\b)/g,
    instead:
      'a column whose value is computed for each row rewrites the table: add it empty, and fill it in chunks',
  },
  {
    kind: 'whole table',
    found: /\b(?:update (?:only )?(\w+)(?: as \w+| \w+)? set\b|delete from (\w+))(?![^;]*\bwhere\b)/g,
    instead: 'a job of the release changes rows in chunks',
  },
  {
    kind: 'table lock',
    found:
      /\b(?:lock table|truncate(?: table)?(?! on\b)|cluster|vacuum full|reindex(?! concurrently)) (\w+)/g,
    instead: 'nothing may hold a whole table while purchases run',
  },
  {
    kind: 'drop column',
    found: /\balter table (?:if exists )?(?:only )?(\w+)[^;]*?\bdrop column\b/g,
    instead: 'the release before still reads it: stop using it, and drop it a release later',
    forEarlier: true,
  },
  {
    kind: 'drop table',
    found: /\bdrop table (?:if exists )?(\w+)/g,
    instead: 'the release before still uses it: drop it a release later',
    forEarlier: true,
  },
  {
    kind: 'rename',
    found: /\balter (?:table|type|sequence) (\w+)[^;]*?\brename\b/g,
    instead: 'the release before knows the old name',
    forEarlier: true,
  },
  {
    kind: 'not null without default',
    found: /\balter table (?:only )?(\w+)[^;]*?\badd column (?![^;,]*\bdefault\b)[^;,]*\bnot null\b/g,
    instead: 'the release before inserts rows without it: give it a default',
    forEarlier: true,
  },
]

const CREATED = /\bcreate table (?:if not exists )?(\w+)/g
const ALLOWED = /^-- allowed ([a-z ]+): .{10,}/gm

export function checkMigrationSafety(path: string, text: string): string[] {
  const number = Number(/^db\/migrations\/(\d+)_/.exec(path)?.[1] ?? 0)
  if (number < FIRST_TO_DECLARE) return []
  const [, oldest] = /^-- compatible with (none|\d{4})\b/m.exec(text) ?? []
  const sql = text.replace(/--.*$/gm, '').replace(/\s+/g, ' ').toLowerCase()
  const created = new Set([...sql.matchAll(CREATED)].map(([, table]) => table))
  const allowed = new Set([...text.matchAll(ALLOWED)].map(([, kind]) => kind))
  const dangers = DANGERS.filter(
    ({ kind, forEarlier }) => !allowed.has(kind) && !(forEarlier && oldest === 'none'),
  ).flatMap(({ kind, found, instead }) =>
    [...sql.matchAll(found)]
      .filter(([, one, other]) => !created.has(one ?? other))
      .map(
        ([, one, other]) =>
          `${path}: ${kind} on ${one ?? other}: ${instead}. If it does no harm, say so: -- allowed ${kind}: why`,
      ),
  )
  return [...wrongDeclaration(path, number, oldest), ...dangers, ...halfBuilt(path, text, sql)]
}

// An index whose build was killed stays behind, and is not valid. The next try has to remove it.
function halfBuilt(path: string, text: string, sql: string): string[] {
  const built = [...sql.matchAll(/\bcreate (?:unique )?index concurrently (?:if not exists )?(\w+)/g)]
  if (built.length > 0 && !/^-- outside a transaction\b/m.test(text))
    return [`${path}: CONCURRENTLY needs a line that says: -- outside a transaction`]
  return built
    .filter(
      ({ 1: name, index }) => !sql.slice(0, index).includes(`drop index concurrently if exists ${name}`),
    )
    .map(([, name]) => `${path}: ${name} may be there half built: DROP INDEX CONCURRENTLY IF EXISTS it first`)
}

function wrongDeclaration(path: string, number: number, oldest: string | undefined): string[] {
  if (oldest === undefined) {
    const before = String(number - 1).padStart(4, '0')
    return [
      `${path}: declare who can serve a database that has it: -- compatible with ${before}, the oldest schema whose ` +
        'release still can, or -- compatible with none (docs/upgrade.md)',
    ]
  }
  if (oldest !== 'none' && Number(oldest) >= number)
    return [`${path}: compatible with ${oldest}: that is no earlier schema`]
  return []
}

// A list of kinds is written anew by each migration that adds one. Two that were written side by side would each leave out the
// other's, and the later one would refuse rows that are there.
export function checkKindLists(migrations: ReadonlyMap<string, string>): string[] {
  const known = new Map<string, string[]>()
  return [...migrations]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([file, text]) =>
      [...text.matchAll(/add constraint (\w+_kind_check) check\s*\(kind in \(([^)]*)\)/g)].flatMap(
        ([, name = '', list = '']) => {
          const kinds = [...list.matchAll(/'(\w+)'/g)].map(([, kind]) => kind!)
          const lost = (known.get(name) ?? []).filter((kind) => !kinds.includes(kind))
          known.set(name, kinds)
          return lost.map(
            (kind) => `db/migrations/${file}: ${name} leaves out '${kind}', which an earlier one has`,
          )
        },
      ),
    )
}
