// The start fails for a reason that the operator can fix. The message says what is wrong and what
// to do. It is printed without a stack.
export class StartError extends Error {
  override readonly name = 'StartError'
}
