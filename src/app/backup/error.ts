import { Explained } from '#base/explained.ts'

/** A backup that cannot be made or used as it is. The message is a sentence for the operator. */
export class BackupError extends Explained {
  override readonly name: string = 'BackupError'

  override get machineWords() {
    return { code: 'backup' }
  }
}

/** A file that is not what was written. */
export class DamagedBackup extends BackupError {
  override readonly name = 'DamagedBackup'
}
