// The key of a click, for the input of every operation that books money; see book-once.ts.
import { idempotencyKeyText } from '../../kernel/operations/schemas.ts'

const keyMax = 255

export const once = { idempotencyKey: idempotencyKeyText(keyMax).optional() }
