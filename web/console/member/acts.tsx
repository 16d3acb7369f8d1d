import type { MemberPage } from '../../../contract/console.gen.ts'
import { grams } from '../../kit/format.ts'
import { useTexts } from '../../kit/language.tsx'
import { DataTable } from '../shared/data-table.tsx'
import { ObjectLink } from '../shared/object/object-link.tsx'
import { useWords } from '../shared/object/value-words.ts'
import { Section, Sections } from '../shared/page.tsx'
import { Moment, Won } from '../shared/values.tsx'
import { TEXTS } from './texts.ts'

interface Props {
  member: MemberPage
}

// The newest orders and withdrawals, and tries that failed.
export function Acts({ member }: Props) {
  return (
    <Sections>
      <Orders member={member} />
      <Withdrawals member={member} />
      {member.guesses.length > 0 && <Guesses member={member} />}
    </Sections>
  )
}

function Orders({ member }: Props) {
  const texts = useTexts(TEXTS)
  const words = useWords()
  return (
    <Section title={texts.orders}>
      <DataTable
        caption={texts.orders}
        rows={member.orders}
        keyOf={({ id }) => id}
        empty={texts.none}
        columns={[
          { key: 'at', title: texts.at, cell: ({ at }) => <Moment at={at} /> },
          {
            key: 'side',
            title: texts.orders,
            cell: ({ id, metal, side }) => (
              <ObjectLink kind="order" id={id}>
                {`${words(metal)} ${words(side)}`}
              </ObjectLink>
            ),
          },
          { key: 'weight', title: texts.weight, figure: true, cell: (order) => grams(order.grams) },
          { key: 'total', title: texts.total, figure: true, cell: ({ total }) => <Won amount={total} /> },
        ]}
      />
    </Section>
  )
}

function Withdrawals({ member }: Props) {
  const texts = useTexts(TEXTS)
  const words = useWords()
  return (
    <Section title={texts.withdrawals}>
      <DataTable
        caption={texts.withdrawals}
        rows={member.withdrawals}
        keyOf={({ id }) => id}
        empty={texts.none}
        columns={[
          {
            key: 'at',
            title: texts.at,
            cell: ({ id, requestedAt }) => (
              <ObjectLink kind="withdrawal" id={id}>
                <Moment at={requestedAt} />
              </ObjectLink>
            ),
          },
          { key: 'status', title: texts.status, cell: ({ status }) => words(status) },
          {
            key: 'amount',
            title: texts.amount,
            figure: true,
            cell: ({ amount }) => <Won amount={amount} />,
          },
          { key: 'account', title: texts.account, cell: ({ bank, account }) => `${bank} ${account}` },
        ]}
      />
    </Section>
  )
}

// Wrong tries beside their limits: why the service may refuse the member for a while.
function Guesses({ member }: Props) {
  const texts = useTexts(TEXTS)
  const words = useWords()
  return (
    <Section title={texts.guesses} aside={texts.guessHint}>
      <DataTable
        caption={texts.guesses}
        rows={member.guesses}
        keyOf={({ kind }) => kind}
        empty={texts.none}
        columns={[
          { key: 'kind', title: texts.guesses, cell: ({ kind }) => words(kind) },
          {
            key: 'failures',
            title: texts.failures,
            figure: true,
            cell: ({ failures, limit }) => `${failures} / ${limit}`,
          },
          { key: 'hours', title: texts.hours, cell: ({ hours }) => `${hours} ${texts.hour}` },
        ]}
      />
    </Section>
  )
}
