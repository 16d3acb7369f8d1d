import { useQuery } from '@tanstack/react-query'
import type { Permission, Role } from '../../../contract/console.gen.ts'
import { CheckIcon } from '../../kit/icons.tsx'
import { type Texts, useTexts } from '../../kit/language.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { DataTable } from '../shared/data-table.tsx'
import { Page } from '../shared/page.tsx'
import { PageError } from '../shared/page-error.tsx'
import { PERMISSION_NAMES, ROLE_NAMES } from '../shared/role-names.ts'

interface RolesTexts {
  title: string
  sub: string
  permission: string
  yes: string
  no: string
  empty: string
}

const TEXTS: Texts<RolesTexts> = {
  ko: {
    title: '역할과 권한',
    sub: '모든 요청은 이 표로 확인합니다. 제휴사 역할은 자기 제휴사의 것만 봅니다.',
    permission: '권한',
    yes: '가능',
    no: '불가',
    empty: '역할이 없습니다.',
  },
  en: {
    title: 'Roles',
    sub: "Every request is checked against this table. A partner's roles see their own partner only.",
    permission: 'Permission',
    yes: 'allowed',
    no: 'not allowed',
    empty: 'There are no roles.',
  },
}

export default function RolesPage() {
  const texts = useTexts(TEXTS)
  const roleNames = useTexts<Record<Role, string>>(ROLE_NAMES)
  const permissionNames = useTexts<Record<Permission, string>>(PERMISSION_NAMES)
  // The service sends the table by which it checks requests, so this page is never out of date.
  const { data, error, refetch } = useQuery({ queryKey: ['roles'], queryFn: () => callApi('GET /roles') })
  if (error) return <PageError error={error} onRetry={refetch} />
  if (!data) return <Loading />
  const columns = [
    {
      key: 'permission',
      title: texts.permission,
      cell: ({ permission }: (typeof data.permissions)[number]) => permissionNames[permission],
    },
    ...data.roles.map(({ role }) => ({
      key: role,
      title: roleNames[role],
      cell: ({ roles }: (typeof data.permissions)[number]) =>
        roles.includes(role) ? (
          <span className="text-link">
            <CheckIcon className="size-5" />
            {/* A mark alone says nothing to a screen reader. */}
            <span className="sr-only">{texts.yes}</span>
          </span>
        ) : (
          <span className="text-faint">
            <span aria-hidden="true">·</span>
            <span className="sr-only">{texts.no}</span>
          </span>
        ),
    })),
  ]
  return (
    <Page title={texts.title} sub={texts.sub}>
      <DataTable
        caption={texts.title}
        columns={columns}
        rows={data.permissions}
        keyOf={({ permission }) => permission}
        empty={texts.empty}
      />
    </Page>
  )
}
