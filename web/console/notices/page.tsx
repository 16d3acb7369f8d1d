import { ListPage } from '../shared/list/list-page.tsx'

export default function NoticesPage() {
  return <ListPage list="notices" />
}
