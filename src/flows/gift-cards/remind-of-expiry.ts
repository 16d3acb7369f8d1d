import type { Database } from '#base/db/db.ts'
import {
  findReminderTime,
  insertReminders,
  listNoticeStages,
  markNotified,
  type NoticeCursor,
  type NoticeStage,
} from '#modules/gift-cards/expiry.ts'
import { isReminderTime } from '#modules/gift-cards/rules.ts'

const CHUNK = 500
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

// Writes the reminders that are due. Each chunk is its own commit. A card gets each notice once, however often this
// restarts. Returns how many cards were looked at.
export async function remindOfExpiry(database: Database): Promise<number> {
  if (!isReminderTime(await findReminderTime(database.db))) return 0
  let count = 0
  for (const stage of await listNoticeStages(database.db)) count += await remindStage(database, stage)
  return count
}

async function remindStage(database: Database, stage: NoticeStage): Promise<number> {
  let count = 0
  let cursor: NoticeCursor | undefined = { expiresOn: stage.after, id: LAST_ID }
  while (cursor) {
    const after: NoticeCursor = cursor
    const reminded = await database.withTransaction((tx) => insertReminders(tx, stage, after, CHUNK))
    count += reminded.count
    cursor = reminded.last
  }
  await database.withTransaction((tx) => markNotified(tx, stage))
  return count
}
