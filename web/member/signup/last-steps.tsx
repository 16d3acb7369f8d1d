import { Link } from '@tanstack/react-router'
import { Button, buttonClass } from '../../kit/button.tsx'
import { Card } from '../../kit/card.tsx'
import { useLanguage, useTexts } from '../../kit/language.tsx'
import { Heading } from '../../kit/layout.tsx'
import { Result } from '../../kit/result.tsx'
import { sayContact } from '../shared/api/refusal-texts.ts'
import { MemberLayout } from '../shared/member-layout.tsx'
import { LinkList, useLinks } from '../shared/partner-links.tsx'
import { PasskeyOffer } from '../shared/passkeys/passkey-buttons.tsx'
import { TEXTS } from './texts.ts'

// Says why a person cannot join, and whom to ask. There is no retry.
export function NotEligible(props: { reason: 'under_age' | 'not_eligible'; contact: string | undefined }) {
  const { reason, contact } = props
  const { language } = useLanguage()
  const texts = useTexts(TEXTS)
  const [title, body] =
    reason === 'under_age' ? [texts.underTitle, texts.underBody] : [texts.foreignTitle, texts.foreignBody]
  return (
    <MemberLayout
      title={texts.title}
      actions={
        <Link to="/" className={buttonClass()}>
          {texts.startAgain}
        </Link>
      }
    >
      <Heading sub={contact ? `${body} ${sayContact(contact, language)}` : body}>{title}</Heading>
    </MemberLayout>
  )
}

// Deciding about partners is not required: while one is undecided, the button says so and still leads on.
export function PartnerLinks({ onDone }: { onDone(): void }) {
  const texts = useTexts(TEXTS)
  const links = useLinks()
  // Until the list is there, a partner may be undecided.
  const open = links.data?.links.some((link) => link.state === 'undecided') ?? true
  return (
    <MemberLayout
      title={texts.title}
      actions={
        <Button look={open ? 'quiet' : 'main'} onClick={onDone}>
          {open ? texts.later : texts.done}
        </Button>
      }
    >
      <Heading sub={texts.linksSub}>{texts.linksHeading}</Heading>
      <Card>
        <LinkList />
      </Card>
    </MemberLayout>
  )
}

// Offers a passkey here, because making one needs an identity verified a moment ago.
export function Welcome() {
  const texts = useTexts(TEXTS)
  return (
    <MemberLayout title={texts.title}>
      <Result
        title={texts.welcome}
        actions={
          <>
            <Link to="/" className={buttonClass()}>
              {texts.register}
            </Link>
            <Link to="/assets" className={buttonClass('quiet')}>
              {texts.assets}
            </Link>
          </>
        }
      >
        <p className="pb-6 text-sub">{texts.welcomeBody}</p>
        <PasskeyOffer />
      </Result>
    </MemberLayout>
  )
}
