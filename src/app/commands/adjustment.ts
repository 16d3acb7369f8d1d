import { type Command, readReason, won } from '#app/command.ts'
import { adjustmentWords } from '#app/commands/adjustment-words.ts'
import { askerOf, waitingText } from '#app/commands/approval.ts'
import { orRefuse } from '#app/refused.ts'
import { UsageError } from '#app/usage-error.ts'
import { type AdjustableAsset, requestAdjustment } from '#flows/holdings/adjust-holding.ts'

const ASSETS: Record<string, AdjustableAsset> = { points: 'KRW_POINT', deposit: 'KRW' }

export const memberAdjust: Command = {
  usage:
    'member adjust ID points|deposit --add WON | --take WON --reason TEXT [--as NAME]\n' +
    'ID is the id of a member, or of a link that the member has not decided on. A second person approves it; in a sandbox\n' +
    '--as NAME does so in the same call. The member sees it in the history.',
  summary: 'ask to correct what a member holds, which a second person approves',
  positionals: ['id', 'asset'],
  options: {
    add: { type: 'string' },
    take: { type: 'string' },
    reason: { type: 'string' },
    as: { type: 'string' },
  },
  async run(context) {
    const { runtime, args, options } = context
    const asset = ASSETS[args.asset!]
    if (!asset) throw new UsageError('what is corrected is points or deposit')
    if ((options.add === undefined) === (options.take === undefined))
      throw new UsageError('--add or --take, and not both')
    const amount = options.add === undefined ? -won(options, 'take')! : won(options, 'add')!
    const { asker, approve } = askerOf(context, ['adjustment'])
    const command = { holderId: args.id!, asset, amount, reason: readReason(context), ...asker }
    const { request } = orRefuse(await requestAdjustment(runtime.database, command), adjustmentWords)
    const isDone = await approve(request)
    const { id, subject } = request
    const status = isDone ? 'executed' : 'waiting'
    return {
      json: { id, status, holder: subject, asset: args.asset!, amount: Number(amount) },
      text: isDone ? `${subject}: ${args.asset} changed by ${amount} won` : waitingText('approvals', request),
    }
  },
}
