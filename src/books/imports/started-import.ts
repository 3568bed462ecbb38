// An import that was started in the application. checking → refused | checked → importing →
// imported | stopped → undoing → undone. A refused file saved nothing; a stopped import has saved
// the rows before the problem. An undo that is refused leads back to imported.
import type { Role } from '../../kernel/auth/actor.ts'
import type { ImportProblem, UndoableName } from './import.ts'

export const importStatuses = [
  'checking',
  'refused',
  'checked',
  'importing',
  'stopped',
  'imported',
  'undoing',
  'undone',
] as const

export type ImportStatus = (typeof importStatuses)[number]

export type ImportRecord = {
  readonly id: string
  readonly name: UndoableName
  readonly fileName: string
  // The day of opening balances.
  readonly date: string | null
  readonly isPosted: boolean
  readonly sendsWebhooks: boolean
  readonly confirmsOldDate: boolean
  readonly status: ImportStatus
  readonly rowCount: number
  // How many objects the file makes, and how far it got.
  readonly stepCount: number
  readonly stepsDone: number
  readonly problems: readonly ImportProblem[]
  // Who asked last for the check, the import or the undo: the work is done in this name.
  readonly personId: string | null
  readonly personRole: Role | null
  readonly createdAt: Date
  readonly finishedAt: Date | null
  readonly undoneAt: Date | null
}

// While a job works on it.
export function isWorking({ status }: Pick<ImportRecord, 'status'>): boolean {
  return status === 'checking' || status === 'importing' || status === 'undoing'
}
