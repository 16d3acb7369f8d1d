import { type ReactNode, useState } from 'react'
import type { MemberPage } from '../../../contract/console.gen.ts'
import { Button } from '../../kit/button.tsx'
import { useTexts } from '../../kit/language.tsx'
import { ActSheet } from '../shared/act-sheet.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { DataTable } from '../shared/data-table.tsx'
import { ObjectLink } from '../shared/object/object-link.tsx'
import { useWords } from '../shared/object/value-words.ts'
import { Section, Sections } from '../shared/page.tsx'
import { useMay } from '../shared/session.ts'
import { Badge, Moment } from '../shared/values.tsx'
import { TEXTS } from './texts.ts'

interface Wanted {
  what: 'session' | 'device'
  // Without one: all of them.
  id?: string
}

// Who knows the member, what was agreed to, and from where the member comes in.
export function Access({ member, onChange }: { member: MemberPage; onChange(): void }) {
  const may = useMay()
  const [wanted, setWanted] = useState<Wanted>()
  // Kept while the sheet closes, so that its words do not change on the way out.
  const [last, setLast] = useState<Wanted>({ what: 'session' })
  function ask(next: Wanted) {
    setLast(next)
    setWanted(next)
  }
  const act = (label: string, next: Wanted): ReactNode =>
    may('members.change') && (
      <Button size="small" look="quiet" onClick={() => ask(next)}>
        {label}
      </Button>
    )
  return (
    <>
      <Agreed member={member} />
      <Sections>
        <SessionTable member={member} act={act} />
        <DeviceTable member={member} act={act} />
      </Sections>
      <EndSheet
        member={member}
        wanted={wanted ?? last}
        open={wanted !== undefined}
        onClose={() => setWanted(undefined)}
        onDone={onChange}
      />
    </>
  )
}

interface TableProps {
  member: MemberPage
  act(label: string, wanted: Wanted): ReactNode
}

function SessionTable({ member, act }: TableProps) {
  const texts = useTexts(TEXTS)
  return (
    <Section
      title={texts.sessions}
      aside={member.sessions.length > 0 && act(texts.endAll, { what: 'session' })}
    >
      <DataTable
        caption={texts.sessions}
        rows={member.sessions}
        keyOf={({ id }) => id}
        empty={texts.none}
        columns={[
          {
            key: 'device',
            title: texts.device,
            cell: ({ device, partner }) => [device, partner].filter(Boolean).join(' · '),
          },
          { key: 'started', title: texts.started, cell: ({ startedAt }) => <Moment at={startedAt} /> },
          { key: 'seen', title: texts.seen, cell: ({ seenAt }) => <Moment at={seenAt} /> },
          { key: 'end', title: texts.end, cell: ({ id }) => act(texts.end, { what: 'session', id }) },
        ]}
      />
    </Section>
  )
}

function DeviceTable({ member, act }: TableProps) {
  const texts = useTexts(TEXTS)
  return (
    <Section
      title={texts.devices}
      aside={member.devices.length > 0 && act(texts.distrustAll, { what: 'device' })}
    >
      <DataTable
        caption={texts.devices}
        rows={member.devices}
        keyOf={({ ref }) => ref}
        empty={texts.none}
        columns={[
          {
            key: 'device',
            title: texts.device,
            cell: ({ ref, ofLink }) => (
              <>
                <code className="font-code text-[0.875em]">{ref.slice(0, 8)}</code>{' '}
                {ofLink ? texts.ofLink : texts.ofAccount}
              </>
            ),
          },
          { key: 'trusted', title: texts.trusted, cell: ({ trustedAt }) => <Moment at={trustedAt} /> },
          { key: 'seen', title: texts.seen, cell: ({ seenAt }) => <Moment at={seenAt} /> },
          {
            key: 'end',
            title: texts.distrust,
            cell: ({ ref }) => act(texts.distrust, { what: 'device', id: ref }),
          },
        ]}
      />
    </Section>
  )
}

interface EndProps {
  member: MemberPage
  wanted: Wanted
  open: boolean
  onClose(): void
  onDone(): void
}

function EndSheet({ member, wanted, ...sheet }: EndProps) {
  const texts = useTexts(TEXTS)
  const { what, id } = wanted
  const params = { memberId: member.memberId }
  // One sheet serves four acts: one or all, of sessions or devices.
  const words =
    what === 'session'
      ? id
        ? [texts.end, texts.endWill]
        : [texts.endAll, texts.endAllWill]
      : id
        ? [texts.distrust, texts.distrustWill]
        : [texts.distrustAll, texts.distrustAllWill]
  return (
    <ActSheet
      {...sheet}
      title={words[0]!}
      act={words[0]!}
      look="sell"
      explain={words[1]}
      run={async (reason) => {
        if (what === 'session') {
          // Without an id the service ends all of them.
          const body = { reason, ...(id ? { session: id } : {}) }
          await callApi('POST /members/:memberId/end-sessions', { params, body })
        } else {
          const body = { reason, ...(id ? { device: id } : {}) }
          await callApi('POST /members/:memberId/distrust-devices', { params, body })
        }
        return null
      }}
    />
  )
}

function Agreed({ member }: { member: MemberPage }) {
  const texts = useTexts(TEXTS)
  const words = useWords()
  return (
    <Sections>
      <Section title={texts.links}>
        <DataTable
          caption={texts.links}
          rows={member.links}
          keyOf={({ id }) => id}
          empty={texts.none}
          columns={[
            {
              key: 'partner',
              title: texts.partner,
              cell: ({ partner, partnerName }) => (
                <ObjectLink kind="partner" id={partner}>
                  {partnerName}
                </ObjectLink>
              ),
            },
            {
              key: 'key',
              title: texts.key,
              // A partner chooses its keys, and they may be long. The page of the user has the whole key.
              cell: ({ id, partnerKey }) => (
                <ObjectLink kind="user" id={id}>
                  {partnerKey.length > 20 ? `${partnerKey.slice(0, 8)}…` : partnerKey}
                </ObjectLink>
              ),
            },
            { key: 'status', title: texts.status, cell: ({ status }) => <Badge>{words(status)}</Badge> },
            {
              key: 'confirmed',
              title: texts.confirmed,
              cell: ({ confirmed }) => (confirmed ? texts.yes : texts.no),
            },
          ]}
        />
      </Section>
      <Section title={texts.consents}>
        <DataTable
          caption={texts.consents}
          rows={member.consents}
          keyOf={({ termsId, at, agreed }) => `${termsId} ${at} ${agreed}`}
          empty={texts.none}
          columns={[
            { key: 'terms', title: texts.terms, cell: ({ termsId }) => words(termsId) },
            { key: 'version', title: texts.version, cell: ({ version }) => version ?? '–' },
            { key: 'agreed', title: texts.agreed, cell: ({ agreed }) => (agreed ? texts.yes : texts.no) },
            { key: 'at', title: texts.at, cell: ({ at }) => <Moment at={at} /> },
          ]}
        />
      </Section>
      <Section title={texts.passkeys}>
        <DataTable
          caption={texts.passkeys}
          rows={member.passkeys}
          keyOf={({ id }) => id}
          empty={texts.none}
          columns={[
            { key: 'created', title: texts.created, cell: ({ createdAt }) => <Moment at={createdAt} /> },
            { key: 'used', title: texts.lastUsed, cell: ({ lastUsedAt }) => <Moment at={lastUsedAt} /> },
            { key: 'blocked', title: texts.blocked, cell: ({ blockedAt }) => <Moment at={blockedAt} /> },
          ]}
        />
      </Section>
    </Sections>
  )
}
