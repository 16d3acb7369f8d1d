import { checkDocumentPaths } from '../documents.ts'
import type { PlantedCheck } from '../planted-case.ts'
import { checkDecisions, checkMachine, checkNpmrc, checkSqlHomes } from '../repository.ts'

// Put together here, so that the check does not find them in this file.
const SOMEONES_HOME = ['', 'home', 'someone', 'ingot'].join('/')
const SOMEONES_FOLDER = ['C:', 'Users', 'someone'].join('\\')

export const REPOSITORY: readonly PlantedCheck[] = [
  [
    'functions',
    checkSqlHomes,
    [
      ['db/migrations/0036_a.sql', 'create function a() …', ''],
      ['db/migrations/0037_a.sql', 'create table a (b integer);', ''],
      [
        'db/migrations/0037_a.sql',
        'select;\ncreate function a() …',
        /create function: functions and views are/,
      ],
      ['db/migrations/0038_a.sql', 'create or replace view a as …', /create or replace view/],
      ['db/functions/a.sql', 'create or replace function a() …', ''],
    ],
  ],
  [
    'machine',
    checkMachine,
    [
      ['README.md', SOMEONES_HOME, /one machine/],
      ['a.ts', SOMEONES_FOLDER, /one machine/],
      ['.npmrc', 'registry=https://example.org', /registry=/],
      ['package-lock.json', '"resolved": "https://example.org/a.tgz"', /resolved/],
      ['README.md', 'https://example.org/home/page, ./work/x and PUBLIC_URL/root/x', ''],
    ],
  ],
  [
    'npmrc',
    (_path, text) => checkNpmrc(text),
    [['.npmrc', 'ignore-scripts=true\nloglevel=error\n', /omit-lockfile/]],
  ],
  [
    'decisions',
    (path, text) => checkDecisions(new Map([[path, text]])),
    [
      ['0001-why.md', 'Because.', ''],
      ['0002-why.md', 'Because.', /2 where 1 comes next/],
      ['why.md', 'Because.', /not named/],
      ['0001-why.md', 'Because.\n'.repeat(61), /61 lines/],
    ],
  ],
  [
    'documents',
    (path, text) =>
      checkDocumentPaths(path, text, ['src/edge/server.ts', 'docs/a.md', 'decisions/0001-why.md']),
    [
      ['a.md', 'in `src/edge/server.ts` and src/edge/, `server.ts`, decisions/0001, `src/FOLDER/x.ts`', ''],
      ['a.md', '\nin `src/edge/absent.ts`', /a\.md:2 src\/edge\/absent\.ts: there is no such file/],
      ['a.md', 'in `absent.ts`', /absent\.ts/],
      ['a.md', '(decisions/0002)', /decisions\/0002/],
      ['docs/b.md', '[a](a.md#top), [it](https://example.org/docs/b.md), PUBLIC_URL/src/x', ''],
      ['docs/b.md', '[a](../a.md)', /\.\.\/a\.md/],
      ['docs/b.md', '<img src="shots/a.png">', /shots\/a\.png/],
      ['a.ts', '// src/edge/absent.ts', ''],
    ],
  ],
]
