// What people do about their own account, whichever businesses they work for.
import { addPasskey } from './add-passkey.ts'
import { changeOwnName } from './change-own-name.ts'
import { changeOwnPassword } from './change-own-password.ts'
import { confirmOwnFactor } from './confirm-own-factor.ts'
import { endOtherSessions } from './end-other-sessions.ts'
import { endOwnSession } from './end-own-session.ts'
import { getOwnAccount } from './get-own-account.ts'
import { listOwnSessions } from './list-own-sessions.ts'
import { proposeOwnFactor } from './propose-own-factor.ts'
import { proposePasskey } from './propose-passkey.ts'
import { removePasskey } from './remove-passkey.ts'
import { renamePasskey } from './rename-passkey.ts'
import { renewBackupCodes } from './renew-backup-codes.ts'
import { requestEmailChange } from './request-email-change.ts'

export const accountOperations = {
  getOwnAccount,
  listOwnSessions,
  changeOwnName,
  changeOwnPassword,
  requestEmailChange,
  proposeOwnFactor,
  confirmOwnFactor,
  renewBackupCodes,
  proposePasskey,
  addPasskey,
  renamePasskey,
  removePasskey,
  endOwnSession,
  endOtherSessions,
}
