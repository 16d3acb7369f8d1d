import { ListPage } from '../shared/list/list-page.tsx'

export default function DeliveriesPage() {
  return <ListPage list="deliveries" />
}
