import { ListPage } from '../shared/list/list-page.tsx'

export default function OrdersPage() {
  return <ListPage list="orders" />
}
