import type { Claimed } from '#flows/deliveries/claim-deliveries.ts'
import { type DeliveryDeps, type Mail, sendMail, unsendable } from '#jobs/send-deliveries.ts'
import { lockSendableNotices } from '#modules/deliveries/notices/sending.ts'
import { openNotice } from '#modules/deliveries/notices/store.ts'
import type { NoticeContent } from '#modules/deliveries/notices/types.ts'
import { formatNoticeKey } from '#modules/deliveries/rules.ts'

const NOTICES: Mail<NoticeContent> = {
  kind: 'notice',
  lockSendable: lockSendableNotices,
  versionFor: () => null,
  keyOf: ({ key }) => formatNoticeKey(key),
  sinceOf: ({ at }) => at,
  compose,
}

export function sendNotices(deps: DeliveryDeps, payload: unknown, isRetry: boolean): Promise<void> {
  return sendMail(deps, NOTICES, payload, isRetry)
}

function compose({ keys, imprint }: DeliveryDeps, { message, attempt }: Claimed<NoticeContent>) {
  const { registerUrl: pagesUrl, contact } = imprint
  const opened = openNotice(keys.vault(), message, { pagesUrl, contact })
  if (!opened) return unsendable('erased')
  if (opened.unsendable) return unsendable(opened.unsendable)
  const content = { channel: 'text', ...opened.text } as const
  return { key: formatNoticeKey(message.key), attempt, to: opened.to, content }
}
