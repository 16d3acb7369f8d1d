import { useState } from 'react'
import type { InvitedStaff, Role, StaffMember } from '../../../contract/console.gen.ts'
import { Field, SelectField } from '../../kit/field.tsx'
import { useLanguage, useTexts } from '../../kit/language.tsx'
import { Note } from '../../kit/note.tsx'
import { ActSheet } from '../shared/act-sheet.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { ROLE_NAMES } from '../shared/role-names.ts'
import { CopyId } from '../shared/values.tsx'
import { TEXTS } from './texts.ts'

interface SheetProps {
  onClose(): void
  onDone(): void
}

// A role without a name is a type error, so these are all roles.
const ALL_ROLES = Object.keys(ROLE_NAMES.ko) as Role[]
const isPartnerRole = (role: Role) => role.startsWith('partner_')

function RoleField({ roles, value, onChange }: { roles: Role[]; value: Role; onChange(role: Role): void }) {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  return (
    <SelectField label={texts.role} value={value} onChange={(event) => onChange(event.target.value as Role)}>
      {roles.map((role) => (
        <option key={role} value={role}>
          {ROLE_NAMES[language][role]}
        </option>
      ))}
    </SelectField>
  )
}

export function AddStaff({ onClose, onDone }: SheetProps) {
  const texts = useTexts(TEXTS)
  const [email, setEmail] = useState('')
  const [name, setName] = useState('')
  const [role, setRole] = useState<Role>('viewer')
  const [partner, setPartner] = useState('')
  const [tried, setTried] = useState(false)
  const [invited, setInvited] = useState<InvitedStaff>()
  const missing = (value: string, text: string) => (tried && value.trim() === '' ? text : undefined)
  const ofPartner = isPartnerRole(role)
  return (
    <ActSheet
      open
      {...{ onClose, onDone }}
      title={texts.addTitle}
      explain={texts.addExplain}
      act={texts.addAct}
      withReason={false}
      check={() => {
        setTried(true)
        return email.trim() !== '' && name.trim() !== '' && (!ofPartner || partner.trim() !== '')
      }}
      run={async () => {
        const body = { email: email.trim(), name: name.trim(), role }
        // A partner that was typed before the role changed must not be sent.
        const whole = ofPartner ? { ...body, partner: partner.trim() } : body
        setInvited(await callApi('POST /staff', { body: whole }))
        return null
      }}
      result={invited && <Invitation invited={invited} />}
    >
      <Field
        label={texts.email}
        type="email"
        maxLength={254}
        value={email}
        error={missing(email, texts.emailMissing)}
        onChange={(event) => setEmail(event.target.value)}
      />
      <Field
        label={texts.person}
        maxLength={100}
        value={name}
        error={missing(name, texts.nameMissing)}
        onChange={(event) => setName(event.target.value)}
      />
      <RoleField roles={ALL_ROLES} value={role} onChange={setRole} />
      {ofPartner && (
        <Field
          label={texts.partner}
          hint={texts.partnerHint}
          maxLength={64}
          value={partner}
          error={missing(partner, texts.partnerMissing)}
          onChange={(event) => setPartner(event.target.value)}
        />
      )}
    </ActSheet>
  )
}

// The link is shown once and opens a way in for 24 hours. The admin passes it on.
function Invitation({ invited }: { invited: InvitedStaff }) {
  const texts = useTexts(TEXTS)
  return (
    <div className="flex flex-col gap-2">
      <p className="font-medium">{texts.link}</p>
      <CopyId id={invited.link} label={texts.link} />
      <p className="text-sm text-sub">{texts.linkHint}</p>
      {/* In live, a role that may approve waits for a second person. Until then the person is a viewer. */}
      {invited.waiting && <Note>{texts.roleWaits}</Note>}
    </div>
  )
}

// Another role takes two people: with it, one could give oneself the right to approve.
export function ChangeRole({ staff, ...rest }: SheetProps & { staff: StaffMember }) {
  const texts = useTexts(TEXTS)
  // The operator's staff and a partner's staff stay apart, so a role changes within one side.
  const roles = ALL_ROLES.filter(
    (role) => isPartnerRole(role) === isPartnerRole(staff.role) && role !== staff.role,
  )
  // Each side has several roles, so one is always left.
  const [role, setRole] = useState<Role>(roles[0]!)
  return (
    <ActSheet
      open
      {...rest}
      title={`${texts.changeRole}: ${staff.name}`}
      explain={texts.roleExplain}
      act={texts.ask}
      run={(reason) =>
        callApi('POST /staff/:staffId/role', { params: { staffId: staff.id }, body: { role, reason } })
      }
    >
      <RoleField roles={roles} value={role} onChange={setRole} />
    </ActSheet>
  )
}

export type StaffAct = 'suspend' | 'resume' | 'end-sessions'

export function StaffActSheet({ act, staff, ...rest }: SheetProps & { act: StaffAct; staff: StaffMember }) {
  const texts = useTexts(TEXTS)
  const words = {
    suspend: [texts.suspend, texts.suspendExplain],
    resume: [texts.resume, texts.resumeExplain],
    'end-sessions': [texts.endSessions, texts.endExplain],
  } as const
  const [name, explain] = words[act]
  const input = (reason: string) => ({ params: { staffId: staff.id }, body: { reason } })
  return (
    <ActSheet
      open
      {...rest}
      title={`${name}: ${staff.name}`}
      explain={explain}
      act={name}
      look={act === 'suspend' ? 'sell' : 'main'}
      run={async (reason) => {
        if (act === 'suspend') await callApi('POST /staff/:staffId/suspend', input(reason))
        else if (act === 'resume') await callApi('POST /staff/:staffId/resume', input(reason))
        else await callApi('POST /staff/:staffId/end-sessions', input(reason))
        return null
      }}
    />
  )
}
