import { type ReactNode, useEffect, useRef } from 'react'
import { Loading } from '../../../kit/load-states.tsx'
import { MemberLayout } from '../member-layout.tsx'
import { useGoOn } from '../onboarding.ts'
import { useSession } from './session.ts'

// For a page that signs somebody in. Whoever comes here signed in, by Back or by an old link, goes on instead: being asked
// who one is would look as if nothing had been finished.
export function GuestPage(props: { title: string; to: string | undefined; children: ReactNode }) {
  const { data } = useSession()
  // As it was on arrival: the page itself leads on whoever signs in here.
  const cameSignedIn = useRef<boolean>(undefined)
  cameSignedIn.current ??= data?.signedIn
  const goesOn = cameSignedIn.current === true
  const goOn = useGoOn(props.to)
  useEffect(() => {
    if (goesOn) void goOn()
  }, [goesOn, goOn])
  return (
    <MemberLayout title={props.title} back={!goesOn}>
      {goesOn ? <Loading /> : props.children}
    </MemberLayout>
  )
}
