import { checkMigrationSafety } from '../migrations.ts'
import type { PlantedCheck } from '../planted-case.ts'

const PATH = 'db/migrations/0099_next.sql'
const SERVES = '-- compatible with 0098\n'
const OUTSIDE = `-- outside a transaction\n${SERVES}`

export const MIGRATIONS: readonly PlantedCheck[] = [
  [
    'migrations',
    checkMigrationSafety,
    [
      ['db/migrations/0039_a.sql', 'drop table gift_card', ''],
      [PATH, 'select;', /declare who can serve .*compatible with 0098/],
      [PATH, '-- compatible with 0099\nselect;', /no earlier schema/],
      [PATH, `${SERVES}create table a (b int check (b > 0)); create index c on a (b);`, ''],
      [PATH, `${SERVES}alter table gift_card add column campaign text;`, ''],
      [PATH, `${SERVES}alter table gift_card add column on_sale boolean not null default false;`, ''],
      [
        PATH,
        `${SERVES}alter table gift_card add column a text not null;`,
        /not null without default on gift_card/,
      ],
      [
        PATH,
        `${SERVES}alter table gift_card\n  add column a uuid default gen_random_uuid();`,
        /rewrites the table/,
      ],
      [
        PATH,
        `${SERVES}alter table a add constraint b check (c > 0);`,
        /add constraint on a: add it NOT VALID/,
      ],
      [PATH, `${SERVES}alter table a add constraint b check (c > 0) not valid;`, ''],
      [PATH, `${SERVES}alter table a add constraint b unique using index b;`, ''],
      [PATH, `${SERVES}alter table a add foreign key (b) references c;`, /add constraint/],
      [PATH, `${SERVES}create unique index a on gift_card (number);`, /create index on gift_card/],
      [
        PATH,
        `${OUTSIDE}drop index concurrently if exists a; create index concurrently a on gift_card (number);`,
        '',
      ],
      [PATH, `${OUTSIDE}create index concurrently a on gift_card (number);`, /a may be there half built/],
      [PATH, `${SERVES}create index concurrently a on gift_card (number);`, /outside a transaction/],
      [PATH, `${SERVES}alter table a alter column b type bigint;`, /column type on a/],
      [PATH, `${SERVES}alter table a alter b set not null;`, /set not null on a/],
      [PATH, `${SERVES}update partner set name = '';`, /whole table on partner/],
      [PATH, `${SERVES}update partner set name = '' where id = 1; delete from a where b;`, ''],
      [PATH, `${SERVES}delete from partner;`, /whole table on partner/],
      [PATH, `${SERVES}truncate partner;`, /table lock on partner/],
      [PATH, `${SERVES}create trigger a before truncate on partner execute function b();`, ''],
      [PATH, `${SERVES}alter table a drop column b;`, /drop column on a: the release before/],
      [PATH, '-- compatible with none\nalter table a drop column b;', ''],
      [
        PATH,
        `${SERVES}-- allowed drop column: no release since 0041 reads it\nalter table a drop column b;`,
        '',
      ],
      [PATH, `${SERVES}-- allowed drop column: why\nalter table a drop column b;`, /drop column/],
      [PATH, `${SERVES}alter table a rename column b to c;`, /rename on a/],
      [PATH, `${SERVES}drop table if exists a;`, /drop table on a/],
    ],
  ],
]
