import { ListPage } from '../shared/list/list-page.tsx'

export default function UsersPage() {
  return <ListPage list="users" />
}
