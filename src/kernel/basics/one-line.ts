// Text for a single line, such as a name: no line breaks, tabs or other invisible characters. It is
// used in lists, logs and headers, where a line break would start a second entry.
export function isOneLine(text: string): boolean {
  return text.isWellFormed() && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)
}

// Characters that turn the direction of the text after them. With them, `gpj.exe` can be made to
// look like `exe.jpg`, and a name can reorder the amount beside it. Scripts that are written from
// right to left don't need them: each letter has its direction.
const directionMarks = /[\u202a-\u202e\u2066-\u2069]/g

export function withoutDirectionMarks(text: string): string {
  return text.replaceAll(directionMarks, '')
}
