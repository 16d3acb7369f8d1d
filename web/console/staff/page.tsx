import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { StaffMember } from '../../../contract/console.gen.ts'
import { Button } from '../../kit/button.tsx'
import { useLanguage, useTexts } from '../../kit/language.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { LoadError } from '../shared/api/refusal-message.tsx'
import { type Column, DataTable } from '../shared/data-table.tsx'
import { Page, Section } from '../shared/page.tsx'
import { ROLE_NAMES } from '../shared/role-names.ts'
import { queryClient, useMay, useSession } from '../shared/session.ts'
import { Badge, Moment } from '../shared/values.tsx'
import { AddStaff, ChangeRole, type StaffAct, StaffActSheet } from './acts.tsx'
import { TEXTS } from './texts.ts'

const STAFF = { queryKey: ['staff'], queryFn: () => callApi('GET /staff') } as const
const reload = () => void queryClient.invalidateQueries({ queryKey: STAFF.queryKey })

type Open = { act: 'add' } | { act: 'role' | StaffAct; staff: StaffMember }

export default function StaffPage() {
  const texts = useTexts(TEXTS)
  const may = useMay()
  const staff = useQuery(STAFF)
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const columns = useColumns(setOpen)
  return (
    <Page
      title={texts.title}
      sub={texts.sub}
      actions={
        may('staff.change') && (
          <Button size="small" onClick={() => setOpen({ act: 'add' })}>
            {texts.add}
          </Button>
        )
      }
    >
      <Section title={texts.title}>
        {staff.isPending && <Loading />}
        {staff.error && <LoadError error={staff.error} onRetry={() => staff.refetch()} />}
        {staff.data && (
          <DataTable
            caption={texts.list}
            rows={staff.data.staff}
            keyOf={({ id }) => id}
            empty={texts.empty}
            columns={columns}
          />
        )}
      </Section>
      {open?.act === 'add' && <AddStaff onClose={close} onDone={reload} />}
      {open?.act === 'role' && <ChangeRole staff={open.staff} onClose={close} onDone={reload} />}
      {open && open.act !== 'add' && open.act !== 'role' && (
        <StaffActSheet act={open.act} staff={open.staff} onClose={close} onDone={reload} />
      )}
    </Page>
  )
}

function useColumns(onAct: (open: Open) => void): Column<StaffMember>[] {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const may = useMay()
  const { data: session } = useSession()
  const columns: Column<StaffMember>[] = [
    {
      key: 'person',
      title: texts.person,
      cell: ({ name, email }) => (
        <>
          {name}
          <span className="block text-sm break-all text-sub">{email}</span>
        </>
      ),
    },
    { key: 'role', title: texts.role, cell: ({ role }) => ROLE_NAMES[language][role] },
    { key: 'partner', title: texts.partner, cell: ({ partner }) => partner ?? texts.operator },
    {
      key: 'state',
      title: texts.state,
      cell: ({ status }) => <Badge look={status === 'active' ? 'good' : 'bad'}>{texts[status]}</Badge>,
    },
    {
      key: 'ways',
      title: texts.ways,
      cell: ({ signsInWith }) => signsInWith.map((way) => texts[way]).join(', ') || texts.noWay,
    },
    // Accounts of machines that count as this person (`operator bind`), so that nobody is two people.
    { key: 'accounts', title: texts.accounts, cell: ({ accounts }) => accounts.join(' ') || '–' },
    { key: 'seen', title: texts.seen, cell: ({ seenAt }) => <Moment at={seenAt} /> },
  ]
  // Whoever may only read sees no empty column.
  if (!may('staff.change')) return columns
  const acts: Column<StaffMember> = {
    key: 'act',
    title: texts.act,
    cell: (staff) => <Acts staff={staff} isSelf={staff.email === session?.staff?.email} onAct={onAct} />,
  }
  return [...columns, acts]
}

interface ActsProps {
  staff: StaffMember
  isSelf: boolean
  onAct(open: Open): void
}

function Acts({ staff, isSelf, onAct }: ActsProps) {
  const texts = useTexts(TEXTS)
  const status = staff.status === 'active' ? 'suspend' : 'resume'
  // The service refuses these acts on one's own account: an admin could lock themselves out.
  const acts = isSelf ? (['role'] as const) : (['role', status, 'end-sessions'] as const)
  const names = {
    role: texts.changeRole,
    suspend: texts.suspend,
    resume: texts.resume,
    'end-sessions': texts.endSessions,
  }
  return (
    <div className="flex flex-wrap gap-1.5">
      {acts.map((act) => (
        <Button
          key={act}
          look="quiet"
          size="small"
          // Every row has the same buttons, so their names say whom they are about.
          aria-label={`${names[act]} ${staff.email}`}
          onClick={() => onAct({ act, staff })}
        >
          {names[act]}
        </Button>
      ))}
    </div>
  )
}
