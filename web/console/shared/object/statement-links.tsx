import { Link } from '@tanstack/react-router'
import { Nothing } from '../values.tsx'

export function StatementLinks({ numbers }: { numbers: readonly string[] }) {
  if (numbers.length === 0) return <Nothing />
  return numbers.map((number) => (
    <span key={number} className="me-2 inline-block">
      <Link
        to="/statements/$number"
        params={{ number }}
        className="text-link underline decoration-line underline-offset-2"
      >
        {number}
      </Link>
    </span>
  ))
}
