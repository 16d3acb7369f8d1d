import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ObjectRef, Permission } from '../../../../contract/console.gen.ts'
import { useMay } from '../session.ts'

const CLASS = 'text-link underline decoration-line underline-offset-2 hover:decoration-current'

// What a reader needs to see the page. Those of the others hide what is not the reader's.
const NEEDED: Partial<Record<ObjectRef['kind'], Permission>> = {
  member: 'members.read',
  order: 'orders.read',
  request: 'approvals.read',
  withdrawal: 'withdrawals.read',
}

// Leads to the page of an object. To a reader who may not see it, it is plain text.
export function ObjectLink({ kind, id, children }: ObjectRef & { children?: ReactNode }) {
  const may = useMay()
  const label = children ?? (
    <code className="font-code text-[0.875em]">{id.length > 20 ? `${id.slice(0, 8)}…` : id}</code>
  )
  // The visible id is cut off, so a screen reader gets the kind and the whole id.
  const name = typeof children === 'string' ? undefined : `${kind} ${id}`
  const common = { className: CLASS, 'aria-label': name, title: id }
  const needed = NEEDED[kind]
  if (needed && !may(needed)) return label
  switch (kind) {
    case 'card':
      return (
        <Link to="/cards/$cardId" params={{ cardId: id }} {...common}>
          {label}
        </Link>
      )
    case 'partner':
      return (
        <Link to="/partners/$code" params={{ code: id }} {...common}>
          {label}
        </Link>
      )
    case 'user':
      return (
        <Link to="/users/$userId" params={{ userId: id }} {...common}>
          {label}
        </Link>
      )
    case 'delivery':
      return (
        <Link to="/deliveries/$deliveryId" params={{ deliveryId: id }} {...common}>
          {label}
        </Link>
      )
    case 'member':
      return (
        <Link to="/members/$memberId" params={{ memberId: id }} {...common}>
          {label}
        </Link>
      )
    case 'order':
      return (
        <Link to="/orders/$orderId" params={{ orderId: id }} {...common}>
          {label}
        </Link>
      )
    case 'request':
      return (
        <Link to="/approvals/$requestId" params={{ requestId: id }} {...common}>
          {label}
        </Link>
      )
    case 'api_request':
      return (
        <Link to="/requests/$apiRequestId" params={{ apiRequestId: id }} {...common}>
          {label}
        </Link>
      )
    case 'withdrawal':
      return (
        <Link to="/withdrawals/$withdrawalId" params={{ withdrawalId: id }} {...common}>
          {label}
        </Link>
      )
    // Other kinds have no page of their own.
    default:
      return <span title={id}>{label}</span>
  }
}
