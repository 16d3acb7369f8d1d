import { ListPage } from '../shared/list/list-page.tsx'

// Messages about cards, with reminders before expiry. Texts about accounts are notices.
export default function DeliveriesPage() {
  return <ListPage list="deliveries" />
}
