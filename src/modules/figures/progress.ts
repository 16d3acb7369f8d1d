import type { Reader } from '#base/db/db.ts'

export interface Counting {
  // Since the oldest thing that is not in the figures yet; 0 if all is.
  lagSeconds: number
  // Rows counted and rows there are, over all sources, as their ids tell: for progress after an upgrade.
  counted: bigint
  total: bigint
}

// The first row beyond the place where counting stopped is a probe of the primary key.
const PROGRESS = {
  name: 'read_counting',
  text: `select greatest(coalesce(extract(epoch from service_now() - min(n.at)), 0), 0)::float8 as "lagSeconds",
                sum(f.through_id)::bigint as counted, sum(greatest(f.through_id, n.newest))::bigint as total
           from figure_source f
          cross join lateral (
                  select (select at from transfer where id > f.through_id order by id limit 1) as at,
                         (select max(id) from transfer) as newest where f.source = 'transfer'
                  union all
                  select (select at from delivery_event where id > f.through_id order by id limit 1),
                         (select max(id) from delivery_event) where f.source = 'delivery_event') n`,
}

export async function readCounting(database: Reader): Promise<Counting> {
  const [row] = await database.read<Counting>(PROGRESS, [])
  return row!
}
