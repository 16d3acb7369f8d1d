import type { IssuedStatement } from '../../../contract/member.gen.ts'
import { BASE_PATH } from '../../kit/environment.ts'
import { moment } from '../../kit/format.ts'
import { useLanguage, useTexts } from '../../kit/language.tsx'
import { type Row, Rows } from '../../kit/rows.tsx'
import { TEXTS } from './texts.ts'

export const inGroups = (text: string, size: number) =>
  text.replace(new RegExp(`.{${size}}(?=.)`, 'g'), '$&-')

// The issuer, and how a receiver confirms the statement. The link has its code in the fragment, which a browser never sends.
export function IssueDetails({ issued }: { issued: IssuedStatement }) {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const { number, code, issuedAt } = issued
  const issuer = issued.issuer[language]
  const address = `${window.location.origin}${BASE_PATH}/statement/check`
  const exact = (text: string) => <span className="font-code whitespace-nowrap">{text}</span>
  const rows: Row[] = [
    { name: texts.number, value: exact(inGroups(number, 4)), strong: true },
    { name: texts.code, value: exact(inGroups(code, 5)), strong: true },
    { name: texts.issuedAt, value: moment(issuedAt, language) },
    {
      name: texts.confirmAt,
      value: (
        <a href={`${address}#${number}.${code}`} className="break-all text-link underline">
          {address.replace(/^https?:\/\//, '')}
        </a>
      ),
    },
    { name: texts.issuer, value: issuer.name },
    ...(issuer.businessNumber ? [{ name: texts.businessNumber, value: issuer.businessNumber }] : []),
    ...(issuer.address ? [{ name: texts.address, value: issuer.address }] : []),
    { name: texts.contact, value: issuer.contact },
  ]
  return (
    <div className="rounded-2xl border border-line px-4 py-2 text-[0.9375rem] break-inside-avoid print:py-1 print:text-[9pt] print:*:gap-0 print:**:py-0.5">
      <Rows rows={rows} />
    </div>
  )
}
