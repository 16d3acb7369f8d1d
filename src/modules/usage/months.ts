import type { Reader } from '#base/db/db.ts'

export interface UsageMonth {
  // YYYY-MM, in Seoul.
  month: string
  issued: bigint
  used: bigint
}

const MONTHS = {
  name: 'list_usage_months',
  text: `select to_char(day, 'YYYY-MM') as month, sum(issued)::bigint as issued, sum(used)::bigint as used
           from usage_day
          where partner_id = $1 and day >= date_trunc('month', seoul_date(service_now())) - make_interval(months => $2::int - 1)
          group by 1 order by 1 desc`,
}

// From the sums of days, never from cards. This month and those before it, newest first.
export function listUsageMonths(database: Reader, partnerId: number, months: number): Promise<UsageMonth[]> {
  return database.read<UsageMonth & Record<string, unknown>>(MONTHS, [partnerId, months])
}
