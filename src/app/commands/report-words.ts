import type { RequestFundRefusal } from '#flows/reports/record-funds.ts'
import type { ReportRefusal } from '#flows/reports/report.ts'

export function fundWords(refusal: RequestFundRefusal): string {
  switch (refusal.reason) {
    case 'reference_invalid':
      return 'a reference has 1 to 100 characters, as on the institution’s document'
    case 'institution_invalid':
      return 'an institution has a name of 1 to 100 characters'
    case 'fund_out_of_bounds':
      return 'an amount is ₩0 to ₩1,000,000,000,000,000'
    case 'fund_day_not_over':
      return `${refusal.asOf} is not over: it is ${refusal.today} in Seoul`
    case 'fund_reference_used':
      return `${refusal.reference} is another record: each has a reference of its own`
  }
}

export function reportWords(refusal: ReportRefusal): string {
  switch (refusal.reason) {
    case 'period_backwards':
      return `the period ends on ${refusal.days.to}, before it begins on ${refusal.days.from}`
    case 'period_not_over':
      return `the period ends on ${refusal.days.to}, which is not over: it is ${refusal.today} in Seoul`
    case 'period_over_five_years':
      return 'a period has at most five years'
    case 'period_not_closed':
      return `${refusal.day} is not closed, the last closed day is ${refusal.last}: run \`ingot books close\``
    case 'nothing_closed':
      return 'no day is closed yet: run `ingot books close`'
    case 'member_not_found':
      return `there is no member ${refusal.member}`
  }
}
