import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { OfferedTotp, OwnAccount } from '../../../contract/console.gen.ts'
import { Button } from '../../kit/button.tsx'
import { useLanguage, useTexts } from '../../kit/language.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { Note } from '../../kit/note.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { type Refusal, refusalOf } from '../shared/api/refusal.ts'
import { RefusalMessage } from '../shared/api/refusal-message.tsx'
import { DataTable } from '../shared/data-table.tsx'
import { NewPasswordForm, RecoveryCodes } from '../shared/new-password.tsx'
import { Page, Section } from '../shared/page.tsx'
import { PageError } from '../shared/page-error.tsx'
import { useProven } from '../shared/proof.tsx'
import { ROLE_NAMES } from '../shared/role-names.ts'
import { queryClient, useSession } from '../shared/session.ts'
import { SignOut } from '../shared/signed-in.tsx'
import { Badge, Moment } from '../shared/values.tsx'
import { ACCOUNT, keep } from './account.ts'
import { Passkeys } from './passkeys.tsx'
import { TEXTS } from './texts.ts'

export default function AccountPage() {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const { data: session } = useSession()
  const account = useQuery(ACCOUNT)
  if (account.error) return <PageError error={account.error} onRetry={() => account.refetch()} />
  if (!account.data || !session?.staff) return <Loading />
  const { name, email, role } = session.staff
  return (
    <Page
      title={texts.title}
      sub={`${name} · ${email} · ${ROLE_NAMES[language][role]}`}
      // The header of a small screen has no room for this button.
      actions={
        <span className="sm:hidden">
          <SignOut />
        </span>
      }
    >
      {account.data.isDemo && <Note look="tint">{texts.demo}</Note>}
      <Passkeys account={account.data} />
      <PasswordSection account={account.data} email={email} />
      <Sessions account={account.data} />
    </Page>
  )
}

// One act at a time: asks for a proof if it takes one, and says why it failed.
function useActing() {
  const proven = useProven()
  const [busy, setBusy] = useState<string>()
  const [refusal, setRefusal] = useState<Refusal>()
  async function act(name: string, call: () => Promise<unknown>) {
    if (busy) return
    setBusy(name)
    setRefusal(undefined)
    try {
      // A stolen session must not become a lasting way in, so these acts want fresh proof.
      await proven(call)
    } catch (error) {
      setRefusal(refusalOf(error))
    } finally {
      setBusy(undefined)
    }
  }
  return { busy, refusal, act }
}

function PasswordSection({ account, email }: { account: OwnAccount; email: string }) {
  const texts = useTexts(TEXTS)
  const { busy, refusal, act } = useActing()
  const [totp, setTotp] = useState<OfferedTotp>()
  const [codes, setCodes] = useState<string[]>()
  // These answers carry the new codes instead of the account, so the account is read again.
  const refresh = () => queryClient.invalidateQueries({ queryKey: ACCOUNT.queryKey })
  const begin = () => act('begin', async () => setTotp(await callApi('POST /account/totp')))
  const renew = () =>
    act('renew', async () => {
      setCodes((await callApi('POST /account/recovery-codes')).recoveryCodes)
      void refresh()
    })
  // The service refuses this if it is the last way in.
  const remove = () => act('remove', async () => keep(await callApi('DELETE /account/password')))
  return (
    <Section title={texts.password}>
      <div className="flex flex-col gap-3">
        <p className="text-[0.9375rem] text-sub">
          {account.hasPassword ? texts.codesLeft(account.recoveryCodes) : texts.noPassword}
        </p>
        {codes && <RecoveryCodes codes={codes} />}
        {totp ? (
          <NewPasswordForm
            email={email}
            totp={totp}
            save={async (chosen) => {
              setCodes((await callApi('POST /account/password', { body: chosen })).recoveryCodes)
              setTotp(undefined)
              void refresh()
            }}
          />
        ) : (
          <div className="flex flex-wrap gap-2">
            <Button look="quiet" size="small" busy={busy === 'begin'} onClick={() => void begin()}>
              {account.hasPassword ? texts.changePassword : texts.setPassword}
            </Button>
            {account.hasPassword && (
              <>
                <Button look="quiet" size="small" busy={busy === 'renew'} onClick={() => void renew()}>
                  {texts.renewCodes}
                </Button>
                <Button look="quiet" size="small" busy={busy === 'remove'} onClick={() => void remove()}>
                  {texts.removePassword}
                </Button>
              </>
            )}
          </div>
        )}
        <RefusalMessage refusal={refusal} />
      </div>
    </Section>
  )
}

function Sessions({ account: { sessions } }: { account: OwnAccount }) {
  const texts = useTexts(TEXTS)
  const { busy, refusal, act } = useActing()
  const end = (sessionId: string) =>
    act(sessionId, async () =>
      keep(await callApi('POST /account/sessions/:sessionId/end', { params: { sessionId } })),
    )
  const endOthers = () => act('others', async () => keep(await callApi('POST /account/sessions/end-others')))
  return (
    <Section title={texts.sessions}>
      <div className="flex flex-col gap-3">
        <DataTable
          caption={texts.sessionList}
          rows={sessions}
          keyOf={({ id }) => id}
          empty={texts.noSessions}
          columns={[
            { key: 'device', title: texts.device, cell: ({ device }) => device || texts.unnamed },
            { key: 'address', title: texts.address, cell: ({ address }) => address ?? '–' },
            { key: 'since', title: texts.since, cell: ({ startedAt }) => <Moment at={startedAt} /> },
            { key: 'seen', title: texts.seen, cell: ({ seenAt }) => <Moment at={seenAt} /> },
            {
              key: 'act',
              title: texts.act,
              cell: ({ id, isThis, device }) =>
                isThis ? (
                  <Badge look="good">{texts.thisOne}</Badge>
                ) : (
                  <Button
                    look="quiet"
                    size="small"
                    busy={busy === id}
                    // Every row has the same button, so its name says which device it signs out.
                    aria-label={`${texts.end} ${device}`}
                    onClick={() => void end(id)}
                  >
                    {texts.end}
                  </Button>
                ),
            },
          ]}
        />
        {/* This session is in the list, so a single row means that there are no others. */}
        {sessions.length > 1 && (
          <Button look="quiet" size="small" busy={busy === 'others'} onClick={() => void endOthers()}>
            {texts.endOthers}
          </Button>
        )}
        <RefusalMessage refusal={refusal} />
      </div>
    </Section>
  )
}
