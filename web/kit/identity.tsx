import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { IdentityVerification, Operations, VerifiedIdentity } from '../../contract/member.gen.ts'
import { ask, refusalOf } from './api.ts'
import { Button } from './button.tsx'
import { useSecondsLeft } from './countdown.tsx'
import { Field, Segments, SelectField } from './field.tsx'
import { phone } from './format.ts'
import { TEXTS } from './identity-texts.ts'
import { useLanguage, useTexts } from './language.tsx'
import { Note, Problem } from './parts.tsx'
import { IS_SANDBOX } from './place.ts'

type Person = Omit<Operations['startIdentity']['body'], 'purpose'>
type Purpose = Operations['startIdentity']['body']['purpose']

const NOBODY: Person = { name: '', birthday: '', gender: 'F', mdn: '', carrier: 'SKT' }
const CARRIERS = ['SKT', 'KT', 'LGU'] as const
const CARRIER_NAMES = { SKT: 'SKT', KT: 'KT', LGU: 'LG U+' }

interface Props {
  purpose: Purpose
  onVerified(verificationId: string, who: VerifiedIdentity): void
  // Who may not go on at all, so that trying again would not help.
  onRefused?(reason: 'under_age' | 'not_eligible', contact: string | undefined): void
  // How the page places the button: below everything, or in a sheet.
  place?(button: ReactNode): ReactNode
}

// Who one is, as the carrier knows it: details first, then the code that comes to the phone.
export function IdentityForm({ purpose, onVerified, onRefused, place = (button) => button }: Props) {
  const onError = (error: unknown) => {
    const { code, contact } = refusalOf(error)
    if (code === 'under_age' || code === 'not_eligible') onRefused?.(code, contact)
  }
  const [person, setPerson] = useState(NOBODY)
  const [started, setStarted] = useState<IdentityVerification>()
  if (started) {
    return (
      <CodeForm
        key={started.verificationId}
        {...{ started, mdn: person.mdn, onVerified, onError, place }}
        onResent={setStarted}
        onChange={() => setStarted(undefined)}
      />
    )
  }
  return <PersonForm {...{ purpose, person, setPerson, onError, place }} onStarted={setStarted} />
}

function PersonForm(props: {
  purpose: Purpose
  person: Person
  setPerson(person: Person): void
  onStarted(started: IdentityVerification): void
  onError(error: unknown): void
  place(button: ReactNode): ReactNode
}) {
  const { person, setPerson } = props
  const texts = useTexts(TEXTS)
  const [shown, setShown] = useState(false)
  const start = useMutation({
    mutationFn: () => ask('POST /identity', { body: { purpose: props.purpose, ...person } }),
    onSuccess: props.onStarted,
    onError: props.onError,
  })
  const wrong: Wrong = {
    name: person.name.trim() === '' ? texts.required : undefined,
    birthday: /^\d{8}$/.test(person.birthday) ? undefined : texts.badBirthday,
    mdn: /^0\d{8,11}$/.test(person.mdn.replace(/[\s-]/g, '')) ? undefined : texts.badMdn,
  }
  return (
    <form
      noValidate
      className="flex flex-1 flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        setShown(true)
        if (!start.isPending && Object.values(wrong).every((one) => one === undefined)) start.mutate()
      }}
    >
      {IS_SANDBOX && <PersonaPicker onPick={setPerson} />}
      <PersonFields {...{ person, setPerson }} wrong={shown ? wrong : {}} />
      <Problem refusal={start.isError ? refusalOf(start.error) : undefined} />
      {props.place(
        <Button type="submit" busy={start.isPending}>
          {texts.sendCode}
        </Button>,
      )}
    </form>
  )
}

type Wrong = Partial<Record<'name' | 'birthday' | 'mdn', string | undefined>>

function PersonFields(props: { person: Person; setPerson(person: Person): void; wrong: Wrong }) {
  const { person, wrong } = props
  const texts = useTexts(TEXTS)
  const change = (part: Partial<Person>) => props.setPerson({ ...person, ...part })
  return (
    <>
      <Field
        label={texts.name}
        autoComplete="name"
        value={person.name}
        error={wrong.name}
        onChange={(event) => change({ name: event.target.value })}
      />
      <Field
        label={texts.birthday}
        hint={texts.birthdayHint}
        inputMode="numeric"
        autoComplete="bday"
        maxLength={10}
        value={person.birthday}
        error={wrong.birthday}
        onChange={(event) => change({ birthday: event.target.value.replace(/\D/g, '').slice(0, 8) })}
      />
      <Segments
        legend={texts.gender}
        value={person.gender}
        options={[
          { value: 'F', label: texts.female },
          { value: 'M', label: texts.male },
        ]}
        onChange={(gender) => change({ gender })}
      />
      <CarrierField value={person.carrier} onChange={(carrier) => change({ carrier })} />
      <Field
        label={texts.mdn}
        type="tel"
        inputMode="tel"
        autoComplete="tel-national"
        maxLength={20}
        value={person.mdn}
        error={wrong.mdn}
        onChange={(event) => change({ mdn: event.target.value })}
      />
    </>
  )
}

function CarrierField(props: { value: Person['carrier']; onChange(carrier: Person['carrier']): void }) {
  const texts = useTexts(TEXTS)
  return (
    <SelectField
      label={texts.carrier}
      value={props.value}
      onChange={(event) => props.onChange(event.target.value as Person['carrier'])}
    >
      {CARRIERS.map((carrier) => (
        <option key={carrier} value={carrier}>
          {CARRIER_NAMES[carrier]}
        </option>
      ))}
      {CARRIERS.map((carrier) => (
        <option key={`${carrier}_MVNO`} value={`${carrier}_MVNO`}>
          {texts.mvno(CARRIER_NAMES[carrier])}
        </option>
      ))}
    </SelectField>
  )
}

function PersonaPicker({ onPick }: { onPick(person: Person): void }) {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const personas = useQuery({
    queryKey: ['personas'],
    queryFn: () => ask('GET /personas'),
    staleTime: Infinity,
  })
  const list = personas.data?.personas ?? []
  if (list.length === 0) return null
  return (
    <SelectField
      label={texts.persona}
      defaultValue=""
      onChange={(event) => {
        const { note: _, ...found } = list[Number(event.target.value)] ?? { ...NOBODY, note: undefined }
        onPick(found as Person)
      }}
    >
      <option value="">{texts.choosePersona}</option>
      {list.map((persona, i) => (
        <option key={persona.mdn} value={i}>
          {persona.name} · {persona.note[language]}
        </option>
      ))}
    </SelectField>
  )
}

function CodeForm(props: {
  started: IdentityVerification
  mdn: string
  onResent(started: IdentityVerification): void
  onChange(): void
  onVerified: Props['onVerified']
  onError(error: unknown): void
  place(button: ReactNode): ReactNode
}) {
  const texts = useTexts(TEXTS)
  const { verificationId, sandboxCode, resendAfterSeconds, expiresAt } = props.started
  const [code, setCode] = useState('')
  const params = { verificationId }
  const confirm = useMutation({
    mutationFn: () => ask('POST /identity/:verificationId/confirm', { params, body: { code } }),
    onSuccess: (who) => props.onVerified(verificationId, who),
    onError: props.onError,
  })
  const resend = useMutation({
    mutationFn: () => ask('POST /identity/:verificationId/resend', { params }),
    onSuccess: props.onResent,
  })
  const wait = Math.ceil(useSecondsLeft(resendAfterSeconds, `${verificationId} ${expiresAt}`))
  const failed = confirm.error ?? resend.error
  return (
    <form
      noValidate
      className="flex flex-1 flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (/^\d{4,10}$/.test(code) && !confirm.isPending) confirm.mutate()
      }}
    >
      <p role="status" className="text-body">
        {texts.codeSent(phone(props.mdn))}
      </p>
      {sandboxCode && <Note>{texts.sandboxCode(sandboxCode)}</Note>}
      <Field
        label={texts.code}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={10}
        autoFocus
        className="text-center text-2xl font-semibold tracking-[0.3em]"
        value={code}
        onChange={(event) => setCode(event.target.value.replace(/\D/g, ''))}
      />
      <Problem refusal={failed ? refusalOf(failed) : undefined} />
      <div className="flex flex-wrap gap-2">
        <Button look="quiet" disabled={wait > 0} busy={resend.isPending} onClick={() => resend.mutate()}>
          {wait > 0 ? texts.resendIn(wait) : texts.resend}
        </Button>
        <Button look="plain" onClick={props.onChange}>
          {texts.change}
        </Button>
      </div>
      {props.place(
        <Button type="submit" disabled={code.length < 4} busy={confirm.isPending}>
          {texts.confirm}
        </Button>,
      )}
    </form>
  )
}
