import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { IdentityVerification, Onboarding } from '../../contract/member.gen.ts'
import { ask, refusalOf } from './api.ts'
import { Button } from './button.tsx'
import { useSecondsLeft } from './countdown.tsx'
import { Field, Segments, SelectField } from './field.tsx'
import { phone } from './format.ts'
import { TEXTS } from './identity-texts.ts'
import { useLanguage, useTexts } from './language.tsx'
import { Note, Problem } from './parts.tsx'
import { IS_SANDBOX } from './place.ts'

export type Details = NonNullable<Onboarding['details']>
// Nothing is chosen for anybody.
type Draft = Omit<Details, 'gender' | 'carrier'> & Partial<Pick<Details, 'gender' | 'carrier'>>

const NOBODY: Draft = { name: '', birthday: '', mdn: '' }
const CARRIERS = ['SKT', 'KT', 'LGU'] as const
const CARRIER_NAMES = { SKT: 'SKT', KT: 'KT', LGU: 'LG U+' }

type Place = (button: ReactNode) => ReactNode
const asIs: Place = (button) => button

// Who one is, as the carrier knows it, of somebody who is signed in: details first, then the code that comes to the phone.
// In a sheet; what it is about stays on the page below.
export function StepUpForm({ onVerified }: { onVerified(): void }) {
  const [details, setDetails] = useState<Details>()
  const [started, setStarted] = useState<IdentityVerification>()
  if (!started || !details) {
    return (
      <DetailsForm
        initial={details ?? null}
        onSend={async (typed) => {
          setDetails(typed)
          setStarted(await ask('POST /identity', { body: { purpose: 'step_up', ...typed } }))
        }}
      />
    )
  }
  const params = { verificationId: started.verificationId }
  return (
    <CodeForm
      key={started.verificationId}
      sent={{ mdn: details.mdn, ...started }}
      onConfirm={async (code) => {
        await ask('POST /identity/:verificationId/confirm', { params, body: { code } })
        onVerified()
      }}
      onResend={async () => setStarted(await ask('POST /identity/:verificationId/resend', { params }))}
      onChange={() => setStarted(undefined)}
    />
  )
}

interface DetailsProps {
  initial: Details | null
  // Ends when the code is on its way; throws a refusal.
  onSend(details: Details): Promise<void>
  place?: Place
}

export function DetailsForm({ initial, onSend, place = asIs }: DetailsProps) {
  const texts = useTexts(TEXTS)
  const [person, setPerson] = useState<Draft>(initial ?? NOBODY)
  const [shown, setShown] = useState(false)
  const start = useMutation({ mutationFn: onSend })
  const wrong: Wrong = {
    name: person.name.trim() === '' ? texts.badName : undefined,
    birthday: /^\d{8}$/.test(person.birthday) ? undefined : texts.badBirthday,
    gender: person.gender ? undefined : texts.noGender,
    carrier: person.carrier ? undefined : texts.noCarrier,
    mdn: /^0\d{8,11}$/.test(person.mdn.replace(/[\s-]/g, '')) ? undefined : texts.badMdn,
  }
  return (
    <form
      noValidate
      className="flex flex-1 flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        setShown(true)
        const { gender, carrier } = person
        if (start.isPending || !gender || !carrier || Object.values(wrong).some(Boolean)) return
        start.mutate({ ...person, gender, carrier })
      }}
    >
      {IS_SANDBOX && <PersonaPicker onPick={setPerson} />}
      <PersonFields {...{ person, setPerson }} wrong={shown ? wrong : {}} />
      <Problem refusal={start.isError ? refusalOf(start.error) : undefined} />
      {place(
        <Button type="submit" busy={start.isPending}>
          {texts.sendCode}
        </Button>,
      )}
    </form>
  )
}

type Wrong = Partial<Record<keyof Details, string | undefined>>

function PersonFields(props: { person: Draft; setPerson(person: Draft): void; wrong: Wrong }) {
  const { person, wrong } = props
  const texts = useTexts(TEXTS)
  const change = (part: Partial<Draft>) => props.setPerson({ ...person, ...part })
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
        error={wrong.gender}
        options={[
          { value: 'F', label: texts.female },
          { value: 'M', label: texts.male },
        ]}
        onChange={(gender) => change({ gender })}
      />
      <CarrierField
        value={person.carrier}
        error={wrong.carrier}
        onChange={(carrier) => change({ carrier })}
      />
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

function CarrierField(props: {
  value: Details['carrier'] | undefined
  error: string | undefined
  onChange(carrier: Details['carrier']): void
}) {
  const texts = useTexts(TEXTS)
  return (
    <SelectField
      label={texts.carrier}
      value={props.value ?? ''}
      error={props.error}
      onChange={(event) => props.onChange(event.target.value as Details['carrier'])}
    >
      <option value="" disabled>
        {texts.chooseCarrier}
      </option>
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

function PersonaPicker({ onPick }: { onPick(person: Draft): void }) {
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
        onPick(found as Draft)
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

interface CodeProps {
  sent: { mdn: string; expiresAt: string; resendAfterSeconds: number; sandboxCode: string | null }
  // Each throws a refusal.
  onConfirm(code: string): Promise<void>
  onResend(): Promise<void>
  // Back to the details.
  onChange(): void
  place?: Place
}

export function CodeForm({ sent, onConfirm, onResend, onChange, place = asIs }: CodeProps) {
  const texts = useTexts(TEXTS)
  const [code, setCode] = useState('')
  const [tried, setTried] = useState(false)
  const confirm = useMutation({ mutationFn: onConfirm })
  const resend = useMutation({ mutationFn: onResend })
  const wait = Math.ceil(useSecondsLeft(sent.resendAfterSeconds, `${sent.expiresAt} ${resend.submittedAt}`))
  const failed = confirm.error ?? resend.error
  const fine = /^\d{4,10}$/.test(code)
  return (
    <form
      noValidate
      className="flex flex-1 flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (fine && !confirm.isPending) confirm.mutate(code)
      }}
    >
      <p role="status" className="text-body">
        {texts.codeSent(phone(sent.mdn))}
      </p>
      {sent.sandboxCode && <Note>{texts.sandboxCode(sent.sandboxCode)}</Note>}
      <Field
        label={texts.code}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={10}
        autoFocus
        className="text-center text-2xl font-semibold tracking-[0.3em]"
        value={code}
        error={tried && !fine ? texts.badCode : undefined}
        onChange={(event) => setCode(event.target.value.replace(/\D/g, ''))}
      />
      <Problem refusal={failed ? refusalOf(failed) : undefined} />
      <div className="flex flex-wrap gap-2">
        <Button look="quiet" disabled={wait > 0} busy={resend.isPending} onClick={() => resend.mutate()}>
          {wait > 0 ? texts.resendIn(wait) : texts.resend}
        </Button>
        <Button look="plain" onClick={onChange}>
          {texts.change}
        </Button>
      </div>
      {place(
        <Button type="submit" busy={confirm.isPending}>
          {texts.confirm}
        </Button>,
      )}
    </form>
  )
}
