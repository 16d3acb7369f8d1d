import { useState } from 'react'
import type { VerifiedIdentity } from '../../../contract/member.gen.ts'
import { IdentityForm } from '../../kit/identity.tsx'
import { useTexts } from '../../kit/language.tsx'
import { Bottom, Heading, Screen } from '../../kit/screen.tsx'
import { useSignedInAs } from '../../kit/session.tsx'
import { Account } from './account.tsx'
import { AlreadyMember, Partners, TurnedAway, Welcome } from './endings.tsx'
import { Terms } from './terms.tsx'
import { type Agreed, TEXTS } from './texts.ts'

type Step =
  | { at: 'terms' }
  | { at: 'identity'; agreed: Agreed }
  | { at: 'account'; agreed: Agreed; verificationId: string; name: string }
  | { at: 'member'; loginId: string | null }
  | { at: 'away'; reason: 'under_age' | 'not_eligible'; contact: string | undefined }
  | { at: 'partners' }
  | { at: 'welcome' }

// One question a screen. What is typed stays in this page: reloading it starts over.
export default function SignupPage() {
  const texts = useTexts(TEXTS)
  const signedInAs = useSignedInAs()
  const [step, go] = useState<Step>({ at: 'terms' })
  switch (step.at) {
    case 'terms':
      return <Terms onAgreed={(agreed) => go({ at: 'identity', agreed })} />
    case 'identity':
      return (
        <Screen title={texts.title} back={() => go({ at: 'terms' })}>
          <Heading sub={texts.identitySub}>{texts.identityHeading}</Heading>
          <IdentityForm
            purpose="sign_up"
            onVerified={(verificationId, who) => go(afterIdentity(step.agreed, verificationId, who))}
            onRefused={(reason, contact) => go({ at: 'away', reason, contact })}
            place={(button) => <Bottom>{button}</Bottom>}
          />
        </Screen>
      )
    case 'account':
      return (
        <Account
          {...step}
          onJoined={(session) => {
            signedInAs(session)
            go({ at: session.undecidedLinks > 0 ? 'partners' : 'welcome' })
          }}
          onRefused={(reason, contact) => go({ at: 'away', reason, contact })}
        />
      )
    case 'member':
      return <AlreadyMember loginId={step.loginId} />
    case 'away':
      return <TurnedAway {...step} />
    case 'partners':
      return <Partners onDone={() => go({ at: 'welcome' })} />
    case 'welcome':
      return <Welcome />
  }
}

function afterIdentity(agreed: Agreed, verificationId: string, who: VerifiedIdentity): Step {
  if (who.isMember) return { at: 'member', loginId: who.loginId }
  return { at: 'account', agreed, verificationId, name: who.name }
}
