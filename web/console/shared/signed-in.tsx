import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Button } from '../../kit/button.tsx'
import { useTexts } from '../../kit/language.tsx'
import { callApi } from './api/call-api.ts'
import { forgetEverything, useSession } from './session.ts'

const TEXTS = {
  ko: { account: '내 계정', signOut: '로그아웃' },
  en: { account: 'My account', signOut: 'Sign out' },
}

// Who is here, and the way out. A small screen has room for the name only; the account has the way out, too.
export function SignedIn() {
  const texts = useTexts(TEXTS)
  const { data } = useSession()
  if (!data?.staff) return null
  return (
    <>
      <Link
        to="/account"
        title={`${texts.account}: ${data.staff.email}`}
        className="flex min-h-10 max-w-20 items-center rounded-xl px-2 text-[0.9375rem] text-body no-underline hover:bg-quiet sm:max-w-44"
      >
        <span className="sr-only">{texts.account}: </span>
        <span className="truncate">{data.staff.name}</span>
      </Link>
      <span className="hidden sm:block">
        <SignOut />
      </span>
    </>
  )
}

export function SignOut() {
  const texts = useTexts(TEXTS)
  // The cache goes with the session: the next person at this desk must see nothing of it.
  const leave = useMutation({ mutationFn: () => callApi('POST /sign-out'), onSuccess: forgetEverything })
  return (
    <Button look="quiet" size="small" busy={leave.isPending} onClick={() => leave.mutate()}>
      {texts.signOut}
    </Button>
  )
}
