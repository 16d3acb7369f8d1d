import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useId, useRef, useState } from 'react'
import type { ConsoleSession } from '../../../contract/console.gen.ts'
import { Button, buttonClass } from '../../kit/button.tsx'
import { Field } from '../../kit/field.tsx'
import { Form } from '../../kit/form.tsx'
import { useTexts } from '../../kit/language.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { Note } from '../../kit/note.tsx'
import { offersPasskeys } from '../../kit/offers-passkeys.ts'
import { Sheet } from '../../kit/sheet.tsx'
import { SheetsPaused } from '../../kit/sheets-paused.ts'
import { callApi } from './api/call-api.ts'
import { type Refusal, refusalOf } from './api/refusal.ts'
import { LoadError, RefusalMessage } from './api/refusal-message.tsx'
import { API_PATH } from './environment.ts'
import { PasskeyButton } from './passkey-button.tsx'
import { signedInAs } from './session.ts'

const TEXTS = {
  ko: {
    title: '본인 확인',
    explain: '되돌릴 수 없는 작업입니다. 본인임을 한 번 더 확인해 주세요. 10분 동안 유효합니다.',
    passkey: '패스키로 확인',
    code: '인증 코드',
    codeHint: '인증 앱의 여섯 자리 숫자나 복구 코드',
    byCode: '코드로 확인',
    demo: '데모 운영자로 확인',
    sso: '회사 계정으로 다시 로그인',
    nothing: '확인할 방법이 없습니다. 내 계정에서 패스키나 인증 앱을 등록해 주세요.',
  },
  en: {
    title: 'Prove it is you',
    explain: 'This cannot be undone. Prove once more who you are. It is good for ten minutes.',
    passkey: 'With a passkey',
    code: 'Code',
    codeHint: 'Six digits of your authenticator app, or a recovery code',
    byCode: 'With the code',
    demo: 'As the demo operator',
    sso: 'Sign in with your company account again',
    nothing: 'There is nothing to prove it with. Add a passkey or an authenticator app to your account.',
  },
}

// Asks the person to prove identity again. True if they did; false if they gave up.
// A promise, so that an act waits for the dialog in the middle of its own code.
const Proof = createContext<() => Promise<boolean>>(async () => false)

export const useProof = () => useContext(Proof)

// Runs a call, and once more after a proof if the service asks for one.
export function useProven(): <Answer>(call: () => Promise<Answer>) => Promise<Answer> {
  const prove = useProof()
  return async (call) => {
    try {
      return await call()
    } catch (error) {
      if (refusalOf(error).code !== 'proof_required' || !(await prove())) throw error
      return call()
    }
  }
}

// Around all pages: one dialog, whoever asks.
export function ProofDialog({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState(false)
  // A ref, because no render depends on it.
  const answer = useRef<(proven: boolean) => void>(undefined)
  function ask(): Promise<boolean> {
    // Another act may have asked before. There is one dialog, so the earlier question counts as given up.
    answer.current?.(false)
    setOpen(true)
    return new Promise((resolve) => {
      answer.current = resolve
    })
  }
  function end(proven: boolean) {
    setOpen(false)
    answer.current?.(proven)
    answer.current = undefined
  }
  return (
    <Proof value={ask}>
      <SheetsPaused value={open}>{children}</SheetsPaused>
      {/* Outside of SheetsPaused: this is the sheet above the others. */}
      {open && (
        <ProofSheet
          onClose={() => end(false)}
          onProven={(session) => {
            // A proof replaces the session's cookie, and the answer says what the new session may do.
            signedInAs(session)
            end(true)
          }}
        />
      )}
    </Proof>
  )
}

interface SheetProps {
  onClose(): void
  onProven(session: ConsoleSession): void
}

function ProofSheet({ onClose, onProven }: SheetProps) {
  const texts = useTexts(TEXTS)
  // The same key as the account page, which therefore fills the cache for this dialog.
  const account = useQuery({ queryKey: ['account'], queryFn: () => callApi('GET /account') })
  const has = account.data
  // A blocked passkey may have a copy, so it no longer proves anything.
  const withPasskey = has?.passkeys.some(({ blocked }) => !blocked) && offersPasskeys('get')
  const ways = has && (withPasskey || has.hasPassword || has.isDemo || has.singleSignOn)
  return (
    <Sheet open onClose={onClose} title={texts.title}>
      <div className="flex flex-col gap-4">
        <p className="text-body">{texts.explain}</p>
        {account.isPending && <Loading />}
        {account.error && <LoadError error={account.error} onRetry={() => account.refetch()} />}
        {withPasskey && <ByPasskey onProven={onProven} />}
        {has?.isDemo && <AsDemo onProven={onProven} />}
        {has?.hasPassword && <ByCode onProven={onProven} />}
        {/* The browser leaves for the provider and comes back to the overview, so the act has to be begun again. */}
        {has?.singleSignOn && (
          <a href={`${API_PATH}/sign-in/sso?proof=true`} className={buttonClass('quiet')}>
            {texts.sso}
          </a>
        )}
        {has && !ways && <Note>{texts.nothing}</Note>}
      </div>
    </Sheet>
  )
}

function ByPasskey({ onProven }: Pick<SheetProps, 'onProven'>) {
  const texts = useTexts(TEXTS)
  return (
    <PasskeyButton
      onDone={onProven}
      run={async ({ askForPasskey }) => {
        const { publicKey } = await callApi('POST /session/proof/passkey/options')
        return callApi('POST /session/proof/passkey', {
          body: { credential: await askForPasskey(publicKey) },
        })
      }}
    >
      {texts.passkey}
    </PasskeyButton>
  )
}

// What a form sends, and why it was refused.
function useSending(onProven: SheetProps['onProven']) {
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<Refusal>()
  async function send(call: () => Promise<ConsoleSession>) {
    if (busy) return
    setBusy(true)
    setRefusal(undefined)
    try {
      onProven(await call())
    } catch (error) {
      setRefusal(refusalOf(error))
      // Only after a failure: a success closes the dialog.
      setBusy(false)
    }
  }
  return { busy, refusal, send }
}

function AsDemo({ onProven }: Pick<SheetProps, 'onProven'>) {
  const texts = useTexts(TEXTS)
  const { busy, refusal, send } = useSending(onProven)
  return (
    <>
      <Button busy={busy} onClick={() => void send(() => callApi('POST /session/proof/demo'))}>
        {texts.demo}
      </Button>
      <RefusalMessage refusal={refusal} />
    </>
  )
}

function ByCode({ onProven }: Pick<SheetProps, 'onProven'>) {
  const texts = useTexts(TEXTS)
  const form = useId()
  const [code, setCode] = useState('')
  const { busy, refusal, send } = useSending(onProven)
  return (
    <Form
      id={form}
      onSubmit={() => {
        if (code.trim() !== '')
          void send(() => callApi('POST /session/proof', { body: { code: code.trim() } }))
      }}
    >
      <Field
        label={texts.code}
        hint={texts.codeHint}
        // A recovery code has letters, so there is no numeric keyboard.
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={40}
        value={code}
        onChange={(event) => setCode(event.target.value)}
      />
      <RefusalMessage refusal={refusal} />
      <Button type="submit" look="quiet" busy={busy}>
        {texts.byCode}
      </Button>
    </Form>
  )
}
