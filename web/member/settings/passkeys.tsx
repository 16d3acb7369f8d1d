import { useMutation, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { Passkey, Passkeys } from '../../../contract/member.gen.ts'
import { Button } from '../../kit/button.tsx'
import { Card } from '../../kit/card.tsx'
import { Field } from '../../kit/field.tsx'
import { Form } from '../../kit/form.tsx'
import { moment } from '../../kit/format.ts'
import { useLanguage, useTexts } from '../../kit/language.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { offersPasskeys } from '../../kit/offers-passkeys.ts'
import { Sheet } from '../../kit/sheet.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { refusalOf } from '../shared/api/refusal.ts'
import { LoadError, RefusalMessage } from '../shared/api/refusal-message.tsx'
import { useStepUp } from '../shared/identity/step-up.tsx'
import { MakePasskey, PASSKEYS } from '../shared/passkeys/passkey-buttons.tsx'
import { queryClient } from '../shared/session/session.ts'

const TEXTS = {
  ko: {
    title: '패스키',
    sub: '지문이나 얼굴, 화면 잠금으로 로그인해요.',
    none: '아직 만든 패스키가 없어요.',
    unnamed: '패스키',
    added: (moment: string) => `${moment}에 추가`,
    used: (moment: string) => `마지막 사용 ${moment}`,
    unused: '아직 쓰지 않았어요',
    blocked: '복제됐을 수 있어 더는 쓸 수 없어요. 삭제하고 다시 만들어 주세요.',
    full: '패스키는 10개까지 만들 수 있어요. 쓰지 않는 것을 삭제하면 더 만들 수 있어요.',
    rename: '이름 바꾸기',
    remove: '삭제하기',
    name: '이름',
    save: '저장하기',
    removeTitle: '이 패스키를 삭제할까요?',
    removeBody: (name: string) =>
      `${name}: 이 패스키로는 더 로그인할 수 없어요. 휴대폰 본인 확인이나 비밀번호로는 그대로 로그인할 수 있어요. 기기에 남은 패스키는 기기의 암호 설정에서 지워 주세요.`,
  },
  en: {
    title: 'Passkeys',
    sub: 'Your fingerprint, face or screen lock logs you in.',
    none: 'You have no passkey yet.',
    unnamed: 'Passkey',
    added: (moment: string) => `Added ${moment}`,
    used: (moment: string) => `Last used ${moment}`,
    unused: 'Not used yet',
    blocked: 'It may have been copied and no longer works. Remove it and make a new one.',
    full: 'Ten passkeys are the most. Remove one that you do not use to make another.',
    rename: 'Rename',
    remove: 'Remove',
    name: 'Name',
    save: 'Save',
    removeTitle: 'Remove this passkey?',
    removeBody: (name: string) =>
      `${name}: it no longer logs you in. Your phone and your password still do. What is left of it on the device is removed in the device’s password settings.`,
  },
}

// A new length of the list starts MakePasskey again, without the message of the last one.
export function PasskeysCard() {
  const texts = useTexts(TEXTS)
  const list = useQuery({ queryKey: PASSKEYS, queryFn: () => callApi('GET /passkeys') })
  if (list.isPending) return <Loading />
  if (list.isError) return <LoadError refusal={refusalOf(list.error)} onRetry={() => list.refetch()} />
  const { passkeys, canAdd } = list.data
  return (
    <Card className="flex flex-col gap-3">
      <div>
        <h2 className="text-[1.0625rem] font-semibold">{texts.title}</h2>
        <p className="text-sm text-sub">{texts.sub}</p>
      </div>
      {passkeys.length === 0 && <p className="text-sub">{texts.none}</p>}
      <ul className="divide-y divide-line empty:hidden">
        {passkeys.map((passkey) => (
          <Item key={passkey.id} passkey={passkey} />
        ))}
      </ul>
      {!canAdd && <p className="text-sm text-sub">{texts.full}</p>}
      {canAdd && offersPasskeys('create') && <MakePasskey key={passkeys.length} look="quiet" />}
    </Card>
  )
}

// A blocked passkey signed with an older counter than before: it may have been copied.
function Item({ passkey }: { passkey: Passkey }) {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const [asked, setAsked] = useState<'rename' | 'remove'>()
  const { createdAt, lastUsedAt, blocked } = passkey
  // A new passkey may have no name.
  const name = passkey.name || texts.unnamed
  const look = 'min-h-12 rounded-xl px-3 text-[0.9375rem] font-medium'
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-3 py-3">
      <span className="flex min-w-0 flex-col">
        <span className="font-medium wrap-anywhere">{name}</span>
        <span className="text-sm text-sub">
          {lastUsedAt ? texts.used(moment(lastUsedAt, language)) : texts.unused}
        </span>
        <span className="text-sm text-sub">{texts.added(moment(createdAt, language))}</span>
        {blocked && <span className="text-sm text-up">{texts.blocked}</span>}
      </span>
      <span className="ms-auto flex">
        <button
          type="button"
          aria-label={`${name}: ${texts.rename}`}
          onClick={() => setAsked('rename')}
          className={`${look} text-body hover:bg-ground`}
        >
          {texts.rename}
        </button>
        <button
          type="button"
          aria-label={`${name}: ${texts.remove}`}
          onClick={() => setAsked('remove')}
          className={`${look} text-up hover:bg-bad`}
        >
          {texts.remove}
        </button>
      </span>
      {asked === 'rename' && <RenameSheet passkey={passkey} onClose={() => setAsked(undefined)} />}
      {asked === 'remove' && <RemoveSheet passkey={passkey} onClose={() => setAsked(undefined)} />}
    </li>
  )
}

interface SheetProps {
  passkey: Passkey
  onClose(): void
}

// Every change answers with the whole list.
const keep = (answer: Passkeys) => void queryClient.setQueryData(PASSKEYS, answer)

// A browser that is not trusted gets the identity sheet first, here and on removal.
function RenameSheet({ passkey, onClose }: SheetProps) {
  const texts = useTexts(TEXTS)
  const withStepUp = useStepUp()
  const form = useId()
  const [name, setName] = useState(passkey.name)
  const rename = useMutation({
    mutationFn: () =>
      withStepUp(() =>
        callApi('POST /passkeys/:passkeyId', {
          params: { passkeyId: passkey.id },
          body: { name: name.trim() },
        }),
      ),
    onSuccess: (answer) => {
      keep(answer)
      onClose()
    },
  })
  return (
    <Sheet
      open
      onClose={onClose}
      title={texts.rename}
      actions={
        <Button type="submit" form={form} disabled={name.trim() === ''} busy={rename.isPending}>
          {texts.save}
        </Button>
      }
    >
      <Form
        id={form}
        onSubmit={() => {
          if (name.trim() !== '' && !rename.isPending) rename.mutate()
        }}
      >
        <Field
          label={texts.name}
          autoComplete="off"
          maxLength={40}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <RefusalMessage refusal={rename.isError ? refusalOf(rename.error) : undefined} />
      </Form>
    </Sheet>
  )
}

// A sheet asks first: the passkey stays on the device, where only the member can remove it.
function RemoveSheet({ passkey, onClose }: SheetProps) {
  const texts = useTexts(TEXTS)
  const withStepUp = useStepUp()
  const remove = useMutation({
    mutationFn: () =>
      withStepUp(() => callApi('DELETE /passkeys/:passkeyId', { params: { passkeyId: passkey.id } })),
    onSuccess: (answer) => {
      // The sheet first: its row is gone with the new list.
      onClose()
      keep(answer)
    },
    // Gone already, as after a lost answer: the list tells.
    onError: () => void queryClient.invalidateQueries({ queryKey: PASSKEYS }),
  })
  return (
    <Sheet
      open
      onClose={onClose}
      title={texts.removeTitle}
      actions={
        <Button look="buy" busy={remove.isPending} onClick={() => remove.mutate()}>
          {texts.remove}
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <p className="text-body">{texts.removeBody(passkey.name || texts.unnamed)}</p>
        <RefusalMessage refusal={remove.isError ? refusalOf(remove.error) : undefined} />
      </div>
    </Sheet>
  )
}
