import { checkPersonalData } from '../personal-data.ts'
import type { PlantedCheck } from '../planted-case.ts'

const table = (name: string, ...columns: string[]) =>
  `create table ${name} (\n${columns.map((column) => `  ${column} uuid not null,\n`).join('')}  constraint x CHECK (true)\n);\n`

export const PERSONAL_DATA: PlantedCheck = [
  'personal data',
  (_, text) => checkPersonalData(text),
  [
    ['db/schema.sql', table('member', 'id', 'ci', 'created_at'), ''],
    ['db/schema.sql', table('member', 'id', 'ci', 'created_at', 'nickname'), /member\.nickname is neither/],
    ['db/schema.sql', table('member', 'id', 'ci'), /member\.created_at is named .* not in the schema/],
    [
      'db/schema.sql',
      table('favourite', 'id', 'holder_id'),
      /favourite\.holder_id may hold data of a person/,
    ],
    ['db/schema.sql', table('letter', 'recipient_phone'), /letter\.recipient_phone may hold/],
    ['db/schema.sql', table('tariff', 'id', 'percent'), ''],
  ],
]
