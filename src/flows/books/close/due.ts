import type { Reader } from '#base/db/db.ts'

// Acts that began before midnight are committed by then, and need not become corrections.
const GRACE_SECONDS = 120

const DUE = {
  name: 'read_days_due',
  text: `select d.day, d.openDays as "openDays"
           from (select p.day, greatest(p.day - coalesce(p.last, p.first - 1, p.day), 0) as openDays
                   from (select seoul_date(service_now() - make_interval(secs => $1)) - 1 as day,
                                (select max(day) from closed_day) as last,
                                (select seoul_date(at) from transfer order by id limit 1) as first) p) d`,
}

export interface Due {
  // The last day that is over, with some time to spare.
  day: string
  // How many days up to it are not closed.
  openDays: number
}

export async function readDue(database: Reader): Promise<Due> {
  const [due] = await database.read<Due>(DUE, [GRACE_SECONDS])
  return due!
}
