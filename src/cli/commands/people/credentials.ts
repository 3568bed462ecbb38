// The credentials of a new person, shown only once.
import type { NewCredentials } from '../../../kernel/auth/create-person.ts'
import { secondFactorLines } from '../../../start/second-factor-lines.ts'
import { isTerminal, print } from '../../core/command.ts'

type ShownCredentials = Omit<NewCredentials, 'personId'>

export async function printCredentials(
  role: string,
  email: string,
  credentials: ShownCredentials,
): Promise<void> {
  print(`${`${role[0]?.toUpperCase()}${role.slice(1)}`.padEnd(11)}  ${email}`)
  print(`Password     ${credentials.password}`)
  for (const line of await secondFactorLines(credentials, isTerminal())) print(line)
  print()
  print('All of this is shown this once. Open the link with an authenticator app, scan its QR code')
  print('or type the secret. The password and a code of the app are asked for at the sign-in. Each')
  print('backup code works once in place of a code: keep them where you can reach them without the')
  print('phone.')
}

export function jsonCredentials(credentials: ShownCredentials): ShownCredentials {
  const { password, totpSecret, otpauthUrl, backupCodes } = credentials
  return { password, totpSecret, otpauthUrl, backupCodes }
}
