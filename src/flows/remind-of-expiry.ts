import type { Database } from '#base/db.ts'
import {
  insertReminders,
  listNoticeStages,
  markNotified,
  type NoticeCursor,
  type NoticeStage,
} from '#modules/gift-cards/expiry.ts'

const CHUNK = 500
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

// Writes the reminders that have become due. Each chunk is its own commit, and a card gets each notice once however
// often this is begun anew.
export async function remindOfExpiry(database: Database): Promise<void> {
  for (const stage of await listNoticeStages(database.db)) await remindStage(database, stage)
}

async function remindStage(database: Database, stage: NoticeStage): Promise<void> {
  let cursor: NoticeCursor | undefined = { expiresOn: stage.after, id: LAST_ID }
  while (cursor) {
    const after: NoticeCursor = cursor
    cursor = await database.withTransaction((tx) => insertReminders(tx, stage, after, CHUNK))
  }
  await database.withTransaction((tx) => markNotified(tx, stage))
}
