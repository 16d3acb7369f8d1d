import { Explained } from '#base/explained.ts'

// A command line that was not understood.
export class UsageError extends Explained {
  override get machineWords() {
    return { code: 'usage' }
  }
}
