// What runs in the browser on the sign-in page: passkeys.
import { showPasskeyButtons } from './passkeys.ts'

showPasskeyButtons()
