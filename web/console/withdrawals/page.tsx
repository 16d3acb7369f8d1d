import { ListPage } from '../shared/list/list-page.tsx'

export default function WithdrawalsPage() {
  return <ListPage list="withdrawals" />
}
