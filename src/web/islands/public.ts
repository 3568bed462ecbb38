// The only script of the public pages.
import { showCopyButtons } from './copy-buttons.ts'

showCopyButtons()
