import { AUDIENCES } from './planted/audiences.ts'
import { BANNED } from './planted/banned.ts'
import { BASE_WORDS } from './planted/base-words.ts'
import { CIRCLES } from './planted/circles.ts'
import { COLOURS } from './planted/colours.ts'
import { HOMES } from './planted/homes.ts'
import { IMPORTS } from './planted/imports.ts'
import { MIGRATIONS } from './planted/migrations.ts'
import { PERSONAL_DATA } from './planted/personal-data.ts'
import { REPOSITORY } from './planted/repository.ts'
import { SIZES } from './planted/sizes.ts'
import { START_WEIGHT } from './planted/start-weight.ts'
import { TEST_SETUP } from './planted/test-setup.ts'
import { WRITES } from './planted/writes.ts'
import type { PlantedCheck } from './planted-case.ts'

// Every check with what it must find and what it must leave alone.
export const PLANTED: readonly PlantedCheck[] = [
  AUDIENCES,
  BANNED,
  BASE_WORDS,
  CIRCLES,
  COLOURS,
  HOMES,
  IMPORTS,
  ...MIGRATIONS,
  PERSONAL_DATA,
  ...REPOSITORY,
  SIZES,
  START_WEIGHT,
  TEST_SETUP,
  WRITES,
]
