import { useState } from 'react'
import type { ErasedData, MemberPage } from '../../../contract/console.gen.ts'
import { Button } from '../../kit/button.tsx'
import { date } from '../../kit/format.ts'
import { useLanguage, useTexts } from '../../kit/language.tsx'
import { saveFile } from '../../kit/save-file.ts'
import { ActSheet } from '../shared/act-sheet.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { Section } from '../shared/page.tsx'
import { useMay } from '../shared/session.ts'

const TEXTS = {
  ko: {
    title: '개인정보 내보내기와 삭제',
    sub: '본인이 요청한 경우에만 처리합니다.',
    export: '전체 정보 내보내기',
    exportWill:
      '이 회원의 모든 정보를 가리지 않은 JSON 파일 하나로 내려받습니다. 누가 왜 내려받았는지 감사 기록에 남습니다.',
    erase: '정보 삭제',
    eraseWill:
      '법으로 보관해야 하는 정보를 빼고 바로 지웁니다. 남는 정보는 보관 기간이 끝나는 날 지워집니다. 되돌릴 수 없습니다.',
    open: '탈퇴한 회원만 삭제할 수 있습니다. 회원이 먼저 설정에서 탈퇴합니다.',
    erased: '삭제',
    until: (day: string) => `${day}까지 보관`,
  },
  en: {
    title: 'Export and erasure',
    sub: 'Only when the person asked for it.',
    export: 'Export everything',
    exportWill:
      'Saves everything about this member as one JSON file, unmasked. Who did it and why goes into the audit log.',
    erase: 'Erase data',
    eraseWill:
      'Erases at once what no law keeps. The rest is erased when its period ends. This cannot be undone.',
    open: 'Only of a closed account: the member closes it first, in the settings.',
    erased: 'erased',
    until: (day: string) => `kept until ${day}`,
  },
}

// A person's rights to their data, by the operator.
export function MemberData({ member, onChange }: { member: MemberPage; onChange(): void }) {
  const texts = useTexts(TEXTS)
  const may = useMay()
  const [open, setOpen] = useState<'export' | 'erase'>()
  const [erased, setErased] = useState<ErasedData>()
  // Other staff do not even see that these acts exist.
  if (!may('members.data')) return null
  const params = { memberId: member.memberId }
  const close = () => setOpen(undefined)
  return (
    <Section title={texts.title} aside={texts.sub}>
      <div className="no-print flex flex-wrap items-center gap-2">
        <Button size="small" look="quiet" onClick={() => setOpen('export')}>
          {texts.export}
        </Button>
        {/* An open account needs its data, so the member closes it first. */}
        {member.closedAt ? (
          <Button size="small" look="quiet" onClick={() => setOpen('erase')}>
            {texts.erase}
          </Button>
        ) : (
          <p className="text-sm text-sub">{texts.open}</p>
        )}
      </div>
      <ActSheet
        open={open === 'export'}
        onClose={close}
        onDone={onChange}
        title={texts.export}
        act={texts.export}
        explain={texts.exportWill}
        run={async (reason) => {
          const file = await callApi('POST /members/:memberId/export', { params, body: { reason } })
          // The answer has the file as text. A link could not send the reason, nor wait for the proof.
          saveFile(file.fileName, file.content)
          return null
        }}
      />
      <ActSheet
        open={open === 'erase'}
        onClose={close}
        onDone={onChange}
        title={texts.erase}
        act={texts.erase}
        look="sell"
        explain={texts.eraseWill}
        run={async (reason) => {
          setErased(await callApi('POST /members/:memberId/erase', { params, body: { reason } }))
          return null
        }}
        // What the law keeps is not erased, so the answer says of each kind what became of it.
        result={erased && <Erased data={erased} />}
      />
    </Section>
  )
}

function Erased({ data }: { data: ErasedData }) {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  return (
    <ul className="flex flex-col gap-2 text-sm">
      {data.lines.map(({ kind, what, outcome, until, kept, why }) => (
        <li key={kind}>
          <p className="font-medium">{what[language]}</p>
          <p className="text-sub">
            {outcome === 'erased'
              ? texts.erased
              : `${until === null ? kept[language] : texts.until(date(until, language))}. ${why[language]}`}
          </p>
        </li>
      ))}
    </ul>
  )
}
