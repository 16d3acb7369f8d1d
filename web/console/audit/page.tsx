import { ListPage } from '../shared/list/list-page.tsx'
import { ChainState } from './chain-state.tsx'

// The state of the chain stands above the entries: whether they can be believed comes first.
export default function AuditPage() {
  return <ListPage list="audit" above={<ChainState />} />
}
