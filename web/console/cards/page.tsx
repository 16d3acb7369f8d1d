import { ListPage } from '../shared/list/list-page.tsx'

export default function CardsPage() {
  return <ListPage list="cards" />
}
