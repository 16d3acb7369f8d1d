import { Link } from '@tanstack/react-router'
import { Button, buttonClass } from '../../kit/button.tsx'
import { useLanguage, useTexts } from '../../kit/language.tsx'
import { LinkList, useLinks } from '../../kit/links.tsx'
import { Card } from '../../kit/parts.tsx'
import { PasskeyOffer } from '../../kit/passkey.tsx'
import { sayContact } from '../../kit/refusals.ts'
import { Result } from '../../kit/result.tsx'
import { Heading, Screen } from '../../kit/screen.tsx'
import { TEXTS } from './texts.ts'

// Who cannot join is told why, and what else there is.
export function TurnedAway(props: { reason: 'under_age' | 'not_eligible'; contact: string | undefined }) {
  const { reason, contact } = props
  const { language } = useLanguage()
  const texts = useTexts(TEXTS)
  const [title, body] =
    reason === 'under_age' ? [texts.underTitle, texts.underBody] : [texts.foreignTitle, texts.foreignBody]
  return (
    <Screen
      title={texts.title}
      actions={
        <Link to="/" className={buttonClass()}>
          {texts.startAgain}
        </Link>
      }
    >
      <Heading sub={contact ? `${body} ${sayContact(contact, language)}` : body}>{title}</Heading>
    </Screen>
  )
}

export function Partners({ onDone }: { onDone(): void }) {
  const texts = useTexts(TEXTS)
  const links = useLinks()
  const open = links.data?.links.some((link) => link.state === 'undecided') ?? true
  return (
    <Screen
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
    </Screen>
  )
}

export function Welcome() {
  const texts = useTexts(TEXTS)
  return (
    <Screen title={texts.title}>
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
    </Screen>
  )
}
