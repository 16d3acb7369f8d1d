import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { RefundPolicies, RefundPolicy } from '../../../contract/console.gen.ts'
import { Button } from '../../kit/button.tsx'
import { date } from '../../kit/format.ts'
import { useLanguage, useTexts, useWon } from '../../kit/language.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { DataTable } from '../shared/data-table.tsx'
import { Page, Section } from '../shared/page.tsx'
import { PageError } from '../shared/page-error.tsx'
import { RawJson } from '../shared/raw-json.tsx'
import { useMay } from '../shared/session.ts'
import { Badge } from '../shared/values.tsx'
import { PolicySheet } from './policy-sheet.tsx'
import { TEXTS } from './texts.ts'

export default function RefundPoliciesPage() {
  const texts = useTexts(TEXTS)
  const may = useMay()
  const [open, setOpen] = useState(false)
  // Each opening begins with the newest version.
  const [times, setTimes] = useState(0)
  const { data, error, refetch } = useQuery({
    queryKey: ['refund-policies'],
    queryFn: () => callApi('GET /refund-policies'),
  })
  if (error) return <PageError error={error} onRetry={refetch} />
  if (!data) return <Loading lines={6} />
  return (
    <Page
      title={texts.title}
      sub={texts.sub}
      actions={
        may('refund_policies.change') && (
          <Button
            size="small"
            look="quiet"
            onClick={() => {
              setTimes(times + 1)
              setOpen(true)
            }}
          >
            {texts.add}
          </Button>
        )
      }
    >
      <Section title={texts.versions} aside={texts.order}>
        <PolicyTable answer={data} />
      </Section>
      <RawJson value={data} />
      <PolicySheet
        // The sheet keeps its own draft. A new key throws it away.
        key={times}
        newest={data.policies[0]}
        open={open}
        onClose={() => setOpen(false)}
        onDone={() => void refetch()}
      />
    </Page>
  )
}

function PolicyTable({ answer }: { answer: RefundPolicies }) {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const won = useWon()
  const { policies, today } = answer
  // The newest comes first, so the first that has begun is in force.
  const inForce = policies.find(({ effectiveFrom }) => effectiveFrom <= today)?.version
  const money = ({ smallPercent, smallUpTo, largePercent }: RefundPolicy) =>
    texts.money(smallPercent, won(smallUpTo), largePercent)
  return (
    <DataTable
      caption={texts.versions}
      rows={policies}
      keyOf={({ version }) => version}
      empty={texts.none}
      columns={[
        {
          key: 'version',
          title: texts.version,
          cell: ({ version, effectiveFrom }) => (
            <>
              <code className="font-code">{version}</code>{' '}
              {version === inForce && <Badge look="good">{texts.inForce}</Badge>}
              {/* A later version may exist before it holds. */}
              {effectiveFrom > today && <Badge look="warn">{texts.later}</Badge>}
            </>
          ),
        },
        {
          key: 'from',
          title: texts.from,
          cell: ({ effectiveFrom }) => date(effectiveFrom, language),
        },
        { key: 'cancel', title: texts.cancel, cell: ({ cancelDays }) => texts.days(cancelDays) },
        { key: 'refund', title: texts.refund, cell: ({ refundYears }) => texts.years(refundYears) },
        { key: 'money', title: texts.asMoney, cell: money },
        { key: 'points', title: texts.asPoints, cell: ({ pointsPercent }) => `${pointsPercent}%` },
        {
          key: 'extension',
          title: texts.extension,
          cell: ({ extensionMonths }) =>
            extensionMonths === 0 ? texts.noExtension : texts.months(extensionMonths),
        },
        {
          key: 'notices',
          title: texts.notices,
          cell: ({ noticeDays }) => noticeDays.toSorted((a, b) => b - a).join(', '),
        },
      ]}
    />
  )
}
