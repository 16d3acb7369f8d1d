import { useState } from 'react'
import type { OwnAccount } from '../../../contract/console.gen.ts'
import { Button } from '../../kit/button.tsx'
import { Field } from '../../kit/field.tsx'
import { useTexts } from '../../kit/language.tsx'
import { offersPasskeys } from '../../kit/offers-passkeys.ts'
import { ActSheet } from '../shared/act-sheet.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { DataTable } from '../shared/data-table.tsx'
import { Section } from '../shared/page.tsx'
import { PasskeyButton } from '../shared/passkey-button.tsx'
import { useProven } from '../shared/proof.tsx'
import { Badge, Moment } from '../shared/values.tsx'
import { keep } from './account.ts'
import { TEXTS } from './texts.ts'

type Passkey = OwnAccount['passkeys'][number]
type Asked = { act: 'rename' | 'remove'; passkey: Passkey }

export function Passkeys({ account: { passkeys, canAddPasskey } }: { account: OwnAccount }) {
  const texts = useTexts(TEXTS)
  // Not in the row of its passkey: the row goes with it.
  const [asked, setAsked] = useState<Asked>()
  const close = () => setAsked(undefined)
  return (
    <Section title={texts.passkeys}>
      <div className="flex flex-col gap-3">
        <PasskeyTable passkeys={passkeys} onAsk={setAsked} />
        {/* The service may offer none. A browser offers none on an IP address or on plain http. */}
        {canAddPasskey && offersPasskeys('create') && <AddPasskey />}
      </div>
      {asked?.act === 'rename' && <RenameSheet passkey={asked.passkey} onClose={close} />}
      {asked?.act === 'remove' && <RemoveSheet passkey={asked.passkey} onClose={close} />}
    </Section>
  )
}

function PasskeyTable({ passkeys, onAsk }: { passkeys: Passkey[]; onAsk(asked: Asked): void }) {
  const texts = useTexts(TEXTS)
  return (
    <DataTable
      caption={texts.passkeyList}
      rows={passkeys}
      keyOf={({ id }) => id}
      empty={texts.noPasskeys}
      columns={[
        {
          key: 'name',
          title: texts.device,
          // A blocked passkey stays in the list, so that its owner sees why it no longer works.
          cell: ({ name, blocked }) => (
            <span className="wrap-anywhere">
              {name || texts.unnamed} {blocked && <Badge look="bad">{texts.blocked}</Badge>}
            </span>
          ),
        },
        { key: 'made', title: texts.made, cell: ({ createdAt }) => <Moment at={createdAt} /> },
        { key: 'used', title: texts.used, cell: ({ lastUsedAt }) => <Moment at={lastUsedAt} /> },
        {
          key: 'act',
          title: texts.act,
          cell: (passkey) => (
            <span className="flex gap-2">
              {(['rename', 'remove'] as const).map((act) => (
                <Button
                  key={act}
                  look="quiet"
                  size="small"
                  // Every row has the same buttons, so their names say which passkey they change.
                  aria-label={`${texts[act]} ${passkey.name || texts.unnamed}`}
                  onClick={() => onAsk({ act, passkey })}
                >
                  {texts[act]}
                </Button>
              ))}
            </span>
          ),
        },
      ]}
    />
  )
}

function AddPasskey() {
  const texts = useTexts(TEXTS)
  const proven = useProven()
  return (
    <div className="sm:max-w-xs">
      <PasskeyButton
        look="quiet"
        onDone={keep}
        run={async ({ makeCredential }) => {
          // The proof comes first. After the browser's prompt, a refusal would leave a passkey on the device that nobody knows.
          const { publicKey } = await proven(() => callApi('POST /account/passkeys/options'))
          const credential = await makeCredential(publicKey)
          return callApi('POST /account/passkeys', { body: { credential } })
        }}
      >
        {texts.addPasskey}
      </PasskeyButton>
    </div>
  )
}

interface SheetProps {
  passkey: Passkey
  onClose(): void
}

function RenameSheet({ passkey: { id: passkeyId, name: before }, onClose }: SheetProps) {
  const texts = useTexts(TEXTS)
  const [name, setName] = useState(before)
  return (
    <ActSheet
      open
      onClose={onClose}
      title={texts.rename}
      explain={texts.renameExplain}
      act={texts.save}
      withReason={false}
      check={() => name.trim() !== ''}
      run={async () => {
        keep(await callApi('POST /account/passkeys/:passkeyId', { params: { passkeyId }, body: { name } }))
        return null
      }}
      onDone={onClose}
    >
      <Field
        label={texts.passkeyName}
        autoComplete="off"
        maxLength={40}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
    </ActSheet>
  )
}

function RemoveSheet({ passkey: { id: passkeyId, name }, onClose }: SheetProps) {
  const texts = useTexts(TEXTS)
  return (
    <ActSheet
      open
      onClose={onClose}
      title={texts.remove}
      explain={texts.removeExplain(name || texts.unnamed)}
      act={texts.remove}
      look="sell"
      withReason={false}
      run={async () => {
        keep(await callApi('DELETE /account/passkeys/:passkeyId', { params: { passkeyId } }))
        return null
      }}
      onDone={onClose}
    />
  )
}
