// The message about an unknown field: which fields exist, and which one was probably meant. The
// interfaces write `expiresAt` in one place and `contact_id` in another, so names are compared
// without case and underscores, and with up to two wrong letters.

const mistakesMax = 2
// No name is nearly as long, and comparing longer ones would only take time.
const comparedMax = 64

export function unknownField(written: string, accepted: readonly string[]): string {
  if (accepted.length === 0) return 'Unknown field. No fields are accepted here.'
  const meant = nearest(written, accepted)
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`
  return `Unknown field.${hint} Accepted: ${accepted.join(', ')}.`
}

function nearest(written: string, accepted: readonly string[]): string | undefined {
  if (written.length > comparedMax) return undefined
  const bare = bareName(written)
  const [best] = accepted
    .map((name) => ({ name, mistakes: mistakesBetween(bare, bareName(name)) }))
    // Two wrong letters of four are another word.
    .filter(({ name, mistakes }) => mistakes <= Math.min(mistakesMax, name.length / 4))
    .toSorted((one, other) => one.mistakes - other.mistakes)
  return best?.name
}

function bareName(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '')
}

// Wrong, missing and extra letters. Two swapped letters count once.
function mistakesBetween(one: string, other: string): number {
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      current.push(
        Math.min(
          at(last, column) + 1,
          at(current, column - 1) + 1,
          at(last, column - 1) + (isSame ? 0 : 1),
          isSwapped ? at(before, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    before = last
    last = current
  }
  return at(last, other.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}
