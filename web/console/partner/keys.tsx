import { useState } from 'react'
import type { ApiKey, PartnerPage, Scope } from '../../../contract/console.gen.ts'
import { Button } from '../../kit/button.tsx'
import { Checkbox, Field } from '../../kit/field.tsx'
import { useTexts } from '../../kit/language.tsx'
import { ActSheet } from '../shared/act-sheet.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { DataTable } from '../shared/data-table.tsx'
import { SecretOnce } from '../shared/object/secret-once.tsx'
import { Section } from '../shared/page.tsx'
import { useMay } from '../shared/session.ts'
import { Badge, CopyId, ShortMoment } from '../shared/values.tsx'

const SCOPES: readonly Scope[] = [
  'giftcards:buy',
  'giftcards:read',
  'usage:read',
  'users:write',
  'users:read',
]

const TEXTS = {
  ko: {
    title: 'API 키',
    id: '키 ID',
    label: '이름',
    scopes: '권한 범위',
    all: '모두',
    networks: '네트워크',
    anywhere: '어디서나',
    created: '발급',
    lastUsed: '마지막 사용 (분 단위)',
    ends: '끝',
    ended: '종료',
    empty: 'API 키가 없습니다.',
    issue: '키 발급',
    issueWill: '새 API 키를 발급합니다. 값은 한 번만 보이며 어디에도 저장하지 않습니다.',
    networksHint: '한 줄에 하나. 비우면 어디서나.',
    days: '만료 (일)',
    daysHint: '비우면 만료되지 않습니다.',
    rotate: '교체',
    rotateWill: '같은 권한의 새 키를 발급합니다. 전의 키는 아래 시간 동안 함께 쓰다가 끝납니다.',
    overlap: '함께 쓰는 시간 (분)',
    revoke: '종료',
    revokeWill: '이 키는 5초 안에 모든 곳에서 거절됩니다. 되돌릴 수 없습니다.',
    sure: '정말 종료할까요?',
    acts: '작업',
  },
  en: {
    title: 'API keys',
    id: 'Key id',
    label: 'Label',
    scopes: 'Scopes',
    all: 'all',
    networks: 'Networks',
    anywhere: 'anywhere',
    created: 'Issued',
    lastUsed: 'Last used (to the minute)',
    ends: 'Ends',
    ended: 'ended',
    empty: 'There is no API key.',
    issue: 'Issue a key',
    issueWill: 'Issues a new API key. It is shown once and stored nowhere.',
    networksHint: 'One a line. Empty: anywhere.',
    days: 'Expires after (days)',
    daysHint: 'Empty: never.',
    rotate: 'Rotate',
    rotateWill: 'Issues a new key with the same rights. The old one works on for the time below, and ends.',
    overlap: 'Overlap (minutes)',
    revoke: 'Revoke',
    revokeWill: 'The key is refused everywhere within five seconds. This cannot be undone.',
    sure: 'Revoke this key?',
    acts: 'Acts',
  },
}

type Wanted = { act: 'issue' } | { act: 'rotate' | 'revoke'; key: ApiKey }

// The first of its ends, which may lie ahead.
const endOf = ({ revokedAt, expiresAt }: ApiKey) =>
  [revokedAt, expiresAt].filter((at) => at !== null).toSorted()[0] ?? null

export function Keys({ partner, onChange }: { partner: PartnerPage; onChange(): void }) {
  const texts = useTexts(TEXTS)
  const may = useMay()
  const [wanted, setWanted] = useState<Wanted>()
  const sheet = { onClose: () => setWanted(undefined), onDone: onChange }
  return (
    <Section
      title={texts.title}
      aside={
        may('keys.manage') && (
          <Button size="small" look="quiet" onClick={() => setWanted({ act: 'issue' })}>
            {texts.issue}
          </Button>
        )
      }
    >
      <KeyTable partner={partner} onAct={setWanted} />
      <IssueSheet code={partner.code} open={wanted?.act === 'issue'} {...sheet} />
      <RotateSheet wanted={wanted} {...sheet} />
      <RevokeSheet wanted={wanted} {...sheet} />
    </Section>
  )
}

function KeyTable({ partner, onAct }: { partner: PartnerPage; onAct(wanted: Wanted): void }) {
  const texts = useTexts(TEXTS)
  const may = useMay()
  // ISO moments compare as text, and `9` is later than any. The service's clock counts: a sandbox may move it.
  const isOver = (key: ApiKey) => (endOf(key) ?? '9') <= partner.now
  const act = (wanted: Wanted, label: string) => (
    <Button size="small" look="quiet" onClick={() => onAct(wanted)}>
      {label}
    </Button>
  )
  return (
    <DataTable
      caption={texts.title}
      rows={partner.keys.toReversed()}
      keyOf={({ id }) => id}
      empty={texts.empty}
      columns={[
        {
          key: 'id',
          title: texts.id,
          cell: ({ id }) => (
            <span className="whitespace-nowrap">
              <CopyId id={id} label={texts.id} />
            </span>
          ),
        },
        { key: 'label', title: texts.label, cell: ({ label }) => label || '–' },
        {
          key: 'scopes',
          title: texts.scopes,
          cell: ({ scopes }) => (scopes.length === SCOPES.length ? texts.all : scopes.join(' ')),
        },
        {
          key: 'networks',
          title: texts.networks,
          cell: ({ networks }) => networks.join(' ') || texts.anywhere,
        },
        { key: 'created', title: texts.created, cell: ({ createdAt }) => <ShortMoment at={createdAt} /> },
        { key: 'used', title: texts.lastUsed, cell: ({ lastUsedAt }) => <ShortMoment at={lastUsedAt} /> },
        {
          key: 'ends',
          title: texts.ends,
          cell: (key) => (
            <>
              {isOver(key) && <Badge>{texts.ended}</Badge>} <ShortMoment at={endOf(key)} />
            </>
          ),
        },
        {
          key: 'acts',
          title: texts.acts,
          cell: (key) =>
            may('keys.manage') &&
            !isOver(key) && (
              <span className="flex gap-2">
                {act({ act: 'rotate', key }, texts.rotate)}
                {act({ act: 'revoke', key }, texts.revoke)}
              </span>
            ),
        },
      ]}
    />
  )
}

interface SheetProps {
  onClose(): void
  onDone(): void
}

function IssueSheet({ code, open, onClose, onDone }: SheetProps & { code: string; open: boolean }) {
  const texts = useTexts(TEXTS)
  const [label, setLabel] = useState('')
  const [scopes, setScopes] = useState<readonly Scope[]>(SCOPES)
  const [networks, setNetworks] = useState('')
  const [days, setDays] = useState('')
  const [secret, setSecret] = useState<string>()
  return (
    <ActSheet
      {...{ open, onDone }}
      // The key is a secret: closing the sheet forgets it.
      onClose={() => {
        setSecret(undefined)
        onClose()
      }}
      title={texts.issue}
      explain={texts.issueWill}
      act={texts.issue}
      run={async (reason) => {
        const body = {
          label: label.trim(),
          scopes: [...scopes],
          networks: networks.split(/\s+/).filter(Boolean),
          expiresInDays: days.trim() === '' ? null : Number(days),
          reason,
        }
        setSecret((await callApi('POST /partners/:code/keys', { params: { code }, body })).key)
        return null
      }}
      result={secret && <SecretOnce secret={secret} />}
    >
      <Field
        label={texts.label}
        value={label}
        maxLength={100}
        onChange={(event) => setLabel(event.target.value)}
      />
      <fieldset>
        <legend className="text-[0.9375rem] font-medium text-body">{texts.scopes}</legend>
        {SCOPES.map((scope) => (
          <Checkbox
            key={scope}
            label={scope}
            checked={scopes.includes(scope)}
            // The order of SCOPES stays, whatever the order of the clicks.
            onChange={(event) =>
              setScopes(SCOPES.filter((one) => (one === scope ? event.target.checked : scopes.includes(one))))
            }
          />
        ))}
      </fieldset>
      <Field
        label={texts.networks}
        hint={texts.networksHint}
        value={networks}
        onChange={(event) => setNetworks(event.target.value)}
      />
      <Field
        label={texts.days}
        hint={texts.daysHint}
        inputMode="numeric"
        value={days}
        onChange={(event) => setDays(event.target.value.replace(/\D/g, ''))}
      />
    </ActSheet>
  )
}

function RotateSheet({ wanted, onClose, onDone }: SheetProps & { wanted: Wanted | undefined }) {
  const texts = useTexts(TEXTS)
  const [minutes, setMinutes] = useState('1440')
  const [secret, setSecret] = useState<string>()
  return (
    <ActSheet
      open={wanted?.act === 'rotate'}
      onDone={onDone}
      onClose={() => {
        setSecret(undefined)
        onClose()
      }}
      title={texts.rotate}
      explain={texts.rotateWill}
      act={texts.rotate}
      check={() => minutes !== ''}
      run={async (reason) => {
        if (wanted?.act !== 'rotate') return null
        const body = { overlapMinutes: Number(minutes), reason }
        const answer = await callApi('POST /keys/:keyId/rotate', { params: { keyId: wanted.key.id }, body })
        setSecret(answer.key)
        return null
      }}
      result={secret && <SecretOnce secret={secret} />}
    >
      <Field
        label={texts.overlap}
        inputMode="numeric"
        value={minutes}
        onChange={(event) => setMinutes(event.target.value.replace(/\D/g, '').slice(0, 6))}
      />
    </ActSheet>
  )
}

function RevokeSheet({ wanted, onClose, onDone }: SheetProps & { wanted: Wanted | undefined }) {
  const texts = useTexts(TEXTS)
  return (
    <ActSheet
      {...{ onClose, onDone }}
      open={wanted?.act === 'revoke'}
      title={texts.revoke}
      explain={texts.revokeWill}
      act={texts.revoke}
      look="sell"
      confirm={<p className="font-semibold">{texts.sure}</p>}
      run={async (reason) => {
        if (wanted?.act !== 'revoke') return null
        const params = { keyId: wanted.key.id }
        // At once: a rotation has an overlap, a revocation has none.
        await callApi('POST /keys/:keyId/revoke', { params, body: { afterMinutes: 0, reason } })
        return null
      }}
    />
  )
}
