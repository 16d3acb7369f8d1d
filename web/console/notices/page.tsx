import { ListPage } from '../shared/list/list-page.tsx'

// Texts to members about their accounts. Messages about cards are deliveries, so they have another list.
export default function NoticesPage() {
  return <ListPage list="notices" />
}
