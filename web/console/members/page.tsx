import { ListPage } from '../shared/list/list-page.tsx'

export default function MembersPage() {
  return <ListPage list="members" />
}
