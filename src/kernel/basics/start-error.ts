// A start that cannot succeed, for a reason that the person at the terminal can mend. The message
// says what is wrong and what to do; it is printed alone, without a stack.
export class StartError extends Error {
  override readonly name = 'StartError'
}
